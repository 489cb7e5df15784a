"""What hangs on a serial port without a language of its own."""

from __future__ import annotations

from mobilesim_py.protocols.peripherals.peripheral import Loop, Mute


def test_a_mute_one_takes_everything_and_says_nothing() -> None:
    mute = Mute()
    assert mute.receive(b"hello", 0.0) == mute.speak(1.0) == b""
    mute.reset()
    assert mute.mount is None


def test_a_loop_sends_back_what_comes() -> None:
    loop = Loop()
    assert loop.receive(b"\x00hello\xff", 0.0) == b"\x00hello\xff"
    assert loop.speak(1.0) == b""
