"""The learner's library and the sample agent, against a game without a network and against the real process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mobilesim_py.clients import mouse
from mobilesim_py.clients.mouse import Mouse
from mobilesim_py.errors import EmulationError
from mobilesim_py.protocols.ciber import Actions, Measures, decode_actions, decode_registration, encode_measures

ROOT = Path(__file__).parents[2]
OK = b'<Reply Status="Ok"><Parameters SimTime="1800" NBeacons="1"/></Reply>\0'
HOST = "127.0.0.1"


class Simulator:
    """Answers a registration and sends some measures, each when the one before was answered."""

    def __init__(self, reply: bytes, *told: Measures) -> None:
        self.public = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.public.bind((HOST, 0))
        self.public.settimeout(5.0)
        self.port = self.public.getsockname()[1]
        self.asked: object = None
        self.heard: list[Actions | None] = []
        self._thread = threading.Thread(target=self._serve, args=(reply, told))
        self._thread.start()

    def _serve(self, reply: bytes, told: tuple[Measures, ...]) -> None:
        data, peer = self.public.recvfrom(65536)
        self.asked = decode_registration(data)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.bind((HOST, 0))
            own.settimeout(5.0)
            own.sendto(reply, peer)
            for measures in told:
                own.sendto(encode_measures(measures), peer)
                self.heard.append(decode_actions(own.recv(65536)))

    def end(self) -> None:
        self._thread.join(10.0)
        self.public.close()


def test_a_mouse_registers_reads_and_says_all_in_one_message() -> None:
    simulator = Simulator(OK, Measures(3, compass=7, obstacles=((1, 2.5),)), Measures(4))
    robot = Mouse("m", host=HOST, port=simulator.port, pos=2, angles_deg=(0, 90, -90, 180), silence=0.1)
    assert robot.parameters["SimTime"] == "1800"
    with pytest.raises(RuntimeError, match="read"):
        _ = robot.measures
    assert robot.read()
    assert (robot.measures.time, robot.measures.compass) == (3, 7)
    assert (robot.obstacle(1), robot.obstacle(0)) == (2.5, None)
    robot.drive(0.1, -0.05)
    robot.set_leds(visiting=True)
    robot.request("Compass", "IRSensor2")
    robot.say("hello")
    assert robot.read()
    robot.set_leds(end=True)
    assert not robot.read()
    simulator.end()
    robot.close()
    assert simulator.asked.id == 2  # type: ignore[attr-defined]
    assert simulator.heard == [
        Actions(0.1, -0.05, visiting_led=True, requests=("Compass", "IRSensor2"), say="hello"),
        Actions(0.1, -0.05, visiting_led=True, end_led=True),
    ]


def test_a_mouse_that_is_refused_says_so() -> None:
    simulator = Simulator(b'<Reply Status="Refused"></Reply>\n\0')
    with pytest.raises(EmulationError, match="refused"):
        Mouse("m", host=HOST, port=simulator.port)
    simulator.end()


def test_a_mouse_without_a_simulator_says_how_to_start_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mouse, "PATIENCE", 0.05)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind((HOST, 0))
        monkeypatch.setenv("CIBER_PORT", str(silent.getsockname()[1]))
        with pytest.raises(EmulationError, match="mobilesim ciber"):
            Mouse("m")


@pytest.mark.parametrize("param", ["", "easy", "medium", "hard", "final"])
def test_the_sample_agent_finds_the_target_and_comes_home(param: str, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    line = [sys.executable, "-m", "mobilesim_py", "ciber", "--rules", "explorer-2022", "--seed", "1", "--lockstep"]
    line += ["--autostart", "--noninteractive", "--port", str(port), "--results", "r.json"]
    line += ["--param", str(ROOT / "maps" / "ciber" / f"{param}_param.xml")] if param else []
    line += ["--agent", f"{sys.executable} {ROOT / 'examples' / 'ciber_explorer.py'} map.txt"]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60.0, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "Warning" not in ran.stderr
    (robot,) = json.loads((tmp_path / "r.json").read_text())["robots"]
    assert robot["visited_mask"] == "1"
    assert robot["returning_time"] > 0
    assert robot["score"] <= 6
    assert "I" in (tmp_path / "map.txt").read_text()
