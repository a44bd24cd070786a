# SPDX-License-Identifier: Zlib
import numpy
import pliant
import pytest
from conftest import box_surface


def test_mass_is_volume_times_density(cube):
    assert cube.mass == pytest.approx(0.2**3 * 1000, rel=1e-6)
    assert not cube.anchored


def test_clamped_bar_has_the_frequency_of_beam_theory():
    length, edge, young, density = 1.0, 0.1, 1e7, 1000.0
    bar = pliant.reduce(box_surface(length, edge, edge), young=young, poisson=0.0, density=density, voxels=40,
                        modes=4, dimension=4, hold=["box=-1,-1,-1,1e-6,1,1"])
    assert bar.anchored
    # Euler-Bernoulli, clamped and free; shear and rotary inertia take 1 % of it at this slenderness.
    first = 1.8751**2 / (2 * numpy.pi * length**2) * numpy.sqrt(young * edge**2 / 12 / density)
    assert bar.frequencies[0] == pytest.approx(first, rel=0.03)


def test_basis_is_a_view_that_keeps_the_model_alive(cube, tmp_path):
    cube.save(tmp_path / "cube.pliant")
    basis = pliant.load(tmp_path / "cube.pliant").basis  # the model has no other name
    assert basis.shape[1] == cube.dimension and not basis.flags.owndata and not basis.flags.writeable
    assert numpy.array_equal(basis, cube.basis)


def test_rest_surface_is_that_of_the_mesh(cube):
    assert numpy.allclose(cube.vertices.min(axis=0), 0, atol=1e-12)
    assert numpy.allclose(cube.vertices.max(axis=0), 0.2, atol=1e-12)
    assert cube.triangles.max() == len(cube.vertices) - 1
    assert numpy.array_equal(cube.deformed(numpy.zeros(cube.dimension)), cube.vertices)


def test_deformation_is_linear_in_q(cube):
    q = numpy.linspace(-1e-2, 1e-2, cube.dimension)
    once, twice = cube.deformed(q) - cube.vertices, cube.deformed(2 * q) - cube.vertices
    assert numpy.abs(once).max() > 1e-4
    assert numpy.allclose(twice, 2 * once, atol=1e-12)


def test_progress_tells_stages_and_cancels():
    stages = []
    pliant.reduce(box_surface(1, 1, 1), modes=2, dimension=2, progress=lambda stage, share: stages.append(stage))
    assert stages[0] == "mesh" and "polynomials" in stages
    with pytest.raises(pliant.Cancelled):
        pliant.reduce(box_surface(1, 1, 1), modes=2, dimension=2, progress=lambda stage, share: False)
    with pytest.raises(ZeroDivisionError):
        pliant.reduce(box_surface(1, 1, 1), modes=2, dimension=2, progress=lambda stage, share: 1 / 0)


def test_numbers_of_bytes_reach_the_last_vertex(cube):
    vertices, triangles = box_surface(0.2, 0.2, 0.2)
    vertices = numpy.vstack([numpy.repeat(vertices[:1], 248, axis=0), vertices])  # 256 of them
    made = pliant.reduce((vertices, (triangles + 248).astype(numpy.uint8)), young=1e7, poisson=0.3, density=1000,
                         modes=6, dimension=12)
    assert made.mass == pytest.approx(cube.mass, rel=1e-12)


@pytest.mark.parametrize("row", [(-2, 0, 1), (8, 0, 1)])
def test_vertices_that_are_not_there_are_told(row):
    vertices, triangles = box_surface(1, 1, 1)
    with pytest.raises(pliant.Error, match=f"triangle 11 names vertex {row[0]} of 8"):
        pliant.reduce((vertices, numpy.vstack([triangles[:-1], row])))


@pytest.mark.parametrize("spoil", [lambda v: v + 1j, lambda v: v.astype(str), lambda v: v * numpy.nan])
def test_vertices_are_real_numbers(spoil):
    vertices, triangles = box_surface(1, 1, 1)
    with pytest.raises(pliant.Error, match="vertices"):
        pliant.reduce((spoil(vertices), triangles))


def test_messages_name_what_the_user_gave():
    with pytest.raises(pliant.Error, match="^vertices, triangles: .*no face"):
        pliant.reduce((numpy.zeros((0, 3)), numpy.zeros((0, 3), dtype=int)))
    with pytest.raises(pliant.Error, match="nowhere\udcff.obj"):
        pliant.reduce("nowhere\udcff.obj")
    for source in (None, 3, b"mesh.obj", (1, 2, 3)):
        with pytest.raises(TypeError, match="neither a path nor a pair"):
            pliant.reduce(source)


def test_lines_of_the_file_in_between_are_nobodys(monkeypatch):
    def refuse(path, options, progress):
        raise pliant.Error(f"{path}:7:2: no number; see {path}:9")

    monkeypatch.setattr(pliant, "_reduce_file", refuse)
    with pytest.raises(pliant.Error, match="^vertices, triangles: no number; see vertices, triangles$"):
        pliant.reduce(box_surface(1, 1, 1))


def test_mistakes_are_told():
    with pytest.raises(TypeError, match="no keyword \"yuong\""):
        pliant.reduce(box_surface(1, 1, 1), yuong=1e5)
    with pytest.raises(TypeError, match="modes cannot be 'many'"):
        pliant.reduce(box_surface(1, 1, 1), modes="many")
    with pytest.raises(pliant.Error, match="nowhere.obj"):
        pliant.reduce("nowhere.obj")
    with pytest.raises(pliant.Error, match="nowhere.pliant"):
        pliant.load("nowhere.pliant")
    with pytest.raises(pliant.Error, match="triangles"):
        pliant.reduce((box_surface(1, 1, 1)[0], [(0, 1)]))
