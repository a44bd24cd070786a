# SPDX-License-Identifier: Zlib
"""A kettle as people model one: a polygon soup of open pieces that share no vertex and stick into each other.

A pot without a bottom wall's thickness, a lid over its rim, a spout and a handle whose ends lie inside the pot. Every piece is
one layer of quads, some of them seen from outside counter-clockwise and some clockwise. 24 cm across, z up, its foot on z = 0.
"""
import math

import numpy as np


def sheet(point, rows, columns, turned=False):
    """Vertices (row by row) and quads of point(s, t), s and t in [0, 1]; the last column is the first one again."""
    vertices = [point(i / rows, j / columns) for i in range(rows + 1) for j in range(columns)]
    number = lambda i, j: i * columns + j % columns
    quads = [[number(i, j), number(i, j + 1), number(i + 1, j + 1), number(i + 1, j)] for i in range(rows) for j in range(columns)]
    return vertices, [quad[::-1] for quad in quads] if turned else quads


def revolved(radius, height):
    return lambda s, t: [radius(s) * math.cos(2 * math.pi * t), radius(s) * math.sin(2 * math.pi * t), height(s)]


def tube(centre, radius):
    """About a curve in the plane y = 0; its section stands across the curve's own direction."""
    def point(s, t):
        ahead = np.array(centre(s + 1e-4)) - np.array(centre(s - 1e-4))
        across = np.array([-ahead[1], ahead[0]]) / np.linalg.norm(ahead)
        x, z = np.array(centre(s)) + radius(s) * math.cos(2 * math.pi * t) * across
        return [x, radius(s) * math.sin(2 * math.pi * t), z]
    return point


def pieces():
    belly = lambda s: 0.07 + 0.05 * math.sin(math.pi * (0.15 + 0.75 * s))
    return [
        sheet(revolved(belly, lambda s: 0.14 * s), 14, 32),
        sheet(revolved(lambda s: 0.002 + (belly(0) - 0.002) * s, lambda s: 0.0), 3, 32),  # the floor
        sheet(revolved(lambda s: 0.004 + 0.095 * s, lambda s: 0.135 + 0.025 * math.cos(0.5 * math.pi * s)), 5, 32, True),
        sheet(revolved(lambda s: 0.012 * math.sin(math.pi * (0.1 + 0.8 * s)), lambda s: 0.155 + 0.025 * s), 4, 12),  # the knob
        sheet(tube(lambda s: (0.1 + 0.09 * s, 0.05 + 0.1 * s * s), lambda s: 0.022 - 0.01 * s), 10, 14),
        sheet(tube(lambda s: (-0.1 - 0.07 * math.sin(math.pi * s), 0.03 + 0.085 * s), lambda s: 0.009), 12, 10, True),
    ]


def write(path):
    lines, first = ["# Made by make_numbers.py."], 1
    for vertices, quads in pieces():
        lines += ["v " + " ".join(f"{c:.5f}" for c in x) for x in vertices]
        lines += ["f " + " ".join(str(first + v) for v in quad) for quad in quads]
        first += len(vertices)
    path.write_text("\n".join(lines) + "\n")
    print(f"{path.stem}: {first - 1} vertices")
