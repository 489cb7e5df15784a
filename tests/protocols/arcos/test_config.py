"""The CONFIG packet has the original's layout."""

from __future__ import annotations

from collections.abc import Callable

from mobilesim_py.protocols.arcos.config import Config, pack_config, unpack_config
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader


def read(packet: bytes) -> Config:
    (only,) = PacketReader().feed(packet)
    return unpack_config(only)


def test_every_recorded_config_is_read_and_written_back_byte_for_byte(recorded: Callable[..., list[bytes]]) -> None:
    configs = recorded("rx", None, 0x20)
    assert len(configs) > 40
    assert [pack_config(read(packet)) for packet in configs] == configs


def test_a_config_that_ends_early_reads_as_zeros() -> None:
    assert unpack_config(Packet(0x20, b"Pioneer\0p3dx\0SIM\0\0\x64")).rotation_speed_top == 100
    assert unpack_config(Packet(0x20, b"Pioneer\0p3dx\0SIM")).speed_top == 0


def test_names_are_cut_so_that_the_packet_is_legal() -> None:
    config = read(pack_config(Config(robot_class="c" * 300, subclass="n" * 300)))
    assert (len(config.subclass), config.firmware_version) == (40, "S.0")
