"""Arguments are understood as real clients send them, and no bytes are too strange."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.arcos.commands import TABLE, Command, command_table
from mobilesim_py.protocols.arcos.instruction import Control, ControlOperation, DeviceRequest, Instruction, WirePose, decode
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader


def instruction(command: int, data: str | bytes = b"") -> Instruction:
    return decode(Packet(command, bytes.fromhex(data) if isinstance(data, str) else data))


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("3bc800", 200),
        ("1bc800", -200),
        ("1b0080", -32768),
        ("3b38ff", -200),  # two's complement behind a positive type byte
        ("3b0080", -32768),
        ("3bff7f", 32767),
        ("3b05", 5),
        ("1b05", -5),
        ("3b", None),
        ("", None),
        ("2b6400", 100),
        ("006400", 100),
    ],
)
def test_an_integer_argument_has_its_sign_and_may_be_short_or_missing(data: str, value: int | None) -> None:
    assert instruction(Command.VEL, data).value == value


def test_a_missing_integer_reads_as_the_default() -> None:
    assert instruction(Command.SIM_STAT).integer(default=1) == 1
    assert instruction(Command.SIM_STAT, "3b0200").integer(default=1) == 2


def test_deceleration_is_told_from_acceleration_even_when_zero() -> None:
    assert instruction(Command.SETA, "1b0000").is_negative
    assert not instruction(Command.SETA, "3b0000").is_negative
    assert instruction(Command.SETA, "1b2c01").magnitude() == 300


@pytest.mark.parametrize(
    ("data", "speeds"),
    [
        ("3b0a0a", (10, 10)),
        ("3b050a", (10, 5)),
        ("3bf60a", (10, -10)),
        ("3bf6f6", (-10, -10)),
        ("1bfb04", (-5, 5)),  # 0xFB05 as a negated int, as ARIA sends it
        ("1b0a0a", (-11, -10)),  # 0xF5F6 as a negated int
        ("3b0000", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_wheel_speeds_are_signed_bytes_also_in_the_negated_form(data: str, speeds: tuple[int, int]) -> None:
    assert instruction(Command.VEL2, data).wheel_speeds() == speeds


def test_digital_outputs_have_mask_and_state() -> None:
    assert instruction(Command.DIGOUT, "3ba0f0").high_and_low_byte() == (0xF0, 0xA0)


@pytest.mark.parametrize(
    ("data", "pose"),
    [
        ("", WirePose(0, 0, 0)),
        ("3b0000", WirePose(0, 0, 0)),
        ("3be80330f85a00", WirePose(1000, -2000, 90)),
    ],
)
def test_odometry_is_reset_or_set(data: str, pose: WirePose) -> None:
    assert instruction(Command.SETO, data).odometry() == pose


def test_the_true_pose_is_read_whatever_its_type_byte() -> None:
    for type_byte in ("00", "3b", "2b"):
        data = type_byte + "e803000030f8ffff5a000000"
        assert instruction(Command.SIM_SET_POSE, data).pose() == WirePose(1000, -2000, 90)


def test_a_true_pose_that_is_not_all_there_is_none() -> None:
    assert instruction(Command.SIM_SET_POSE, "00e803000030f8ffff5a0000").pose() is None


def test_the_historic_way_to_send_a_pose_is_read_as_some_pose() -> None:
    high_words_first = "2b" + "0000e803" + "ffff30f8" + "00005a00"
    assert instruction(Command.SIM_SET_POSE, high_words_first).pose() == WirePose(1000 << 16, -131_006_465, 90 << 16)


def test_a_laser_command_may_say_which_laser() -> None:
    assert instruction(Command.SIM_LRF_ENABLE, "3b020001").laser_index() == 1
    assert instruction(Command.SIM_LRF_ENABLE, "3b0200").laser_index() == 0
    assert instruction(Command.SIM_LRF_SET_FOV_START, "1b5a00").value == -90


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x2b\x05hello\0", "hello"),
        (b"\x2b\x05hello", "hello"),
        (b"\x2b\x06hello\0", "hello"),
        (b"\x2b\xc8hello", "hello"),
        (b"\x2b\x03hello", "hel"),
        (b"\x2b\x00hello", ""),
        (b"\x2b", ""),
        (b"", ""),
        ("\x2b\x06grüße".encode(), "grüß"),
        (b"\x2b\x05gr\xfc\xdfe", "grüße"),
    ],
)
def test_a_string_ends_where_its_length_or_its_nul_says(data: bytes, text: str) -> None:
    assert instruction(Command.SIM_MESSAGE, data).text() == text


def test_the_string_for_a_serial_port_is_kept_byte_for_byte() -> None:
    assert instruction(Command.TTY2, b"\x2b\x04a\0b\xff").string() == b"a\0b\xff"


def test_the_three_codes_of_a_message_are_no_text() -> None:
    assert instruction(Command.MESSAGE, b"\x2b\x08abcWorld").text() == "World"


def test_a_map_name_is_read_with_either_length() -> None:
    for length in (b"\x0c\x00", b"\x0d\x00"):
        argument = b"\x2b\x01\x00" + length + b"columbia.map" + bytes(116)
        assert instruction(Command.SIM_CTRL, argument).control().file_name == "columbia.map"


def test_a_map_name_ends_where_its_length_says() -> None:
    assert instruction(Command.SIM_CTRL, b"\x2b\x01\x00\x05\x00a.mapxyz").control().file_name == "a.map"


def test_a_control_operation_without_more_is_read() -> None:
    assert instruction(Command.SIM_CTRL, "3b0600").control() == Control(ControlOperation.SIM_INFO)


def test_a_control_operation_may_be_missing_or_unknown() -> None:
    assert instruction(Command.SIM_CTRL).control().operation == 0
    assert instruction(Command.SIM_CTRL, "3b6300").control().operation == 99


def test_the_text_of_a_state_log_ends_at_its_nul() -> None:
    control = instruction(Command.SIM_CTRL, b"\x2b\x05\x00why\0" + b"\xcc" * 100).control()
    assert (control.operation, control.text) == (ControlOperation.LOG_STATE, "why")


def test_an_instruction_knows_its_number_and_name() -> None:
    assert (instruction(11).number, instruction(11).name) == (11, "VEL")


def test_the_table_given_decides_what_a_number_means() -> None:
    assert decode(Packet(62), command_table(srisim_compat=True)).name == "OLD_END_SIM"
    assert decode(Packet(62)).name == "BATTERYINFO"


@given(st.integers(0, 255), st.binary(max_size=204))
def test_no_bytes_are_too_strange(number: int, data: bytes) -> None:
    it = decode(Packet(number, data), TABLE)
    assert -65535 <= it.integer() <= 32767
    assert all(-128 <= speed <= 127 for speed in it.wheel_speeds())
    assert all(0 <= byte <= 255 for byte in (*it.high_and_low_byte(), it.laser_index()))
    assert isinstance(it.odometry(), WirePose)
    assert it.pose() is None or isinstance(it.pose(), WirePose)
    assert "\0" not in it.text() + it.control().text + it.control().file_name
    assert len(it.string()) <= len(data)


@pytest.mark.parametrize(
    ("recording", "number", "texts"),
    [("messages", 238, ["hello from client"]), ("messages", 59, ["World"]), ("messages", 60, ["tty4"])],
)
def test_recorded_texts_are_read(
    recorded: Callable[..., list[bytes]], recording: str, number: int, texts: list[str]
) -> None:
    packets = PacketReader().feed(b"".join(recorded("tx", recording, number)))
    assert [decode(packet).text() for packet in packets] == texts


def test_recorded_map_names_are_read(recorded: Callable[..., list[bytes]]) -> None:
    packets = PacketReader().feed(b"".join(recorded("tx", "map_change", Command.SIM_CTRL)))
    names = {decode(packet).control().file_name for packet in packets}
    assert names == {"AMROffice.map", "columbia.map", "nonexistent.map", "amroffice.MAP", ""}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("2b01 67707300 00 0300", DeviceRequest(True, "gps", 3)),  # The struct of testMobileSim, padded by its compiler.
        ("2b01 67707300 0300", DeviceRequest(True, "gps", 3)),
        ("2b00 67707300 0000", DeviceRequest(False, "gps", 0)),
        ("2b01 6770", DeviceRequest(True, "gp", 0)),
        ("", DeviceRequest(False, "", 0)),
    ],
)
def test_a_request_for_device_data_says_of_which_device(data: str, expected: DeviceRequest) -> None:
    assert instruction(Command.SIM_DEVICE_DATA, data).device() == expected
