"""The Sony camera."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.protocols.peripherals.visca import ACCEPTED, DONE, MISTAKE, ViscaCamera


def say(camera: ViscaCamera, text: str, now: float = 0.0) -> bytes:
    return camera.receive(bytes.fromhex(text), now)


def test_arias_commands_move_it() -> None:
    camera = ViscaCamera()
    assert say(camera, "88010001ff883001ff") == bytes.fromhex("883002ff")
    assert say(camera, "8101060218140001 0b080f0f060aff") == ACCEPTED + DONE
    assert (camera.mount.pan.goal, camera.mount.tilt.goal) == (pytest.approx(45.0, abs=0.1), pytest.approx(-15.0, abs=0.1))
    assert say(camera, "8101044700010f04ff") == ACCEPTED + DONE
    assert camera.mount.zoom.goal == 500
    assert say(camera, "81090612ff", 9.0) == bytes.fromhex("905000010b080f0f060aff")
    assert say(camera, "81090447ff", 9.0) == bytes.fromhex("905000010f04ff")
    say(camera, "81010604ff", 9.0)
    assert camera.mount.pan.goal == 0.0


def test_what_it_does_not_know() -> None:
    camera = ViscaCamera()
    assert say(camera, "81010433 02ff") == ACCEPTED + DONE
    assert say(camera, "81090999ff") == MISTAKE
    assert say(camera, "123456ff") == b""
    camera.reset()


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    ViscaCamera().receive(b"\x81" + data + b"\xff", 1.0)
