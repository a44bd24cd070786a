# SPDX-License-Identifier: Zlib
import gc
import os
import subprocess
import sys
import threading

import numpy
import pliant
import pytest
from conftest import box_surface

GRAVITY = 9.81


def dropped(model, count, threads=1, **arguments):
    world = pliant.World(threads=threads)
    world.add_plane()
    places = [(0.5 * (i % 4), 0.5 * (i // 4), 0.3 + 0.01 * i) for i in range(count)]
    return world, world.add(model, position=places, **arguments)


def test_free_fall(cube):
    world = pliant.World(gravity=(0, 0, -GRAVITY))
    body = world.add(cube, position=(1, 2, 3), velocity=(0.5, 0, 1))
    h, count = 1 / 500, 250
    world.step(h, count)
    t = h * count
    # Bullet's symplectic Euler: g h t / 2 beside the parabola.
    expected = [1 + 0.5 * t, 2, 3 + t - GRAVITY * t * (t + h) / 2]
    assert world.time == pytest.approx(t)
    assert numpy.allclose(body.position[0], expected, atol=1e-4)
    assert numpy.allclose(body.velocity[0], [0.5, 0, 1 - GRAVITY * t], atol=1e-5)


def test_views_follow_without_copies_and_outlive_the_world(cube):
    world, bodies = dropped(cube, 8)
    q, position = bodies.q, bodies.position
    assert q.shape == (8, cube.dimension) and position.shape == (8, 3) and bodies.rotation.shape == (8, 4)
    before = position.copy()
    address = q.__array_interface__["data"]
    world.step(1 / 240, 60)
    assert (position[:, 2] < before[:, 2]).all()
    assert numpy.abs(q).max() > 0
    assert bodies.q.__array_interface__["data"] == address
    with pytest.raises(ValueError):
        q[0, 0] = 1.0
    last = position.copy()
    del world, bodies
    gc.collect()
    assert numpy.array_equal(position, last)


def test_the_ground_carries_a_cube(cube):
    world = pliant.World(threads=1)
    world.add_plane()
    body = world.add(cube, position=(0, 0, 0.001))
    h = 1 / 240
    world.step(h, 60)
    impulses = []
    for _ in range(120):
        world.step(h)
        contacts = world.contacts()
        assert set(contacts["first"]) | set(contacts["second"]) <= {0, 1}
        assert numpy.allclose(numpy.abs(contacts["normal"][:, 2]), 1, atol=1e-3)
        impulses.append(contacts["impulse"].sum())
    assert numpy.mean(impulses) == pytest.approx(cube.mass * GRAVITY * h, rel=0.03)
    assert body.position[0, 2] == pytest.approx(0, abs=4e-4)  # 0.2 % of its size: it sags


def test_same_bits_for_any_number_of_threads(cube):
    ends = []
    for threads in (1, 2, 4):
        world, bodies = dropped(cube, 12, threads, angular_velocity=(1, 2, 3))
        world.step(1 / 120, 120)
        ends.append((bodies.q.tobytes(), bodies.position.tobytes()))
    assert ends[0] == ends[1] == ends[2]


def test_saved_states_go_on_with_the_same_bits(cube):
    world, bodies = dropped(cube, 4)
    world.step(1 / 120, 60)
    state = world.save_state()
    world.step(1 / 120, 30)
    first = bodies.q.tobytes()
    world.restore_state(state)
    assert world.time == pytest.approx(0.5)
    world.step(1 / 120, 30)
    assert bodies.q.tobytes() == first
    with pytest.raises(pliant.Error, match="nothing was changed"):
        world.restore_state(state[:-9])


def test_impulse_changes_momentum_by_itself(cube):
    world = pliant.World(gravity=(0, 0, 0))
    body = world.add(cube)
    body.apply_impulse((8, 0, 0), point=(0.1, 0.1, 0.1))
    assert numpy.allclose(body.velocity[0], [8 / cube.mass, 0, 0], atol=1e-5)
    assert body.kinetic_energy() >= 8**2 / (2 * cube.mass) * (1 - 1e-6)  # what deforms it comes on top
    world.step(1 / 240)
    assert body.point_position((0.1, 0.1, 0.1))[0] > 0.1


def test_ray_hits_the_surface(cube):
    world, bodies = dropped(cube, 1)
    hit = world.ray((0.1, 0.1, 5), (0.1, 0.1, -5))
    assert hit["body"] == world.numbers(bodies)[0] == 1
    assert numpy.allclose(hit["point"], (0.1, 0.1, 0.5), atol=1e-4)
    assert numpy.allclose(hit["normal"], (0, 0, 1), atol=1e-4)
    assert world.ray((5, 5, 5), (5, 5, 4)) is None


def test_rigid_bodies_meet_reduced_ones(cube):
    world, _ = dropped(cube, 1)
    world.step(1 / 240, 480)
    ball = world.add_sphere(0.05, position=(0.1, 0.1, 0.4), mass=1)
    world.step(1 / 240, 720)
    x, y, z = world.rigid_state(ball)["position"]
    assert z == pytest.approx(0.25, abs=2e-3)  # on top of the cube
    assert 0 < x < 0.2 and 0 < y < 0.2
    with pytest.raises(IndexError):
        world.rigid_state(1)


def test_removed_bodies_are_told(cube):
    world, bodies = dropped(cube, 2)
    world.remove(bodies)
    assert world.statistics["bodies"] == 0
    world.step(1 / 240, 4)
    with pytest.raises(pliant.Error, match="removed"):
        bodies.strain_energy()
    with pytest.raises(pliant.Error, match="removed"):
        world.numbers(bodies)
    other, strangers = dropped(cube, 1)
    with pytest.raises(pliant.Error, match="another world"):
        world.remove(strangers)


def test_a_world_that_another_thread_steps_is_not_touched(cube):
    world, bodies = dropped(cube, 12)
    refused = []
    worker = threading.Thread(target=lambda: world.step(1 / 2000, 4000))
    worker.start()
    while worker.is_alive():
        try:
            bodies.strain_energy()
        except pliant.Error as problem:
            refused.append(str(problem))
    worker.join()
    assert any("another thread" in text for text in refused)
    assert world.time == pytest.approx(2.0)


@pytest.mark.parametrize("call", [
    lambda world, body: world.step(0),
    lambda world, body: world.step(float("nan")),
    lambda world, body: world.step(1e-7),  # Bullet would make none
    lambda world, body: world.step(1 / 240, -1),
    lambda world, body: body.place((numpy.nan, 0, 0)),
    lambda world, body: body.place((0, 0)),
    lambda world, body: body.place((0, 0, 0), rotation=(0, 0, 0, 2)),
    lambda world, body: body.set_deformation([1.0]),
    lambda world, body: world.add_box((1, 0, 1)),
    lambda world, body: world.add_sphere(1, mass=-1),
    lambda world, body: world.add_mesh([(0, 0, 0)], [(0, 1, 2)]),
    lambda world, body: world.add(body.model, position=[(0, 0, 0)] * 3, velocity=[(0, 0, 0)] * 2),
    lambda world, body: world.add(body.model, position=[[1], [2], [3]]),
    lambda world, body: world.add(body.model, damping=(-1, 0)),
    lambda world, body: world.add(body.model, friction=float("nan")),
    lambda world, body: world.add_plane(offset=float("inf")),
    lambda world, body: world.picture(eye=(0, 0, 0), target=(1, 0, 0), field_of_view=180),
    lambda world, body: world.add_mesh(numpy.eye(3), [(0.0, 1.0, 2.0)]),
    lambda world, body: world.add_mesh(numpy.eye(3), [(2**32, 1, 2)]),
    lambda world, body: world.add_mesh(1e30 * numpy.eye(3), [(0, 1, 2)]),
    lambda world, body: world.add_sphere(1e30),
    lambda world, body: world.add_sphere(1e-30),
    lambda world, body: world.add_sphere(1, mass=1e30),
    lambda world, body: world.add_sphere(1, mass=1e-50),
    lambda world, body: world.add_sphere(1, position=(0, 0, 1e30)),
    lambda world, body: world.add_sphere(1, friction=1e300),
    lambda world, body: world.add_plane(offset=1e30),
    lambda world, body: world.add_plane(normal=(0, 0, 1e-30), offset=1e10),
    lambda world, body: world.add_sphere(1e15, mass=1e15),
    lambda world, body: world.add_sphere(1e-15, mass=1e-15),
    lambda world, body: body.set_deformation(numpy.full(body.model.dimension, 1e16)),
    lambda world, body: world.picture(eye=(1j, 0, 0), target=(0, 0, 0), width=16, height=16),
    lambda world, body: world.add(body.model, velocity=(1e300, 0, 0)),
    lambda world, body: world.add(body.model, damping=1.0),
    lambda world, body: world.add(body.model, damping="much"),
    lambda world, body: world.ray((0, 0, 1e300), (0, 0, 0)),
    lambda world, body: world.picture(eye=(1e300, 0, 0), target=(0, 0, 0), width=16, height=16),
    lambda world, body: world.picture(eye="there", target=(0, 0, 0), width=16, height=16),
    lambda world, body: world.numbers(pliant.World().add(body.model)),
    lambda world, body: body.set_velocity((1e300, 0, 0)),
    lambda world, body: body.apply_impulse((0, 0, 1e300)),
    lambda world, body: body.apply_force((0, 0, 1e300)),
    lambda world, body: body.set_damping(mass=1e300),
    lambda world, body: body.place((0, 0, 0), rotation="upright"),
    lambda world, body: pliant.World(gravity=(0, 0, -1e300)),
    lambda world, body: pliant.World(threads=-1),
    lambda world, body: world.picture(width=0),
    lambda world, body: world.picture(eye=(0, 0, 0)),
])
def test_mistakes_are_errors_and_change_nothing(cube, call):
    world, body = dropped(cube, 1)
    state = world.save_state()
    with pytest.raises(pliant.Error):
        call(world, body)
    assert world.save_state() == state


def test_materials_change_while_the_world_runs(bar_of_two):
    world = pliant.World(gravity=(0, 0, 0), threads=1)
    body = world.add(bar_of_two, damping=(0, 0))
    q = numpy.linspace(-1e-4, 1e-4, bar_of_two.dimension)

    def energy_after(*changes):
        body.set_material()
        for change in changes:
            body.set_material(**change)
        body.set_deformation(q, numpy.zeros_like(q))
        world.step(1e-5)
        assert numpy.abs(body.q_velocity).max() > 0  # it has moved, by next to nothing
        return body.strain_energy()

    own = energy_after()
    front, back = dict(material="front", stiffness=3.0), dict(material=1, stiffness=5.0)
    both = energy_after(front, back)
    assert both == pytest.approx(energy_after(front) + energy_after(back) - own, rel=1e-3)
    assert both == pytest.approx(energy_after(back, front), rel=1e-9)
    assert energy_after(front, back, dict(material="back")) == pytest.approx(energy_after(front), rel=1e-9)
    assert energy_after(dict(material=numpy.int64(1), young=5e6)) == pytest.approx(energy_after(back), rel=1e-6)
    # At the same Young's modulus both moduli of Lame's grow with the ratio or fall with it; no shape keeps its energy.
    assert energy_after(dict(poisson=0.1)) != pytest.approx(own, rel=1e-2)
    assert energy_after(dict(young=2.5e5)) == pytest.approx(0.25 * own, rel=1e-3)
    assert energy_after(front, back, {}) == pytest.approx(own, rel=1e-9)


@pytest.mark.parametrize("mistake", [
    dict(young=-1.0), dict(poisson=0.7), dict(stiffness=0.0), dict(material="steel", young=1e6),
    dict(material=2, young=1e6), dict(material=-1, young=1e6), dict(material=True, young=1e6),
    dict(material=1.0, young=1e6), dict(material=numpy.array([0, 1]), young=1e6),
])
def test_materials_that_cannot_be_are_told(bar_of_two, mistake):
    world = pliant.World(gravity=(0, 0, 0), threads=1)
    body = world.add(bar_of_two)
    before = world.save_state()
    with pytest.raises(pliant.Error, match="material"):
        body.set_material(**mistake)
    assert world.save_state() == before


def test_states_are_of_the_materials_of_their_moment(bar_of_two):
    world = pliant.World(threads=1)
    body = world.add(bar_of_two)
    before = world.save_state()
    body.set_material("front", stiffness=3.0)
    with pytest.raises(pliant.Error, match="nothing was changed"):
        world.restore_state(before)
    body.set_material("front")
    world.restore_state(before)


def speed_of_dice(die, **damping):
    """Root of the mean square speed of dice in the second after they have lain for three, m/s."""
    world = pliant.World(threads=1)
    world.add_plane()
    world.add_box((0.02, 0.6, 0.2), position=(0.3, 0, 0.1))
    turns = numpy.random.default_rng(1).normal(size=(16, 4))
    turns /= numpy.linalg.norm(turns, axis=1, keepdims=True)
    dice = world.add(die, [(0.03 * (i % 4), 0.03 * (i // 4), 0.1) for i in range(16)], rotation=turns,
                     velocity=(2, 0.4, 0), angular_velocity=(30, 10, -20), **damping)
    squared = []
    for step in range(4 * 240):
        for i in range(len(dice)):
            dice.apply_impulse((0, 0, 0), index=i)  # Bullet would have them sleep
        world.step(1 / 240)
        if step >= 3 * 240:
            squared.append((dice.velocity**2).sum(axis=1).mean())
    return numpy.sqrt(numpy.mean(squared))


def test_hard_dice_come_to_rest():
    # They vibrate at 17 kHz and more. Damped by 2 % alone they keep such vibrations for seconds, and tremble.
    die = pliant.reduce(box_surface(0.016, 0.016, 0.016), young=1e9, density=1000, modes=6, dimension=12)
    at_rest = speed_of_dice(die)
    assert at_rest < 2e-4
    assert speed_of_dice(die, damping=(0, 6.4e-6)) > 2 * at_rest


@pytest.mark.parametrize("h", [1 / 240, 1 / 30])
def test_damping_that_is_stated_stays(cube, h):
    world = pliant.World(gravity=(0, 0, 0), threads=1)
    stated, told = world.add(cube, damping=(0, 0)), world.add(cube, position=(1, 0, 0))
    told.set_damping(0, 0)
    for body in (stated, told):
        body.set_deformation(numpy.full(cube.dimension, 1e-3))
    world.step(h, 8)
    assert numpy.allclose(stated.q, told.q, atol=1e-9)


def test_a_forked_process_steps_worlds(cube, tmp_path):
    cube.save(tmp_path / "cube.pliant")
    program = """
import os, pliant
def made():
    world = pliant.World(threads=4)
    world.add_plane()
    return world, world.add(pliant.load("cube.pliant"), [(0.5 * (i % 4), 0.5 * (i // 4), 0.3) for i in range(32)])
there, old = made()
there.step(1 / 240, 60)
child = os.fork()
there.step(1 / 240, 60)
if child == 0:
    world, new = made()
    world.step(1 / 240, 120)
    os._exit(0 if new.q.tobytes() == old.q.tobytes() else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=120, check=True)


def test_complex_numbers_are_no_places(cube):
    world, body = dropped(cube, 1)
    with pytest.raises(TypeError):
        body.place((1j, 0, 0))
    with pytest.raises(TypeError):
        body.place("here")


def test_index_of_no_body(cube):
    _, bodies = dropped(cube, 2)
    assert len(bodies) == 2
    assert bodies.strain_energy(-1) == bodies.strain_energy(1)
    with pytest.raises(IndexError):
        bodies.strain_energy(2)


def test_pictures_that_cannot_be_are_errors_alone(cube, tmp_path, capfd):
    world, _ = dropped(cube, 1)
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("picture.gif", "nowhere/picture.png", "pipe.png"):
        with pytest.raises(pliant.Error, match="cannot write the picture"):
            world.picture(tmp_path / name, width=32, height=32)
    assert capfd.readouterr().err == ""
    assert (tmp_path / "pipe.png").is_fifo()  # /dev/null would be a picture from then on


def test_picture_shows_what_moves(cube, tmp_path):
    world, bodies = dropped(cube, 4)
    before = world.picture(tmp_path / "before.png", width=320, height=180)
    assert before.shape == (180, 320, 3) and before.dtype == numpy.uint8
    assert (tmp_path / "before.png").stat().st_size > 1000
    assert before.std() > 10
    view = dict(width=320, height=180, eye=(0.8, -2.5, 1), target=(0.8, 0, 0.2))
    first = world.picture(**view)
    assert numpy.array_equal(first, world.picture(**view))
    world.step(1 / 240, 240)
    assert not numpy.array_equal(first, world.picture(**view))
    world.add_box((0.3, 0.3, 0.3), position=(0.8, -1, 0.15))
    assert (world.picture(**view) != first).any()
