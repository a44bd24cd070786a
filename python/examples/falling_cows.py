# SPDX-License-Identifier: Zlib
"""A surface is reduced, eight bodies of it fall onto the ground, and their picture is taken.

    python falling_cows.py MESH PICTURE.png
"""

import sys

import numpy
import pliant


def main(mesh, picture):
    model = pliant.reduce(mesh, young=3e5, density=1000, modes=10, dimension=20)
    print(model)

    size = numpy.ptp(model.vertices, axis=0).max()
    places = size * numpy.array([(0.8 * (i % 2), 0.8 * (i // 2 % 2), 0.8 + 1.1 * (i // 4)) for i in range(8)])
    world = pliant.World()
    world.add_plane()
    bodies = world.add(model, position=places)

    height = bodies.position[:, 2]  # a view: it follows the world
    while world.time < 2.0:
        world.step(1 / 240, count=120)
        print(f"t = {world.time:.1f} s, mean height {height.mean():.3f} m, {world.statistics['contacts']} contacts")
    world.picture(picture)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2])
    except pliant.Error as problem:
        sys.exit(str(problem))
