"""Pairs of cameras: pictures in correct perspective, on demand, the same in both engines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from mobilesim_py.catalogue.model import RobotModel, StereoCameraModel
from mobilesim_py.core.cameras.colour import full_colour, half_colour
from mobilesim_py.core.cameras.optics import eyes_of
from mobilesim_py.core.devices.camera import CAMERA, CameraUnit
from mobilesim_py.core.engines.engine import Engine, NumpyEngine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.geometry import Pose, rectangle
from mobilesim_py.world.boxes import Box
from mobilesim_py.world.obstacles import ByteArray, Segments
from mobilesim_py.world.plants import FACTS, Mounds, PlantKind, Plants
from mobilesim_py.world.world import Bounds, World

MODEL = StereoCameraModel()
ROBOT = RobotModel("carrier", devices=(MODEL,))
BOUNDS = Bounds(-10, -10, 30, 10)


def one_camera(engine: Engine, world: World, pose: Pose = Pose()) -> tuple[Simulation, CameraUnit]:
    simulation = Simulation(world, engine=engine)
    robot = simulation.add_robot(ROBOT, "r", pose)
    (camera,) = robot.units(CAMERA)
    camera.on = True
    return simulation, camera


def reddish(mosaic: ByteArray) -> npt.NDArray[np.bool_]:
    """Tell which pixels of the half picture are red."""
    red, green, blue = (half_colour(mosaic)[..., k].astype(int) for k in range(3))
    return (red > 110) & (red > 3 * green) & (red > 3 * blue)


def foot_of_red(mosaic: ByteArray) -> tuple[float, float]:
    """Return column and row of the lowest red pixels of a picture."""
    rows, columns = np.nonzero(reddish(mosaic))
    lowest = rows.max()
    return float(2.0 * columns[rows >= lowest - 1].mean() + 0.5), 2.0 * float(lowest) + 1.5


@pytest.mark.parametrize("soil", ["dirt", "sand", "grass", "heightmap", ""])
@pytest.mark.parametrize(("x", "y"), [(1.6, 0.0), (2.0, 0.7), (3.0, -1.2), (4.0, 0.4)])
def test_a_stake_is_where_it_is_projected_in_both_pictures(compiled_engine: Engine, soil: str, x: float, y: float) -> None:
    world = World("field", BOUNDS, plants=Plants.build([x], [y], PlantKind.STAKE), soil=soil)
    _, camera = one_camera(compiled_engine, world)
    for picture, eye in zip(camera.pictures, eyes_of(MODEL, Pose()), strict=True):
        u, v, _ = eye.project(np.array([[x, y, 0.0]]))[0]
        assert foot_of_red(picture) == pytest.approx((u, v), abs=2.0)
        top = eye.project(np.array([[x, y, FACTS[PlantKind.STAKE].height]]))[0, 1]
        if top > 2.0:
            assert 2.0 * np.nonzero(reddish(picture))[0].min() + 0.5 == pytest.approx(top, abs=2.0)


@pytest.mark.parametrize(("x", "y"), [(1.2, 0.1), (1.6, 0.0), (2.2, -0.5), (3.0, 0.8)])
def test_disparity_gives_the_distance(compiled_engine: Engine, x: float, y: float) -> None:
    world = World("field", BOUNDS, plants=Plants.build([x], [y], PlantKind.STAKE, radius=0.04), soil="dirt")
    _, camera = one_camera(compiled_engine, world)
    left, right = (_middles(picture) for picture in camera.pictures)
    rows = np.flatnonzero(np.isfinite(left) & np.isfinite(right))
    told = camera.calibration
    depth = told.focal * -told.translation[0] / (left[rows] - right[rows]).mean()
    heights = np.linspace(0.0, FACTS[PlantKind.STAKE].height, 50)
    stake = np.stack([np.full(50, x), np.full(50, y), heights], axis=1)
    _, v, true = eyes_of(MODEL, Pose())[0].project(stake).T
    assert len(rows) > 20
    assert depth == pytest.approx(1.0 / np.interp(rows, v[::-1], 1.0 / true[::-1]).mean(), rel=0.03)


def _middles(mosaic: ByteArray) -> npt.NDArray[np.float64]:
    """Return the middle column of what is red in each row of a picture, NaN where nothing is."""
    red, green, blue = (full_colour(mosaic)[..., k].astype(int) for k in range(3))
    is_red = (red > 110) & (red > 3 * green) & (red > 3 * blue)
    count = is_red.sum(axis=1)
    total = (is_red * np.arange(mosaic.shape[1])).sum(axis=1)
    return np.where(count > 3, total / np.maximum(count, 1), np.nan)


def test_there_is_sky_above_the_horizon_and_soil_below(engine: Engine) -> None:
    _, camera = one_camera(engine, World("field", BOUNDS, soil="dirt"))
    colours = half_colour(camera.pictures[0]).astype(int)
    sky, soil = colours[:50].reshape(-1, 3), colours[60:].reshape(-1, 3)
    assert (sky[:, 2] > sky[:, 0]).all()
    assert (soil[:, 0] > soil[:, 2]).mean() > 0.99
    assert soil.std() > 5.0


def test_a_plant_hides_the_stake_behind_it_and_not_the_one_before_it(engine: Engine) -> None:
    cabbage = Plants.build([2.0], [0.0], PlantKind.CABBAGE, radius=0.3, height=0.8)
    behind, before = (Plants.build([x], [0.0], PlantKind.STAKE, height=0.3) for x in (3.0, 1.5))
    alone, with_hidden, with_seen = (
        one_camera(engine, World("f", BOUNDS, plants=plants))[1].pictures[0]
        for plants in (cabbage, Plants.join(cabbage, behind), Plants.join(cabbage, before))
    )
    assert (with_hidden == alone).all()
    assert (with_seen != alone).any()


def test_walls_and_mounds_hide_what_is_behind_them(engine: Engine) -> None:
    stake = Plants.build([4.0], [0.0], PlantKind.STAKE, height=0.1)
    wall = World("f", BOUNDS, Segments.build([[3.0, -2.0, 3.0, 2.0]]), plants=stake)
    mound = World("f", BOUNDS, plants=stake, mounds=Mounds(np.array([[3.0, -2.0, 3.0, 2.0]]), 0.3, 0.3), soil="dirt")
    free = World("f", BOUNDS, plants=stake)
    assert not reddish(one_camera(engine, wall)[1].pictures[0]).any()
    assert not reddish(one_camera(engine, mound)[1].pictures[0]).any()
    assert reddish(one_camera(engine, free)[1].pictures[0]).any()


def test_other_bodies_are_seen_and_the_carrier_is_not(engine: Engine) -> None:
    simulation, camera = one_camera(engine, World("f", BOUNDS, soil="sand"))
    alone = camera.pictures[0].copy()
    simulation.add_box(Box("b", Pose(2.0, 0.0), rectangle(0.4, 0.4)))
    assert (camera.pictures[0] != alone).sum() > 1000


def test_a_trampled_plant_lies_flat_in_the_picture(engine: Engine) -> None:
    world = World("f", BOUNDS, plants=Plants.build([1.8], [0.0], PlantKind.LEEK), soil="dirt")
    simulation, camera = one_camera(engine, world)
    standing = camera.pictures[0].copy()
    simulation.change_world(world.trampled(np.array([0])))
    changed = np.nonzero((camera.pictures[0] != standing).any(axis=1))[0]
    top = eyes_of(MODEL, Pose())[0].project(np.array([[1.8, 0.0, 0.4]]))[0, 1]
    assert changed.min() == pytest.approx(top, abs=12.0)


def test_nothing_is_painted_unless_somebody_asks(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    painted = []
    paint = engine.paint
    monkeypatch.setattr(engine, "paint", lambda view: painted.append(view) or paint(view))
    simulation, camera = one_camera(engine, World("f", BOUNDS, soil="dirt"))
    simulation.step(10)
    assert painted == []
    _ = camera.pictures, camera.pictures
    assert len(painted) == 2
    camera.on = False
    assert not camera.pictures[0].any()
    assert len(painted) == 2


@pytest.mark.parametrize("seed", range(4))
def test_both_engines_paint_the_same_bits(compiled_engine: Engine, seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 300
    kinds = rng.integers(0, len(PlantKind), count)
    plants = Plants.build(rng.uniform(0, 15, count), rng.uniform(-4, 4, count), kinds, base=0.1 * (seed % 2))
    crests = np.array([[0.5, -1.0, 12.0, -0.5], [0.5, 1.0, 12.0, 1.5]])
    walls = Segments.build([[14.0, -8.0, 14.0, 8.0], [-1.0, 3.0, 14.0, 5.0]])
    world = World(
        "f", BOUNDS, walls, plants=plants, mounds=Mounds(crests, 0.3, 0.1), soil=("dirt", "sand", "grass", "")[seed]
    )
    pose = Pose(float(rng.uniform(-1, 5)), float(rng.uniform(-2, 2)), float(rng.uniform(-3, 3)))
    mosaics = [np.stack(one_camera(engine, world, pose)[1].pictures) for engine in (NumpyEngine(), compiled_engine)]
    assert (mosaics[0] == mosaics[1]).all()
