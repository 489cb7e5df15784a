"""`mobilesim ciber`: the words of the original, our own, and whole runs with agents."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mobilesim_py.app.agents import Agent
from mobilesim_py.app.ciber import Wishes
from mobilesim_py.errors import ExitCode, MobileSimError, UsageError
from mobilesim_py.formats.lab import read_log
from mobilesim_py.services.ciberrato import RULES
from mobilesim_py.tools import ciber
from mobilesim_py.tools.table import CIBER_RULES, TOOLS

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = ROOT / "tests" / "vectors" / "ciber" / "cfg"
PATIENCE = 60.0
AGENT = """\
import os, socket, sys
box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
box.settimeout(5)
where = os.environ["CIBER_HOST"], int(os.environ["CIBER_PORT"])
box.sendto(b'<Robot Name="%s"/>' % os.environ["CIBER_NAME"].encode(), where)
reply, door = box.recvfrom(65536)
while True:
    told = box.recv(65536)
    if b'Start="On"' in told:
        box.sendto(b'<Actions LeftMotor="0.1" RightMotor="0.1"/>', door)
"""


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> list[Wishes]:
    """Keep what would be run."""
    kept: list[Wishes] = []

    def keep(given: Wishes, argv: list[str]) -> int:
        kept.append(given)
        return 0

    monkeypatch.setattr("mobilesim_py.app.ciber.run", keep)
    return kept


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_the_words_of_the_original_are_accepted(dashes: str, wishes: list[Wishes]) -> None:
    line = "lab L,grid G,param P,log F,port 6100,gps,beacon,compass,showactions,showgraph 1,scoring 4"
    words = [word for part in line.split(",") for word in (dashes + part).split()]
    assert ciber.main(words) == 0
    (given,) = wishes
    choices = given.choices
    assert (choices.lab, choices.grid, choices.param, choices.scoring) == ("L", "G", "P", 4)
    assert choices.gps
    assert choices.beacon
    assert choices.compass
    assert (given.log, given.port) == (Path("F"), 6100)
    assert "--showgraph has no effect" in given.options.notes[0]


def test_without_words_it_is_the_contests_own_game(wishes: list[Wishes]) -> None:
    assert ciber.main([]) == 0
    (given,) = wishes
    assert (given.port, given.host, given.agents, given.autostart, given.ends) == (6000, "127.0.0.1", (), False, False)
    assert given.choices.rules is RULES["ciberrato"]
    assert given.options.speed == 1.0


def test_agents_can_be_several_and_the_end_needs_both_words(wishes: list[Wishes]) -> None:
    ciber.main(["--agent", "a x", "--agent=b", "--autostart", "--rules", "explorer-2022", "--speed", "max", "--lockstep"])
    ciber.main(["--autostart", "--noninteractive"])
    assert wishes[0].agents == ("a x", "b")
    assert wishes[0].choices.rules.name == "explorer-2022"
    assert wishes[0].options.lockstep
    assert [given.ends for given in wishes] == [False, True]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rules", "explorer"], "--rules wants one of"),
        (["--scoring", "x"], "--scoring wants"),
        (["--port", "70000"], "--port wants"),
        (["--lap", "x"], "Did you mean --lab"),
        (["walk"], "There is no `mobilesim ciber walk`"),
    ],
)
def test_a_mistake_is_a_usage_error(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ciber.main(words)


def test_the_rules_of_the_table_are_those_that_there_are() -> None:
    assert tuple(RULES) == CIBER_RULES
    assert "ciber" in TOOLS


def test_a_wrong_file_is_told_with_its_line(tmp_path: Path) -> None:
    lab = tmp_path / "bad.xml"
    lab.write_text('<Lab Width="10">\n <Target X="1"/>\n</Lab>')
    with pytest.raises(MobileSimError, match=r'bad\.xml:2: <Target> has no Y; add Y="\.\.\."') as problem:
        ciber.main(["--lab", str(lab)])
    assert problem.value.exit_code is ExitCode.MAP


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert ciber.main(["--log", str(tmp_path / "no" / "run.log")]) == ExitCode.USAGE
    assert "run.log cannot be written: No such file" in capfd.readouterr().err


def test_a_port_that_is_taken_has_its_exit_code(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("", 0))
        assert ciber.main(["--port", str(taken.getsockname()[1])]) == ExitCode.PORT
    assert "Could not open UDP port" in capfd.readouterr().err


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def play(tmp_path: Path, agent: str, *words: str, agents: int = 1) -> subprocess.CompletedProcess[str]:
    """Run the real process with an agent until the run is over."""
    path = tmp_path / "agent.py"
    path.write_text(agent)
    line = [sys.executable, "-m", "mobilesim_py", "ciber", "--port", str(free_port()), "--seed", "5", "--lockstep"]
    line += ["--autostart", "--noninteractive", *words]
    line += ["--agent", f"{sys.executable} {path}"] * agents
    return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_run_with_an_agent_ends_with_scores_and_a_log_and_repeats(tmp_path: Path) -> None:
    param = str(CONFIGURATIONS / "short.xml")
    ran = play(tmp_path, AGENT, "--param", param, "--log", "1.log", "--results", "1.json", "--log-file", "app.log")
    assert ran.returncode == 0, ran.stderr
    assert "Place  Robot" in ran.stderr + ran.stdout
    assert "robot1" in (tmp_path / "app.log").read_text()
    results = json.loads((tmp_path / "1.json").read_text())
    (robot,) = results["robots"]
    log = read_log(tmp_path / "1.log")
    assert results["cycles"] == log.steps[-1].time == log.parameters.sim_time
    assert (robot["name"], robot["score"]) == ("robot1", log.steps[-1].robots[0].score)
    assert log.steps[-1].robots[0].x > log.steps[0].robots[0].x
    assert play(tmp_path, AGENT, "--param", param, "--log", "2.log").returncode == 0
    first, second = (((tmp_path / name).read_text()).partition("\n")[2] for name in ("1.log", "2.log"))
    assert first == second


def test_the_first_agent_of_the_documentation_drives(tmp_path: Path) -> None:
    agent = (ROOT / "examples" / "ciber_first.py").read_text()
    assert agent.partition("\n\n")[2] in (ROOT / "docs" / "ciberrato.md").read_text()
    assert play(tmp_path, agent, "--param", str(CONFIGURATIONS / "short.xml"), "--log", "1.log").returncode == 0
    first, *_, last = read_log(tmp_path / "1.log").steps
    assert last.robots[0].x > first.robots[0].x + 1.0


def test_two_agents_play_in_one_run(tmp_path: Path) -> None:
    words = ("--param", str(CONFIGURATIONS / "short.xml"), "--lab", str(CONFIGURATIONS / "two_lab.xml"))
    ran = play(tmp_path, AGENT, *words, "--grid", str(CONFIGURATIONS / "two_grid.xml"), "--results", "r.json", agents=2)
    assert ran.returncode == 0, ran.stderr
    assert {robot["name"] for robot in json.loads((tmp_path / "r.json").read_text())["robots"]} == {"robot1", "robot2"}


def test_an_agent_that_crashes_ends_the_run_with_what_it_has(tmp_path: Path) -> None:
    crashing = AGENT.replace("while True:", "for _ in range(12):")
    ran = play(tmp_path, crashing, "--lockstep-timeout", "0.1", "--results", "r.json")
    assert ran.returncode == 0, ran.stderr
    results = json.loads((tmp_path / "r.json").read_text())
    assert results["cycles"] == 1800
    assert [agent["exit_code"] for agent in results["agents"]] == [0]


def test_an_agent_that_never_registers_is_an_error(tmp_path: Path) -> None:
    ran = play(tmp_path, "raise SystemExit(3)")
    assert ran.returncode == ExitCode.EMULATION
    assert "the agent ended (exit code 3) without having registered" in ran.stderr + ran.stdout


def test_an_agent_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no-such-agent"):
        Agent("no-such-agent", host="", port=1, pos=1)
    line = [sys.executable, "-m", "mobilesim_py", "ciber", "--port", str(free_port()), "--agent", "no-such-agent"]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == ExitCode.USAGE
    assert 'MobileSim: --agent "no-such-agent"' in ran.stderr


@pytest.mark.parametrize("words", [["sing"], ["remove"], ["start", "1"], ["remove", "x"]])
def test_an_order_that_there_is_not_is_told(words: list[str]) -> None:
    with pytest.raises(UsageError, match=r"is no order. There are start, stop, reset, remove, disqualify, show"):
        ciber.main(["order", *words])


def test_an_order_without_a_game_is_told() -> None:
    with pytest.raises(MobileSimError, match="No page of a game answers at"):
        ciber.main(["order", "start", "--web-port", "1"])


def test_orders_of_the_command_line_reach_a_running_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent, web = tmp_path / "agent.py", str(free_port())
    agent.write_text(AGENT)
    words = ["--port", str(free_port()), "--web-port", web, "--agent", f"{sys.executable} {agent}", "--speed", "5"]
    line = [sys.executable, "-m", "mobilesim_py", "ciber", *words]
    game = subprocess.Popen(line, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def ordered(*order: str) -> str:
        assert ciber.main(["order", *order, "--web-port", web]) == 0
        return capsys.readouterr().out

    def until(said: str, *order: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(MobileSimError):
                if said in ordered(*order):
                    return
            assert time.monotonic() < deadline
            time.sleep(0.05)

    try:
        until("Stopped", "show")
        ordered("start")
        until("Running", "show")
        ordered("stop")
        until("Stopped, time", "show")
        assert "250" in ordered("disqualify", "1")
        assert "Ready, time 0" in ordered("reset")
    finally:
        game.terminate()
        game.wait()
