"""Benchmarks of Oz robots: their cost with all sensors, their pictures, and large fields."""

from __future__ import annotations

import time
from functools import partial

from benchmarks.inside import engine_named, repeat
from benchmarks.workshop import Workshop
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.field.plan import FieldPlan
from mobilesim_py.formats.field.planting import plant
from mobilesim_py.protocols.naio import encode
from mobilesim_py.protocols.naio.hardware_packets import HaMotors
from mobilesim_py.services.oz.pictures import take_pictures
from mobilesim_py.testing import NaioClient, NullModem, Stand
from mobilesim_py.world.grid import Grid

FIELD = "leeks.field"
FEW, MANY = 1, 50
DRIVE = encode(HaMotors(30, 40))
STEPS = 25
MANY_PLANTS = FieldPlan(rows=100, length=200.0, spacing=0.2)


def oz(shop: Workshop) -> None:
    """Measure robots with clients, a pair of pictures, and a field of 100 000 plants."""
    for engine in shop.engines:
        shop.say(f"{engine} engine, Oz")
        for key, count in (("oz", FEW), ("oz50", min(MANY, shop.sizes.many))):
            shop.found(key, engine, _cost(shop, engine, count))
        shop.found("oz_stereo", engine, 1000.0 / repeat(partial(_paint, stand_with_oz(engine, 1)), shop.sizes.busy_seconds))
    shop.found("oz_plants", shop.engines[0], _load())


def stand_with_oz(engine: str, count: int) -> Stand:
    """Return a stand with robots whose clients listen to everything but pictures."""
    stand = Stand("-m", FIELD, *["-r", "oz"] * count, "--no-gui")
    stand.program.use_engine(engine_named(engine))
    for robot in stand.robots:
        # Not all at one place: they drive in circles beside the field.
        robot.place(-1.5 - 1.5 * (robot.serial % 10), 6.0 + 1.5 * (robot.serial // 10), 0.0)
        _call(stand, 5549 + 10 * (stand.robots.index(robot) + 1))
    return stand


def _call(stand: Stand, port: int) -> NullModem:
    return stand.doors.connect(stand.doors.at(port), NaioClient, keeps=False)


def _cost(shop: Workshop, engine: str, count: int) -> float:
    """Return milliseconds of processor time for each robot and simulated second, clients that send at 50 Hz included."""
    stand = stand_with_oz(engine, count)
    clients = [modem for modems in stand.doors._modems.values() for modem in modems]

    def work() -> None:
        for _ in range(STEPS):
            for client in clients:
                client.send(DRIVE)
            stand.step()

    simulated = STEPS * stand.simulation.dt
    return 1000.0 / repeat(work, shop.sizes.busy_seconds) / simulated / count


def _paint(stand: Stand) -> None:
    robot = stand.robots[0]
    robot.place(3.0, 0.0, 0.0)
    assert take_pictures(robot) is not None


def _load() -> float:
    """Return the seconds that planting 100 000 plants and making them a world to drive in takes."""
    began = time.process_time()
    world = plant(MANY_PLANTS)
    Simulation(world, grid=Grid.build(world.segments))
    assert len(world.plants) >= 100_000
    return time.process_time() - began
