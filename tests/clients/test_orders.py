"""What a robot is told, as commands of the wire."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from mobilesim_py.clients.orders import Orders
from mobilesim_py.errors import UsageError
from mobilesim_py.protocols.arcos.measured import Units
from mobilesim_py.protocols.arcos.named_command import named_command


class Notes(Orders):
    """Takes down what is sent."""

    def __init__(self, simulated: bool = True) -> None:
        self.sent: list[tuple[Any, ...]] = []
        self.span: tuple[float, float] | None = None
        self._simulated = simulated

    def command(self, name: str | int, *arguments: Any) -> None:
        named_command(name, *arguments)  # It has to fit the table.
        self.sent.append((name, *arguments))

    @property
    def units(self) -> Units:
        return Units()

    @property
    def is_simulated(self) -> bool:
        return self._simulated

    def expect_scans(self, start: float, increment: float) -> None:
        self.span = (start, increment)


ORDERS: list[tuple[Callable[[Orders], None], list[tuple[Any, ...]]]] = [
    (lambda robot: robot.motors(), [("ENABLE", 1)]),
    (lambda robot: robot.motors(False), [("ENABLE", 0)]),
    (lambda robot: robot.drive(0.3), [("VEL", 300)]),
    (lambda robot: robot.drive(-1e9), [("VEL", -32768)]),
    (lambda robot: robot.turn(math.pi / 2), [("RVEL", 90)]),
    (lambda robot: robot.slide(-0.1), [("LATVEL", -100)]),
    (lambda robot: robot.roll(0.2, -0.1), [("VEL2", 10, -5)]),
    (lambda robot: robot.roll(99.0, -99.0), [("VEL2", 127, -128)]),
    (lambda robot: robot.move(1.5), [("MOVE", 1500)]),
    (lambda robot: robot.head(1.5 * math.pi), [("HEAD", -90)]),
    (lambda robot: robot.turn_by(-math.pi), [("DHEAD", -180)]),
    (lambda robot: robot.stop(), [("STOP",)]),
    (lambda robot: robot.emergency_stop(), [("ESTOP",)]),
    (lambda robot: robot.limit(speed=0.4, rotation=math.pi / 6), [("SETV", 400), ("SETRV", 30)]),
    (lambda robot: robot.limit(), []),
    (lambda robot: robot.set_odometry_zero(), [("SETO",)]),
    (lambda robot: robot.sonar_on(False), [("SONAR", 0)]),
    (lambda robot: robot.laser_off(), [("OLD_LRF_ENABLE", 0)]),
    (lambda robot: robot.place(1.0, -2.0, math.pi), [("SIM_SET_POSE", 1000, -2000, 180)]),
    (lambda robot: robot.ask_sim_stat(), [("SIM_STAT", 1)]),
    (lambda robot: robot.ask_sim_stat(always=True), [("SIM_STAT", 2)]),
    (lambda robot: robot.ask_sim_info(), [("SIM_CTRL", 6)]),
]


@pytest.mark.parametrize(("order", "sent"), ORDERS)
def test_an_order_is_a_command(order: Callable[[Orders], None], sent: list[tuple[Any, ...]]) -> None:
    robot = Notes()
    order(robot)
    assert robot.sent == sent


def test_a_simulated_laser_is_set_and_switched_on_and_its_angles_are_remembered() -> None:
    robot = Notes()
    robot.laser_on(-60.0, 60.0, 0.5)
    assert [command[1] for command in robot.sent] == [-60, 60, 50, 2]
    assert robot.span == (math.radians(-60.0), math.radians(0.5))


def test_a_real_robot_is_never_sent_what_means_something_else_to_it() -> None:
    robot = Notes(simulated=False)
    with pytest.raises(UsageError, match="a real one"):
        robot.laser_on()
    robot.laser_off()
    assert robot.sent == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_told(value: float) -> None:
    robot = Notes()
    for order in (robot.drive, robot.move, robot.head, robot.turn, robot.slide, robot.turn_by):
        with pytest.raises(UsageError, match="cannot be told"):
            order(value)
    with pytest.raises(UsageError):
        robot.roll(0.0, value)
    with pytest.raises(UsageError):
        robot.place(0.0, value)
    assert robot.sent == []
