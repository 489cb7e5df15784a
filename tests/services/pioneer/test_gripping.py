"""The gripper as its clients command and read it, and a run in which a robot finds a can, grips it, carries it and puts it down."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.core.robot import BoxBody
from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.services.pioneer.stick import axis_units

from .conftest import Make, NullModem, Stand, last_sip, tell

OPEN, CLOSE, UP, DOWN, STORE, DEPLOY, HALT, PRESSURE, CARRY = 1, 2, 4, 5, 7, 8, 15, 16, 17
PADDLES_MOVE, LIFT_MOVES = 0x04, 0x40


def gripping(stand: Make, *words: str) -> tuple[Stand, NullModem]:
    bench = stand("--nomap", "-r", "p3dx-sh-gripper", "--no-noise", *words)
    return bench, bench.connect()


def can_at(bench: Stand, x: float, y: float = 0.0) -> BoxBody:
    can = bench.program.add(bench.program.catalogue.find("can"), "can", Pose(x, y, 0.0))
    assert isinstance(can, BoxBody)
    return can


def switches(bench: Stand, modem: NullModem) -> int:
    tell(modem, Command.GRIPPERPACREQUEST, 1)
    bench.step()
    (packet,) = modem.take(0xE0)
    assert packet.data[0] == 1
    return packet.data[1]


def test_config_tells_of_a_gripper(stand: Make) -> None:
    _, modem = gripping(stand)
    tell(modem, Command.CONFIG)
    assert unpack_config(modem.take(0x20)[0]).has_gripper == 1


def test_a_robot_without_a_gripper_says_so(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    tell(modem, Command.GRIPPER, OPEN)
    tell(modem, Command.GRIPPERPACREQUEST, 1)
    tell(modem, Command.GRIPPER, PRESSURE)
    tell(modem, Command.GRIPPERVAL, 3)
    bench.step()
    assert modem.take(0xE0)[0].data == bytes(3)
    assert bench.logged("no gripper") == 1


def test_its_lines_and_states_from_open_to_grasped(stand: Make) -> None:
    bench, modem = gripping(stand)
    assert (last_sip(bench, modem).digital_in, switches(bench, modem)) == (0xF0, 0x30)
    can_at(bench, bench.robots[0].pose.x + 0.303)
    assert (last_sip(bench, modem).digital_in, switches(bench, modem)) == (0xFC, 0x3C)
    tell(modem, Command.GRIPPER, CLOSE)
    bench.run(1.0)
    sip = last_sip(bench, modem)
    assert (sip.gripper & PADDLES_MOVE, sip.analog_port & PADDLES_MOVE) == (PADDLES_MOVE, PADDLES_MOVE)
    assert switches(bench, modem) == 0xBD
    bench.run(4.0)
    sip = last_sip(bench, modem)
    assert (sip.digital_in, sip.gripper & 0x0F) == (0xCD, 0x02)
    assert switches(bench, modem) == 0x0D


def test_the_second_byte_is_the_analog_port_once_one_was_chosen(stand: Make) -> None:
    bench, modem = gripping(stand)
    assert last_sip(bench, modem).analog_port == last_sip(bench, modem).gripper == 0x21
    tell(modem, Command.ADSEL, 4)
    assert last_sip(bench, modem).analog_port == 4


def test_store_deploy_and_halt(stand: Make) -> None:
    bench, modem = gripping(stand)
    gripper = modem.session.equipment.gripper
    assert gripper is not None
    tell(modem, Command.GRIPPER, STORE)
    bench.run(1.0)
    assert last_sip(bench, modem).gripper & (PADDLES_MOVE | LIFT_MOVES) == PADDLES_MOVE | LIFT_MOVES
    tell(modem, Command.GRIPPER, HALT)
    assert last_sip(bench, modem).gripper == 0
    tell(modem, Command.GRIPPER, STORE)
    bench.run(6.0)
    assert (gripper.is_closed, gripper.is_up) == (True, True)
    tell(modem, Command.GRIPPER, DEPLOY)
    bench.run(6.0)
    assert (gripper.is_open, gripper.is_down) == (True, True)
    tell(modem, Command.GRIPPER, 0)
    assert last_sip(bench, modem).gripper == 0x21


def test_pressure_and_carry_times(stand: Make) -> None:
    bench, modem = gripping(stand)
    gripper = modem.session.equipment.gripper
    assert gripper is not None
    modem.send(bytes.fromhex("fafb06213b100031 3b") + bytes.fromhex("fafb06243b140038 3b"))
    tell(modem, Command.GRIPPERPACREQUEST, 1)
    bench.step()
    assert modem.take(0xE0)[0].data[2] == 20
    tell(modem, Command.GRIPPER, CARRY)
    tell(modem, Command.GRIPPERVAL, 50)
    bench.run(3.0)
    assert gripper.height == pytest.approx(0.02)
    modem.send(bytes.fromhex("fafb06213b1100323b"), bytes.fromhex("fafb06241b19003d1b"))
    bench.run(3.0)
    assert gripper.height == pytest.approx(0.01)


def test_a_client_that_leaves_in_the_middle_of_a_grip_leaves_a_gripper_as_new(stand: Make) -> None:
    bench, modem = gripping(stand)
    can = can_at(bench, 0.303)
    tell(modem, Command.GRIPPER, CLOSE)
    bench.run(5.0)
    assert can.ghost
    modem.hang_up()
    modem = bench.connect()
    assert (can.ghost, last_sip(bench, modem).digital_in) == (False, 0xFC)


def test_a_robot_finds_a_can_by_its_laser_grips_lifts_and_carries_it_two_metres_and_puts_it_down(stand: Make) -> None:
    bench, modem = gripping(stand)
    robot = bench.robots[0]
    robot.place(0.0, 0.0, 0.3)
    can = can_at(bench, 1.5, 0.2)
    for command, value in ((36, -90), (37, 90), (38, 50), (35, 1)):
        modem.send(client.command(command, value))
    bench.step(2)
    # The nearest reading says where the can is.
    ranges = robot.laser
    nearest = int(ranges.argmin())
    laser = robot.lasers[0]
    bearing, distance = laser.start + nearest * laser.increment, float(ranges[nearest])
    assert distance < 2.0
    tell(modem, Command.GRIPPER, OPEN)
    x = laser.model.pose.x + distance * math.cos(bearing)
    y = distance * math.sin(bearing)
    tell(modem, Command.DHEAD, round(math.degrees(math.atan2(y, x))))
    bench.run(3.0)
    for _ in range(400):
        if last_sip(bench, modem).digital_in & 0x08:
            break
        tell(modem, Command.VEL, 60)
    tell(modem, Command.VEL, 0)
    bench.run(1.0)
    tell(modem, Command.GRIPPER, CLOSE)
    bench.run(6.0)
    assert last_sip(bench, modem).gripper & 0x0F == 0x02
    tell(modem, Command.GRIPPER, UP)
    bench.run(4.0)
    assert last_sip(bench, modem).gripper == 0x12
    begin, start = can.pose, robot.pose
    tell(modem, Command.MOVE, 2000)
    bench.run(12.0)
    tell(modem, Command.GRIPPER, DOWN)
    bench.run(4.0)
    tell(modem, Command.GRIPPER, OPEN)
    bench.run(6.0)
    tell(modem, Command.MOVE, -500)
    bench.run(6.0)
    wanted = (begin.x + 2.0 * math.cos(start.heading), begin.y + 2.0 * math.sin(start.heading))
    assert math.hypot(can.pose.x - wanted[0], can.pose.y - wanted[1]) < 0.05
    assert last_sip(bench, modem).digital_in & 0x0C == 0


def test_an_axis_of_a_joystick_has_its_middle_at_512() -> None:
    assert [axis_units(share) for share in (-1.0, 0.0, 0.5, 1.0)] == [0, 512, 768, 1023]
