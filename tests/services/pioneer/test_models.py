"""Every model that there is can be driven: its client gets the name it expects, all its sonar and its laser's scan."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.protocols.arcos.config import unpack_config
from mobilesim_py.protocols.arcos.laser import unpack_laser
from mobilesim_py.protocols.arcos.sip import unpack_sip

from .conftest import Stand

CATALOGUE = Catalogue.load()
ROBOTS = [name for name in CATALOGUE.names() if not CATALOGUE.find(name).is_box]
BOXES = [name for name in CATALOGUE.names() if CATALOGUE.find(name).is_box]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_client_of_any_model_gets_its_sips_scans_and_limits(stand: Callable[..., Stand], name: str) -> None:
    model = CATALOGUE.find(name)
    bench = stand("--nomap", "-r", name, "--no-noise")
    modem = bench.dial()
    modem.send(*client.SYNCS)
    assert modem.take()[2].data.split(b"\0")[1:3] == [model.pioneer.robot_class.encode(), model.pioneer.subclass.encode()]
    modem.send(client.OPEN, client.command(Command.CONFIG), client.command(Command.SIM_LRF_ENABLE, 2))
    config = unpack_config(modem.take(0x20)[0])
    assert config.speed_top > 0
    assert config.rotation_speed_top > 0
    modem.send(client.command(Command.VEL, 100))
    bench.step(10)
    packets = modem.take()
    sips = [unpack_sip(packet) for packet in packets if packet.id in (0x32, 0x33)]
    assert [index for index, _ in sips[-1].sonar] == list(range(len(model.sonar.transducers)))
    assert sips[-1].left_speed > 0
    scans = [unpack_laser(packet) for packet in packets if packet.id == 0x61]
    assert bool(scans) == bool(model.lasers)
    if model.lasers:
        assert scans[0].total == model.lasers[0].samples


@pytest.mark.parametrize("name", BOXES)
def test_a_box_is_there_and_has_no_client(stand: Callable[..., Stand], name: str) -> None:
    bench = stand("--nomap", "-r", "p3dx", "-r", name)
    assert len(bench.robots) == 1
    assert len(bench.simulation.boxes) == 1
