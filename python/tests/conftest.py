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
def cube():
    """An elastic cube of 0.2 m, 8 kg."""
    return pliant.reduce(box_surface(0.2, 0.2, 0.2), young=1e7, poisson=0.3, density=1000, modes=6, dimension=12)
