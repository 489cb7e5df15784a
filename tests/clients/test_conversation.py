"""What a client knows: the newest of everything, in metres and radians."""

from __future__ import annotations

import math

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.clients.conversation import Conversation, as_units, units_of
from mobilesim_py.protocols.arcos.client_connection import Connected
from mobilesim_py.protocols.arcos.config import CONFIG, Config
from mobilesim_py.protocols.arcos.connection import Identity
from mobilesim_py.protocols.arcos.laser import LaserPacket
from mobilesim_py.protocols.arcos.measured import LaserScan, Sip, Units
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.received import read
from mobilesim_py.protocols.arcos.simulator import SimInfo, WireSimStat
from tests.conformance.recording import load, names


def packet_of(data: bytes) -> Packet:
    return PacketReader().feed(data)[0]


def test_units_are_those_of_the_model_unless_they_are_given() -> None:
    identity = Identity("MobileSim", "Pioneer", "amigo")
    usual, given = Conversation(), Conversation(Units(distance=2.0))
    for conversation in (usual, given):
        conversation.begin(Connected(identity, None))
    assert usual.units == units_of("amigo") != Units()
    assert given.units == Units(distance=2.0)


def test_a_model_that_nobody_knows_has_the_usual_units() -> None:
    assert units_of("shopping-trolley") == Units()


def test_an_angle_that_a_file_rounds_is_a_part_of_a_turn() -> None:
    conversion = Catalogue.load().find("p3dx").pioneer.conversion
    assert as_units(conversion).angle == math.tau / 4096.0


def test_the_last_packet_of_a_scan_brings_the_scan() -> None:
    conversation = Conversation()
    conversation.laser_span = (-1.0, 0.5)
    first = packet_of(LaserPacket(3, 0, (1000, 2000), (0, 0)).encode())
    last = packet_of(LaserPacket(3, 2, (3000,), (32,)).encode())
    assert [type(message) for message in conversation.understand(first)] == [LaserPacket]
    assert [type(message) for message in conversation.understand(last)] == [LaserPacket, LaserScan]
    assert conversation.scan is not None
    assert conversation.scan.ranges.tolist() == [1.0, 2.0, 3.0]
    assert conversation.scan.angles.tolist() == [-1.0, -0.5, 0.0]


def test_who_wants_to_be_told_is_told_until_he_does_not() -> None:
    conversation = Conversation()
    heard: list[object] = []
    end = conversation.subscribe(int, heard.append)
    conversation.tell(1)
    conversation.tell("two")
    end()
    end()
    conversation.tell(3)
    assert heard == [1]


def test_a_new_session_follows_odometry_anew() -> None:
    conversation = Conversation(Units())
    near_the_end = Packet(0x32, (32767).to_bytes(2, "little") + bytes(32))
    beyond = Packet(0x32, (3).to_bytes(2, "little") + bytes(32))
    conversation.understand(near_the_end)
    (sip,) = conversation.understand(beyond)
    assert isinstance(sip, Sip)
    assert sip.pose.x == pytest.approx(0.003)
    conversation.understand(Packet(0x32, (16000).to_bytes(2, "little") + bytes(32)))
    conversation.start_over()
    (sip,) = conversation.understand(Packet(0x32, (32000).to_bytes(2, "little") + bytes(32)))
    assert isinstance(sip, Sip)
    assert sip.pose.x == pytest.approx(-0.768)


@pytest.mark.parametrize("name", names("handshake_*")[::6] + ["simstat", "siminfo", "laser_default_room", "factory"])
def test_what_the_original_said_is_understood(name: str) -> None:
    """Nothing that was recorded stays a packet that nobody can read, and it is what its fields say."""
    recording = load(name)
    for client in recording.clients:
        conversation = Conversation()
        for packet in recording.packets(client)[3:]:
            messages = conversation.understand(packet)
            assert messages
            assert not isinstance(messages[0], Packet), f"id {packet.id:#x}"
            if isinstance(messages[0], Sip):
                assert 0.0 <= messages[0].battery < 100.0
                assert all(0.0 <= echo < 60.0 for echo in messages[0].sonar.values())
            if packet.id == CONFIG:
                assert conversation.config == read(packet)
                assert isinstance(conversation.config, Config)
                assert conversation.config.serial_number == "SIM"
        assert conversation.sip is not None
        if name == "simstat":
            assert isinstance(conversation.sim_stat, WireSimStat)
        if name == "siminfo":
            assert isinstance(conversation.sim_info, SimInfo)
        if name == "laser_default_room":
            assert conversation.scan is not None
            assert 0.0 < conversation.scan.ranges.min() < conversation.scan.ranges.max() < 33.0
