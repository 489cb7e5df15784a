"""The joystick at the robot's port."""

from __future__ import annotations

from typing import Any

import pytest

from mobilesim_py.protocols.arcos.commands import Command
from mobilesim_py.services.panelled import OrderError

from .conftest import Make, NullModem, Stand, last_sip, tell


def move(bench: Stand, **wish: Any) -> None:
    bench.program.services[-1].move_joystick(bench.robots[0], wish)  # type: ignore[attr-defined]


def packet(bench: Stand, modem: NullModem) -> str:
    tell(modem, Command.JOYINFO, 1)
    bench.step()
    return modem.take(0xF8)[0].data.hex(" ")


def test_packets_follow_the_joystick_which_springs_back(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    assert packet(bench, modem) == "00 00 00 02 00 02 ff 03"
    move(bench, x=0.5, y=1.0, buttons=[True])
    assert packet(bench, modem) == "01 00 00 01 ff 03 ff 03"
    assert last_sip(bench, modem).flags & 0x0200
    bench.wait(0.7)
    bench.step()
    assert packet(bench, modem) == "00 00 00 02 00 02 ff 03"
    assert not last_sip(bench, modem).flags & 0x0200


def test_joydrive_drives_while_the_button_is_held(stand: Make) -> None:
    bench = stand()
    modem = bench.connect()
    move(bench, y=0.5, buttons=[True])
    bench.step(2)
    assert bench.robots[0].velocity[0] == 0.0
    tell(modem, Command.JOYDRIVE, 1)
    for _ in range(10):
        move(bench, x=1.0, y=0.5, throttle=0.5, buttons=[True, False])
        bench.step()
    forward, _, rotation = bench.robots[0].velocity
    assert forward > 0.1
    assert rotation < -0.1
    bench.wait(0.7)
    bench.run(2.0)
    assert bench.robots[0].velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "wish", [{"x": 2}, {"y": "up"}, {"throttle": -1}, {"buttons": [1]}, {"buttons": [True] * 3}, {"x": True}]
)
def test_wishes_are_checked(stand: Make, wish: dict[str, Any]) -> None:
    bench = stand()
    with pytest.raises(OrderError):
        move(bench, **wish)
