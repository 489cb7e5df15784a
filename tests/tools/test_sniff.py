"""`mobilesim sniff`: a conversation in words."""

from __future__ import annotations

import threading
import time

import pytest

from mobilesim_py.clients.sync.pioneer import Pioneer
from mobilesim_py.clients.tap import Tap
from mobilesim_py.errors import LostError, NoAnswerError
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.tools import sniff
from mobilesim_py.tools.sniff import Printer, main
from tests.clients.conftest import PlayedRobot, stage


def play(robot: PlayedRobot) -> None:
    robot.welcome()
    robot.say(pack_config(Config()))
    robot.tell_sip()
    robot.hear(2)


def test_as_a_client_it_prints_what_a_robot_tells(capsys: pytest.CaptureFixture[str]) -> None:
    with stage(play) as address:
        assert main([address, "--seconds", "0.3"]) == 0
    lines = [line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == ["> SYNC0", "< SYNC0"]
    assert "< SYNC2 Fred Pioneer p3dx-sh" in lines
    assert any(line.startswith("< SIP x 0.000") for line in lines)
    assert lines[-1] == "> CLOSE 1"


def test_a_robot_that_hangs_up_is_told() -> None:
    with stage(lambda robot: robot.welcome()) as address, pytest.raises((LostError, NoAnswerError)):
        main([address])


def test_between_a_client_and_its_robot_it_prints_both(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taps: list[Tap] = []
    there = threading.Event()

    class Known(Tap):
        def __init__(self, *words: object, **how: object) -> None:
            super().__init__(*words, **how)  # type: ignore[arg-type]
            taps.append(self)
            there.set()

    monkeypatch.setattr(sniff, "Tap", Known)
    monkeypatch.setattr(sniff, "_wait", lambda seconds, goes_on: done.wait(20.0))
    done = threading.Event()

    def client() -> None:
        there.wait(20.0)
        with Pioneer(f"127.0.0.1:{taps[0].port}") as robot:
            robot.drive(0.25)
        done.set()

    with stage(play) as address:
        thread = threading.Thread(target=client)
        thread.start()
        assert main([address, "--listen", "0", "--brief"]) == 0
        thread.join(20.0)
    out, error = capsys.readouterr()
    assert "> VEL 250" in out
    assert "< SIP" not in out
    assert f"port {taps[0].port}" in error


def test_a_robot_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    taps: list[Tap] = []

    class Asked(Tap):
        def __init__(self, *words: object, **how: object) -> None:
            super().__init__(*words, **how)  # type: ignore[arg-type]
            taps.append(self)
            with pytest.raises(NoAnswerError):
                Pioneer(f"127.0.0.1:{self.port}")

    monkeypatch.setattr(sniff, "Tap", Asked)
    with pytest.raises(NoAnswerError, match="Connection refused"):
        main(["localhost:1", "--listen", "0"])


def test_time_is_told_from_the_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([10.0, 11.5])
    Printer(clock=lambda: next(times)).heard(False, encode(0))
    assert capsys.readouterr().out == "    1.500 > SYNC0\n"


def test_it_ends_after_so_long() -> None:
    began = time.monotonic()
    sniff._wait(0.05, lambda: True)
    assert time.monotonic() - began >= 0.05
    sniff._wait(None, lambda: False)
