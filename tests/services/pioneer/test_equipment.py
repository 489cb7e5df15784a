"""Any commands in any order, whatever they carry, and clients that leave in the middle: the robot is as new for the next one."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobilesim_py.geometry import Pose
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import encode

from .conftest import Stand, last_sip

FATAL = {Command.OPEN, Command.CLOSE, Command.SIM_EXIT, Command.RESET, Command.MAINTENANCE, Command.SIM_CTRL}
NUMBERS = sorted({int(command) for command in Command} - {int(command) for command in FATAL} - {0, 1, 2})
ARGUMENTS = st.one_of(
    st.just(b""),
    st.builds(
        lambda sign, value: bytes((sign,)) + value.to_bytes(2, "little"), st.sampled_from((0x3B, 0x1B)), st.integers(0, 300)
    ),
    st.binary(max_size=30),
    st.binary(max_size=20).map(lambda data: bytes((0x2B, len(data))) + data),
)
SEQUENCES = st.lists(st.tuples(st.sampled_from(NUMBERS), ARGUMENTS, st.integers(0, 3)), max_size=25)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEQUENCES)
def test_no_commands_are_too_strange(sequence: list[tuple[int, bytes, int]]) -> None:
    bench = Stand("--nomap", "-r", "p3dx-equipped", "--aux2", "loop", "--aux3", "gps")
    robot = bench.robots[0]
    can = bench.program.add(bench.program.catalogue.find("can"), "can", Pose(0.303, 0.0, 0.0))
    modem = bench.connect()
    for number, argument, steps in sequence:
        modem.send(encode(number, argument))
        bench.step(steps)
    modem.hang_up()
    modem = bench.connect()
    sip = last_sip(bench, modem)
    gripper = modem.session.equipment.gripper
    assert gripper is not None
    assert (gripper.is_open, gripper.held, can.ghost, modem.session.streams.wanted) == (True, None, False, {})
    assert (sip.digital_out & 0xF0, robot.velocity, bench.simulation.calibration.robots) == (0xF0, (0.0, 0.0, 0.0), {})
