# SPDX-License-Identifier: Zlib
"""Reduced-coordinate, large-deformation bodies in a Bullet world.

    import pliant
    cow = pliant.reduce("cow.obj", young=2e5, density=1000)
    world = pliant.World()
    world.add_plane()
    cows = world.add(cow, position=[(0, 0, 1), (0, 0, 3)])
    world.step(1 / 240, count=480)
    print(cows.position, cows.q)
    world.picture("cows.png")
"""

import os
import re
import tempfile

from ._pliant import Bodies, Cancelled, Error, Model, Scene, Simulation, World, __version__, load
from ._pliant import _reduce_file

__all__ = ["Bodies", "Cancelled", "Error", "Model", "Scene", "Simulation", "World", "load", "reduce"]


def reduce(source, *, progress=None, **options):
    """Makes a Model of a mesh, as `pliant reduce` does.

    source    a file (a surface, or a simulation mesh), or a pair (vertices (n, 3), triangles (m, 3))
    progress  is called with the name of a stage and the share of it that is done; False, an exception or Ctrl+C ends
              the work, and nothing is left behind
    options   modes, dimension, young (Pa), poisson, density (kg/m^3), solid (True, False), thickness (m), voxels,
              units ("cm"), up ("y"), hold (["box=x0,y0,z0,x1,y1,z1", ...]), fixed, surface, refine, crease,
              strain_rate, threads, cache
    """
    if isinstance(source, (str, os.PathLike)):
        return _reduce_file(source, options, progress)
    if not isinstance(source, (tuple, list)) or len(source) != 2:
        raise TypeError(f"reduce(): neither a path nor a pair (vertices, triangles), but {type(source).__name__}")
    vertices, triangles = source
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mesh.obj")
        _write_surface(path, vertices, triangles)
        try:
            return _reduce_file(path, options, progress)
        except Cancelled:
            raise
        except Error as problem:  # the file that it names, and its lines, are nobody's
            text = re.sub(re.escape(path) + r"(:\d+)*", "vertices, triangles", str(problem))
            raise Error(text) from None


def _write_surface(path, vertices, triangles):
    """Writes an .obj whose numbers are read back to the same bits."""
    import numpy

    vertices = numpy.asarray(vertices)
    triangles = numpy.asarray(triangles)
    if vertices.dtype.kind not in "fiu":
        raise Error(f"vertices: of {vertices.dtype}; real numbers (n, 3) are wanted")
    vertices = vertices.astype(float)
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise Error(f"vertices: shape {vertices.shape}; (n, 3) is wanted")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise Error(f"triangles: shape {triangles.shape} of {triangles.dtype}; whole numbers (m, 3) are wanted")
    # Those of .obj begin at 1, for which the largest number of an array of bytes has no room: Python's own are written.
    outside = numpy.argwhere((triangles < 0) | (triangles >= len(vertices)))
    if len(outside):
        row, column = outside[0]
        raise Error(f"triangles: triangle {row} names vertex {triangles[row, column]} of {len(vertices)}")
    unsound = numpy.argwhere(~numpy.isfinite(vertices))
    if len(unsound):
        raise Error(f"vertices: vertex {unsound[0][0]} is not finite")
    with open(path, "w", encoding="ascii") as file:
        for x, y, z in vertices.tolist():
            file.write(f"v {x!r} {y!r} {z!r}\n")
        for a, b, c in triangles.tolist():
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")
