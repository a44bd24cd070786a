#!/usr/bin/python3
# SPDX-License-Identifier: Zlib
"""Numbers of another finite-element program (GetFEM) for the tests of the full model, its modes and its motion.

GetFEM differentiates the strain energy density 1/2 C_ijkl E_ij E_kl by itself, and integrates with rules of its own
that are exact here. Needs Debian's python3-getfem; writes meshes/, oracles/, vega/ and bullet/ beside this file, in ten minutes.
What the keys mean: README.md.
"""
import json
import pathlib
import sys

import getfem
import numpy as np
import scipy.linalg
import scipy.sparse

import kettle
import meshes

HERE = pathlib.Path(__file__).resolve().parent
GREEN = "(0.5*((Id(3)+Grad_u)'*(Id(3)+Grad_u)-Id(3)))"
ENERGY = f"0.5*((Reshape(C,3,3,3,3):{GREEN}):{GREEN})"


class Solid:
    """The full model of a mesh in GetFEM; vectors run over the mesh's own vertices, x, y, z of each."""

    def __init__(self, mesh):
        self.mesh, self.count = mesh, 3 * len(mesh.positions)
        grid = getfem.Mesh("empty", 3)
        kind = "GT_QK(3,1)" if mesh.is_brick else "GT_PK(3,1)"
        order = [0, 1, 3, 2, 4, 5, 7, 6] if mesh.is_brick else [0, 1, 2, 3]  # GetFEM counts x, then y, then z
        convexes = [int(np.ravel(grid.add_convex(getfem.GeoTrans(kind), mesh.positions[np.array(t)[order]].T))[0])
                    for t in mesh.elements]
        for m in range(len(mesh.laws)):
            members = [c for c, of in zip(convexes, mesh.materials) if of == m]
            grid.set_region(m + 1, np.array([members, [-1] * len(members)]))
        self.space = getfem.MeshFem(grid, 3)
        self.space.set_fem(getfem.Fem("FEM_QK(3,1)" if mesh.is_brick else "FEM_PK(3,1)"))
        self.rule = getfem.MeshIm(grid, getfem.Integ("IM_GAUSS_PARALLELEPIPED(3,6)" if mesh.is_brick
                                                     else "IM_TETRAHEDRON(3)"))
        self._match_vertices()
        self.mass = self._sum(2, "rho*(Test_u.Test2_u)")

    def _match_vertices(self):
        nodes = self.space.basic_dof_nodes().T
        vertex = {tuple(np.round(x, 9)): v for v, x in enumerate(self.mesh.positions)}
        self.place = np.array([3 * vertex[tuple(np.round(x, 9))] + i % 3 for i, x in enumerate(nodes)])
        assert len(set(self.place)) == self.count

    def _sum(self, order, expression, u=None):
        """Integral over all materials of an expression: a number, a vector or a matrix by order."""
        total, field = 0.0, np.zeros(self.count) if u is None else u[self.place]
        for m, law in enumerate(self.mesh.laws):
            part = getfem.asm_generic(self.rule, order, expression, m + 1, "u", 1, self.space, field,
                                      "C", 0, law.stiffness.flatten("F"), "rho", 0, law.density)
            if order == 2:
                starts, rows = part.csc_ind()
                part = scipy.sparse.csc_matrix((part.csc_val(), rows, starts), shape=(self.count, self.count))
            total = total + part
        if order == 0:
            return float(np.ravel(total)[0])
        if order == 1:
            result = np.zeros(self.count)
            result[self.place] = total
            return result
        turn = scipy.sparse.csr_matrix((np.ones(self.count), (self.place, np.arange(self.count))))
        return (turn @ total @ turn.T).toarray()

    def energy(self, u):
        return self._sum(0, ENERGY, u)

    def force(self, u):
        return self._sum(1, ENERGY, u)

    def stiffness(self, u):
        return self._sum(2, ENERGY, u)

    def eigenvalues(self, held=()):
        """Of (K(0), M), ascending, rad^2/s^2, and the mass-normalised shapes."""
        free = np.setdiff1d(np.arange(self.count), [3 * v + i for v in held for i in range(3)])
        K = self.stiffness(np.zeros(self.count))
        values, vectors = scipy.linalg.eigh(K[np.ix_(free, free)], self.mass[np.ix_(free, free)])
        shapes = np.zeros((self.count, len(free)))
        shapes[free] = vectors
        return values, shapes, K, free


def statics(solid):
    """Energy, force, stiffness and mass at the fields of meshes.py, in the whole space and in a small one."""
    mesh, p = solid.mesh, solid.mesh.positions / solid.mesh.size
    u = 0.05 * mesh.size * meshes.test_field(p).flatten()
    v = meshes.test_direction(p).flatten()
    U = np.array([meshes.test_basis(p, j).flatten() for j in range(6)]).T
    q = 0.02 * mesh.size * np.array([1.0, -0.7, 0.5, 0.9, -0.4, 0.6])
    f, Kv, K = solid.force(u), solid.stiffness(u) @ v, solid.stiffness(U @ q)
    samples = [1, len(mesh.positions) // 3, len(mesh.positions) // 2, len(mesh.positions) - 2]
    at_samples = lambda field: [field[3 * s:3 * s + 3].tolist() for s in samples]
    return {
        "mesh": mesh.name + ".veg", "vertices": len(mesh.positions), "elements": len(mesh.elements), "L": mesh.size,
        "total_mass": float(np.ones(solid.count) @ solid.mass @ np.ones(solid.count)) / 3,
        "energy_u": solid.energy(u), "norm_f_u": float(np.linalg.norm(f)), "v_K_u_v": float(v @ Kv),
        "v_M_v": float(v @ solid.mass @ v), "sample_vertices": samples, "f_u": at_samples(f), "K_u_v": at_samples(Kv),
        "reduced_q": q.tolist(), "reduced_force_q": (U.T @ solid.force(U @ q)).tolist(),
        "reduced_stiffness_q": (U.T @ K @ U).flatten().tolist(),
        "eigenvalues_free": solid.eigenvalues()[0][:20].tolist(),
        "fixed_vertices": len(mesh.held), "eigenvalues_fixed": solid.eigenvalues(mesh.held)[0][:20].tolist(),
    }


def modal_derivatives(solid):
    """K Phi_ij = -(H:psi_j) psi_i of the first four modes, by the numbers that do not depend on the modes' signs.

    The stiffness is of second degree in u, so that a central difference of it is exact but for rounding.
    """
    values, shapes, K, free = solid.eigenvalues(solid.mesh.held)
    entries = []
    for i in range(4):
        for j in range(i, 4):
            step = 0.1 * solid.mesh.size / np.abs(shapes[:, j]).max()
            H = (solid.stiffness(step * shapes[:, j]) - solid.stiffness(-step * shapes[:, j])) / (2 * step)
            phi = np.zeros(solid.count)
            phi[free] = np.linalg.solve(K[np.ix_(free, free)], -(H @ shapes[:, i])[free])
            entries.append({"i": i + 1, "j": j + 1, "phi_M_phi": float(phi @ solid.mass @ phi),
                            "phi_K_phi": float(phi @ K @ phi)})
    return values[:6].tolist(), entries


def motion(solid, force, steps=200, dt=1 / 240, damping=0.002):
    """Newmark's average acceleration of the held mesh, its last vertex pushed for twenty steps, Newton to the end."""
    free, vertex = solid.eigenvalues(solid.mesh.held)[3], len(solid.mesh.positions) - 1
    M = solid.mass[np.ix_(free, free)]
    u, v = np.zeros(solid.count), np.zeros(solid.count)
    a = np.zeros(solid.count)
    samples = []
    for step in range(1, steps + 1):
        load = np.zeros(solid.count)
        if step <= 20:
            load[3 * vertex:3 * vertex + 3] = force
        start_u, start_v, start_a = u.copy(), v.copy(), a.copy()
        for _ in range(30):
            a = (4 / dt**2) * (u - start_u) - (4 / dt) * start_v - start_a
            v = start_v + 0.5 * dt * (start_a + a)
            K = solid.stiffness(u)
            rest = (load - solid.mass @ a - damping * (K @ v) - solid.force(u))[free]
            if np.linalg.norm(rest) < 1e-11 * max(np.linalg.norm((solid.mass @ a)[free]), 1e-12):
                break
            # Without the derivative of the damping by u: Newton's steps lead to the same end a little later.
            system = (4 / dt**2) * M + (2 * damping / dt + 1) * K[np.ix_(free, free)]
            u[free] += np.linalg.solve(system, rest)
        if step % 20 == 0:
            samples.append({"step": step, "u": u[3 * vertex:3 * vertex + 3].tolist(), "strain_energy": solid.energy(u),
                            "kinetic_energy": float(0.5 * v @ solid.mass @ v)})
    return {"dt": dt, "beta": 0.25, "gamma": 0.5, "stiffness_damping": damping, "vertex": vertex,
            "force": list(force), "force_steps": 20, "samples": samples}


def monomials(q):
    """Of degree one, two and three, each once, in the order of .cub files."""
    r = range(len(q))
    return (q, np.array([q[i] * q[j] for i in r for j in r if j >= i]),
            np.array([q[i] * q[j] * q[k] for i in r for j in r if j >= i for k in r if k >= j]))


def reduced_polynomial(solid, U):
    """The force U'f(U q), a polynomial of degree three, through more places than it has coefficients."""
    generator, scale = np.random.default_rng(1), 0.05 * solid.mesh.size / np.abs(U).max()
    places = scale * generator.uniform(-1, 1, (160, U.shape[1]))
    powers = [np.hstack([part / scale**(d + 1) for d, part in enumerate(monomials(q))]) for q in places]
    forces = [U.T @ solid.force(U @ q) for q in places]
    coefficients = np.linalg.lstsq(np.array(powers), np.array(forces), rcond=None)[0].T
    r = U.shape[1]
    ends = [0, r, r + r * (r + 1) // 2, coefficients.shape[1]]
    return [coefficients[:, ends[d]:ends[d + 1]] / scale**(d + 1) for d in range(3)]


def fixed_signs(shapes):
    """Each column with its largest entry positive."""
    return shapes * np.sign(shapes[np.abs(shapes).argmax(axis=0), np.arange(shapes.shape[1])])


def reduced_motion(solid, U, newton, steps=120, dt=1 / 300, damping=0.002, push=2.0):
    """q and q' after Newmark's average acceleration in the basis U, with the full mesh's forces.

    `newton` iterations a step, or fewer where they have come to the end.
    """
    r = U.shape[1]
    load = push / (1 + np.arange(r) % 5)
    q, v, a = np.zeros(r), np.zeros(r), np.zeros(r)
    for step in range(steps):
        q0, v0, a0 = q.copy(), v.copy(), a.copy()
        for iteration in range(newton + 1):
            a = (4 / dt**2) * (q - q0) - (4 / dt) * v0 - a0
            v = v0 + 0.5 * dt * (a0 + a)
            if iteration == newton:
                break
            K = U.T @ solid.stiffness(U @ q) @ U
            rest = load * (step < 10) - a - damping * (K @ v) - U.T @ solid.force(U @ q)
            if np.linalg.norm(rest) < 1e-11 * max(np.linalg.norm(a), 1e-9):
                break
            q += np.linalg.solve((4 / dt**2) * np.eye(r) + (2 * damping / dt + 1) * K, rest)
    return q.tolist(), v.tolist()


def boundary_quads(mesh):
    """Faces of bricks that one element has, seen from outside counter-clockwise."""
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    seen = {}
    for element in mesh.elements:
        for face in faces:
            corners = tuple(int(element[c]) for c in face)
            seen.setdefault(tuple(sorted(corners)), []).append(corners)
    return [found[0] for found in seen.values() if len(found) == 1]


def write_rendering(mesh, U, stem):
    """The boundary as an .obj file, four triangles about the middle of each quad, and the basis at its vertices."""
    quads = boundary_quads(mesh)
    used = sorted({v for quad in quads for v in quad})
    number = {v: i + 1 for i, v in enumerate(used)}
    modes = U.reshape(len(mesh.positions), 3, -1)
    points = [mesh.positions[v] for v in used] + [mesh.positions[list(quad)].mean(axis=0) for quad in quads]
    rows = [modes[v] for v in used] + [modes[list(quad)].mean(axis=0) for quad in quads]
    lines = ["# Made by make_numbers.py."] + ["v " + " ".join(meshes.number_text(c) for c in x) for x in points]
    for i, quad in enumerate(quads):
        middle = len(used) + i + 1
        lines += [f"f {number[a]} {number[b]} {middle}" for a, b in zip(quad, quad[1:] + quad[:1])]
    (HERE / "vega" / (stem + "_render.obj")).write_text("\n".join(lines) + "\n")
    matrix = np.array(rows).reshape(-1, U.shape[1])
    with open(HERE / "vega" / (stem + ".URendering.float"), "wb") as file:
        np.array(matrix.shape, dtype="<i4").tofile(file)
        matrix.T.astype("<f4").tofile(file)


def vega_numbers(solid, r=6):
    """The files of a reduced model of the held mesh's first modes, and what its force and its motion are."""
    U = fixed_signs(solid.eigenvalues(solid.mesh.held)[1][:, :r])
    name = solid.mesh.name + "_modes"
    with open(HERE / "vega" / (name + ".cub"), "wb") as file:
        np.array([r, r, r * (r + 1) // 2, r * (r + 1) * (r + 2) // 6], dtype="<i4").tofile(file)
        for part in reduced_polynomial(solid, U):
            part.astype("<f8").tofile(file)
    write_rendering(solid.mesh, U, name)
    q = 0.3 * 0.05 * solid.mesh.size / np.abs(U).max() * np.cos(np.arange(r))
    ends = {n: reduced_motion(solid, U, n) for n in (1, 20)}
    numbers = {"cub": name + ".cub", "r": r, "coefficient_scale": 1, "push": 2.0,
               "mesh": solid.mesh.name + ".veg", "fixed": solid.mesh.name + ".bou", "q": q.tolist(),
               "force": (U.T @ solid.force(U @ q)).tolist(),
               "stiffness": (U.T @ solid.stiffness(U @ q) @ U).flatten().tolist()}
    for n, (end, speed) in ends.items():
        numbers[f"newmark_q_after_120_steps_newton_{n}"] = end
        numbers[f"newmark_v_after_120_steps_newton_{n}"] = speed
    write_numbers(name, numbers)
    print(f"{name}: {r} coordinates, |q| = {np.linalg.norm(ends[20][0]):.3g} at the end")


def write_counted(numbers, path):
    """As Bullet's reduced bodies have them: a count, then doubles."""
    with open(path, "wb") as file:
        np.array([np.size(numbers)], dtype="<u4").tofile(file)
        np.ravel(numbers).astype("<f8").tofile(file)


def write_vtk(mesh, path):
    n, e = len(mesh.positions), len(mesh.elements)
    lines = ["# vtk DataFile Version 2.0", "Made by make_numbers.py", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {n} double"]
    lines += [" ".join(meshes.number_text(c) for c in x) for x in mesh.positions]
    lines += [f"CELLS {e} {5 * e}"] + ["4 " + " ".join(str(int(v)) for v in t) for t in mesh.elements]
    lines += [f"CELL_TYPES {e}"] + ["10"] * e
    path.write_text("\n".join(lines) + "\n")


def bullet_numbers(solid, r=10):
    """The folder of a free linear body: the first modes after the rigid ones, with masses at the vertices."""
    folder = HERE / "bullet" / solid.mesh.name
    folder.mkdir(parents=True, exist_ok=True)
    masses = solid.mass.sum(axis=1)
    K = solid.stiffness(np.zeros(solid.count))
    values, shapes = scipy.linalg.eigh(K, np.diag(masses))
    values, shapes = values[6:6 + r], fixed_signs(shapes[:, 6:6 + r])
    write_vtk(solid.mesh, folder / (solid.mesh.name + ".vtk"))
    write_counted(shapes.T, folder / "modes.bin")
    write_counted(values, folder / "eigenvalues.bin")
    write_counted(np.einsum("ij,ij->j", shapes, K @ shapes), folder / "K_r_diag_mat.bin")
    write_counted(np.ones(r), folder / "M_r_diag_mat.bin")
    write_counted(masses[::3], folder / "M_diag_mat.bin")
    write_numbers(solid.mesh.name + "_bullet", {
        "r": r, "vertices": len(solid.mesh.positions), "total_mass": float(masses[::3].sum()), "eigenvalues": values.tolist()})
    print(f"{solid.mesh.name}: a free linear body of {r} modes")


def write_numbers(name, numbers):
    (HERE / "oracles" / (name + ".json")).write_text(json.dumps(numbers, indent=1) + "\n")


def full_numbers(mesh, push):
    meshes.write_veg(mesh, HERE / "meshes" / (mesh.name + ".veg"))
    solid = Solid(mesh)
    eigenvalues, derivatives = modal_derivatives(solid)
    write_numbers(mesh.name, statics(solid))
    dynamics = motion(solid, push)
    write_numbers(mesh.name + "_dynamics",
                  {"mesh": mesh.name + ".veg", "fixed": mesh.name + ".bou", "eigenvalues": eigenvalues,
                   "modal_derivatives": derivatives, "dynamics": dynamics})
    moved = max(np.linalg.norm(s["u"]) for s in dynamics["samples"])
    sizes = f"{len(mesh.positions)} vertices, {len(mesh.elements)} elements"
    print(f"{mesh.name}: {sizes}, pushed by {moved:.3g} m", flush=True)


def main():
    """Everything, or what the arguments name: bar, arch, grain, modes, bullet, kettle."""
    wanted = sys.argv[1:] or ["bar", "arch", "grain", "modes", "bullet", "kettle"]
    for folder in ("meshes", "oracles", "vega"):
        (HERE / folder).mkdir(exist_ok=True)
    push = {"bar": (2.0, 6.0, -9.0), "arch": (60.0, 20.0, -30.0), "grain": (20.0, 10.0, -40.0)}
    for mesh in (meshes.bar(), meshes.arch(), meshes.grain()):
        if mesh.name in wanted:
            full_numbers(mesh, push[mesh.name])
    if "modes" in wanted:
        vega_numbers(Solid(meshes.bar()))
    if "bullet" in wanted:
        bullet_numbers(Solid(meshes.arch()))
    if "kettle" in wanted:
        kettle.write(HERE / "meshes" / "kettle.obj")


if __name__ == "__main__":
    main()
