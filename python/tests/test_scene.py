# SPDX-License-Identifier: Zlib
import pliant
import pytest



def test_a_scene_falls_and_is_drawn(media, tmp_path):
    scene = pliant.Scene(media / "scenes" / "smoke.yaml", models=tmp_path / "models", threads=1)
    (bodies,) = [b for b in scene.bodies.values() if len(b) > 0][:1]
    heights = bodies.position[:, 2]
    before = heights.copy()
    steps = 0
    while scene.time < 0.25:
        scene.step()
        steps += 1
    assert scene.time == pytest.approx(steps * scene.step_length)
    assert (heights < before).any()
    picture = scene.picture(tmp_path / "scene.png", width=320, height=180)
    assert picture.shape == (180, 320, 3) and picture.std() > 10
    with pytest.raises(KeyError, match="nobody"):
        scene.number("nobody.position.z")


def test_models_of_files_are_called_like_them(cube, tmp_path):
    cube.save(tmp_path / "cube.pliant")
    path = tmp_path / "scene.yaml"
    path.write_text("bodies: [{model: cube.pliant}]\n")
    assert list(pliant.Scene(path, models=tmp_path / "models").bodies) == ["cube"]


def test_models_are_kept_for_the_next_time(media, tmp_path):
    stages = []
    for _ in range(2):
        stages.append([])
        pliant.Scene(media / "scenes" / "smoke.yaml", models=tmp_path / "models",
                     progress=lambda stage, share: stages[-1].append(stage))
    assert "polynomials" in stages[0] and not stages[1]


def test_mistakes_of_the_file_are_told(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("bodys: []\n")
    with pytest.raises(pliant.Error, match=r"wrong.yaml:1.*bodys"):
        pliant.Scene(path)
    with pytest.raises(pliant.Error, match="nowhere.yaml"):
        pliant.Scene("nowhere.yaml")
    path.write_text("variables: {mass: 1}\nrigid: [{shape: sphere, radius: 1, mass: = mass}]\n")
    with pytest.raises(pliant.Error, match='"mass" is given no finite number'):
        pliant.Scene(path, variables={"mass": float("nan")})
    path.write_text("variables: {mass: 1, twice: = 2 * mass}\nrigid: [{shape: sphere, radius: 1, mass: = twice}]\n")
    with pytest.raises(pliant.Error, match='"mass" is given no finite number'):  # and not what a formula makes of it
        pliant.Scene(path, variables={"mass": float("inf")})
