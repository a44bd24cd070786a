# SPDX-License-Identifier: Zlib
import pathlib

import numpy
import pliant
import pytest

MEDIA = pathlib.Path(__file__).resolve().parents[2] / "media"


def box_surface(x, y, z):
    """A closed box with one corner at the origin: vertices and triangles."""
    vertices = numpy.array([(i, j, k) for i in (0, x) for j in (0, y) for k in (0, z)], dtype=float)
    triangles = numpy.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
                             (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])
    return vertices, triangles


@pytest.fixture(scope="session")
def media():
    return MEDIA


@pytest.fixture(scope="session")
def bar_of_two(tmp_path_factory):
    """A bar of two cubes of 0.1 m, "front" and "back"; each of them of 1 kg and 1e6 Pa."""
    corners = [(x, y, z) for x in (0, 0.1, 0.2) for y in (0, 0.1) for z in (0, 0.1)]
    bricks = [[1 + 4 * i + j for j in (0, 4, 6, 2, 1, 5, 7, 3)] for i in (0, 1)]
    lines = ["*VERTICES", f"{len(corners)} 3 0 0"]
    lines += [f"{1 + i} {x} {y} {z}" for i, (x, y, z) in enumerate(corners)]
    lines += ["*ELEMENTS", "CUBIC", "2 8 0"] + [" ".join(map(str, [1 + i, *b])) for i, b in enumerate(bricks)]
    for number, name in enumerate(("front", "back")):
        lines += [f"*SET {name}_set", str(1 + number), f"*MATERIAL {name}", "ENU, 1000, 1e6, 0.3"]
    lines += ["*REGION", "front_set, front", "*REGION", "back_set, back"]
    path = tmp_path_factory.mktemp("meshes") / "bar.veg"
    path.write_text("\n".join(lines) + "\n")
    return pliant.reduce(path, modes=6, dimension=12)


@pytest.fixture(scope="session")
def cube():
    """An elastic cube of 0.2 m, 8 kg."""
    return pliant.reduce(box_surface(0.2, 0.2, 0.2), young=1e7, poisson=0.3, density=1000, modes=6, dimension=12)
