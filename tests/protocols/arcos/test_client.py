"""What a client sends is what ARIA was seen to send, and is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation, Instruction, WirePose, decode
from mobilesim_py.protocols.arcos.packet import PacketReader


def understood(data: bytes) -> Instruction:
    (packet,) = PacketReader().feed(data)
    return decode(packet)


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        (client.SYNCS[1], "fafb03010001"),
        (client.OPEN, "fafb06013b0100023b"),
        (client.CLOSE, "fafb06023b0100033b"),
        (client.command(Command.STOP), "fafb031d001d"),
        (client.command(Command.CONFIG, 1), "fafb06123b0100133b"),
        (client.command(36, -90), "fafb06241b5a007e1b"),
        (client.two_byte_command(31, 11, 1), "fafb061f3b010b2046"),
        (client.text_command(Command.SIM_MESSAGE, "hello"), "fafb0bee2b0568656c6c6f00c56e"),
        (client.set_pose(WirePose(1000, -2000, 90)), "fafb10e000e803000030f8ffff5a00000052fa"),
    ],
)
def test_a_command_has_the_bytes_that_were_seen(sent: bytes, seen: str) -> None:
    assert sent.hex() == seen


@given(st.integers(-32768, 32767))
def test_an_integer_arrives_with_its_sign(value: int) -> None:
    assert understood(client.command(Command.VEL, value)).value == value


@given(st.integers(-128, 127), st.integers(-128, 127))
def test_wheel_speeds_arrive_with_their_signs(left: int, right: int) -> None:
    assert understood(client.two_byte_command(Command.VEL2, left, right)).wheel_speeds() == (left, right)


def test_a_control_operation_arrives_with_or_without_a_file_name() -> None:
    load = understood(client.control(ControlOperation.LOAD_MAP, "büro.map")).control()
    assert (load.operation, load.file_name) == (ControlOperation.LOAD_MAP, "büro.map")
    assert understood(client.control(ControlOperation.SIM_INFO)).control().operation == ControlOperation.SIM_INFO


def test_a_request_for_device_data_is_understood() -> None:
    device = understood(client.device_request("gps", 2)).device()
    assert (device.wanted, device.type, device.index) == (True, "gps", 2)
