# SPDX-License-Identifier: Zlib
"""The meshes of the reference numbers, and the fields that they are computed for.

bar    bricks of 0.1 x 0.08 x 0.06 m, one half of it stiffer and lighter than the other, held at x = 0
arch   a half ring of tetrahedra of no two alike, of two materials, held at one foot
grain  a slab of tetrahedra, one half orthotropic along none of the axes, one of a law without any symmetry
"""
import itertools
import math

import numpy as np


class Mesh:
    """positions n x 3 (m), elements of corners in the order of .veg files, material number of each element, laws."""

    def __init__(self, name, positions, elements, materials, laws, held):
        self.name, self.positions, self.held = name, np.array(positions), held
        self.elements, self.materials, self.laws = elements, np.array(materials), laws

    @property
    def is_brick(self):
        return len(self.elements[0]) == 8

    @property
    def size(self):
        """The diagonal of the bounding box."""
        return float(np.linalg.norm(self.positions.max(axis=0) - self.positions.min(axis=0)))


class Law:
    """A material of a .veg file: the words and numbers of its line, density (kg/m^3) and C (3 x 3 x 3 x 3, Pa)."""

    def __init__(self, name, words, density, stiffness):
        self.name, self.words, self.density, self.stiffness = name, words, density, stiffness


PAIRS = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)]  # xx, yy, zz, yz, xz, xy


def tensor_of(matrix):
    """C_ijkl of a 6 x 6 stiffness for engineering shear strains."""
    C = np.zeros((3, 3, 3, 3))
    for (a, (i, j)), (b, (k, l)) in itertools.product(enumerate(PAIRS), repeat=2):
        for p, q in {(i, j), (j, i)}:
            for r, s in {(k, l), (l, k)}:
                C[p, q, r, s] = matrix[a, b]
    return C


def isotropic(name, density, young, poisson):
    mu = young / (2 * (1 + poisson))
    lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    one = np.eye(3)
    C = lame * np.einsum("ij,kl->ijkl", one, one)
    C += mu * (np.einsum("ik,jl->ijkl", one, one) + np.einsum("il,jk->ijkl", one, one))
    return Law(name, ["ENU", density, young, poisson], density, C)


def orthotropic(name, density, E, nu, G, axes):
    """nu = (nu12, nu23, nu31), G = (G12, G23, G31); the columns of `axes` are the material's."""
    S = np.diag([1 / E[0], 1 / E[1], 1 / E[2], 1 / G[1], 1 / G[2], 1 / G[0]])
    S[0, 1] = S[1, 0] = -nu[0] / E[0]
    S[1, 2] = S[2, 1] = -nu[1] / E[1]
    S[2, 0] = S[0, 2] = -nu[2] / E[2]
    R = np.array(axes)
    C = np.einsum("ia,jb,kc,ld,abcd->ijkl", R, R, R, R, tensor_of(np.linalg.inv(S)))
    return Law(name, ["ORTHOTROPIC", density, *E, *nu, *G, *R.flatten()], density, C)


def general(name, density, matrix):
    upper = [matrix[i, j] for i in range(6) for j in range(i, 6)]
    return Law(name, ["STIFFNESS", density, *upper], density, tensor_of(matrix))


def grid(counts):
    """Number of a vertex of a grid, its cells and its vertices."""
    nx, ny, nz = counts
    number = lambda i, j, k: (i * (ny + 1) + j) * (nz + 1) + k
    cells = list(itertools.product(range(nx), range(ny), range(nz)))
    return number, cells, list(itertools.product(range(nx + 1), range(ny + 1), range(nz + 1)))


def six_tetrahedra(number, cell):
    """A cell of a grid as one tetrahedron for each order of the axes, all of positive volume."""
    for path in itertools.permutations(range(3)):
        at, corners = list(cell), [number(*cell)]
        for axis in path:
            at[axis] += 1
            corners.append(number(*at))
        even = path in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        yield corners if even else [corners[0], corners[1], corners[3], corners[2]]


def bar():
    counts, sides = (8, 3, 2), (0.1, 0.08, 0.06)
    number, cells, vertices = grid(counts)
    positions = [[round(c * s, 10) for c, s in zip(v, sides)] for v in vertices]
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    elements = [[number(*(np.array(cell) + c)) for c in corners] for cell in cells]
    materials = [int(cell[0] >= 5) for cell in cells]
    laws = [isotropic("rubber", 1100.0, 1e6, 0.42), isotropic("foam", 300.0, 4e6, 0.25)]
    return Mesh("bar", positions, elements, materials, laws, [number(0, j, k) for j in range(4) for k in range(3)])


def arch():
    counts = (10, 2, 2)
    number, cells, vertices = grid(counts)
    positions = []
    for i, j, k in vertices:
        angle, radius = math.pi * (i / 10 + 0.02 * math.sin(3 * i + j)), 0.5 + 0.05 * k + 0.01 * math.cos(2 * i + k)
        width = 0.06 * j + 0.01 * math.sin(i + 2 * k)
        positions.append([round(c, 6) for c in (-radius * math.cos(angle), width, radius * math.sin(angle))])
    elements = [t for cell in cells for t in six_tetrahedra(number, cell)]
    materials = [int(cell[0] % 3 == 1) for cell in cells for _ in range(6)]
    laws = [isotropic("stone", 2000.0, 5e7, 0.2), isotropic("mortar", 1500.0, 8e6, 0.35)]
    return Mesh("arch", positions, elements, materials, laws, [number(0, j, k) for j in range(3) for k in range(3)])


def grain():
    counts, sides = (4, 3, 2), (0.1, 0.1, 0.05)
    number, cells, vertices = grid(counts)
    shake = lambda v, axis: 0.15 * math.sin(7 * v[0] + 3 * v[1] + 5 * v[2] + axis)
    positions = [[round((v[a] + shake(v, a)) * sides[a], 6) for a in range(3)] for v in vertices]
    elements = [t for cell in cells for t in six_tetrahedra(number, cell)]
    materials = [int(cell[0] >= 2) for cell in cells for _ in range(6)]
    axes = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]
    wood = orthotropic("wood", 600.0, (9e6, 2e6, 1e6), (0.4, 0.3, 0.05), (8e5, 3e5, 9e5), axes)
    matrix = np.array([[round(1e6 * ((3 - 0.2 * i if i == j else 0) + 0.8 * math.sin(1 + i) * math.sin(1 + j) +
                                     0.3 * math.cos(2 * i) * math.cos(2 * j)), 3) for j in range(6)] for i in range(6)])
    laws = [wood, general("crystal", 900.0, matrix)]
    return Mesh("grain", positions, elements, materials, laws, [number(0, j, k) for j in range(4) for k in range(3)])


def test_field(p):
    """u / (0.05 L) at p = P / L."""
    x, y, z = p.T
    return np.array([np.sin(2 * x + 3 * y + z + 0.5), np.sin(x - 2 * y + 4 * z + 1.0),
                     np.sin(2 * x + y - 3 * z + 1.5)]).T


def test_direction(p):
    x, y, z = p.T
    return np.array([np.cos(2 * y + x), np.cos(5 * z - x), np.cos(3 * x + 2 * y)]).T


def test_basis(p, j):
    """Column j = 0 .. 5 of a basis, neither orthogonal nor of unit length."""
    x, y, z = p.T
    return np.array([np.sin((j + 1) * y + x + 0.1 * j), np.cos((j + 2) * z - x),
                     np.sin((j + 1) * x + 2 * y + 0.2 * j)]).T


def number_text(value):
    return repr(float(value)) if not float(value).is_integer() else str(int(value))


def write_veg(mesh, path):
    """The mesh as a Vega file, and its held vertices, counted from 1, as a .bou file beside it."""
    n, e = len(mesh.positions), len(mesh.elements)
    lines = ["# Made by make_numbers.py.", "*VERTICES", f"{n} 3 0 0"]
    lines += [f"{i + 1} " + " ".join(number_text(c) for c in x) for i, x in enumerate(mesh.positions)]
    corners = len(mesh.elements[0])
    lines += ["*ELEMENTS", "CUBIC" if mesh.is_brick else "TET", f"{e} {corners} 0"]
    lines += [f"{i + 1} " + " ".join(str(v + 1) for v in t) for i, t in enumerate(mesh.elements)]
    for m, law in enumerate(mesh.laws):
        lines += [f"*MATERIAL {law.name}", law.words[0] + ", " + ", ".join(number_text(w) for w in law.words[1:])]
        members = [str(i + 1) for i in range(e) if mesh.materials[i] == m]
        lines += [f"*SET of_{law.name}"] + [", ".join(members[i:i + 16]) for i in range(0, len(members), 16)]
        lines += ["*REGION", f"of_{law.name}, {law.name}"]
    path.write_text("\n".join(lines) + "\n")
    path.with_suffix(".bou").write_text(",".join(str(v + 1) for v in mesh.held) + "\n")
