"""Contests: the plan, the ranking, whole contests with good and bad agents, and going on after a kill."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mobilesim_py.errors import PortError
from mobilesim_py.formats.lab import LabFileError
from mobilesim_py.tools import ciber, ciber_contest
from mobilesim_py.tools.ciber_contest import WORST_SCORE, ContestError, Place, Trial, ranking, read_plan

ROOT = Path(__file__).parents[2]
EXPLORER = f"{sys.executable} {ROOT / 'examples' / 'ciber_explorer.py'}"
EASY = ROOT / "maps" / "ciber" / "easy_param.xml"
PORT = 20_000 + os.getpid() % 10_000
BAD = {
    "crashes": "raise SystemExit(1)",
    "hangs": "import time\ntime.sleep(600)",
    "fails": (
        "from mobilesim_py import Mouse\nmouse = Mouse()\n"
        "while mouse.read() and mouse.measures.time < 9:\n    pass\nraise SystemExit(7)"
    ),
    "floods": (
        "import os, socket\nbox = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "where = os.environ['CIBER_HOST'], int(os.environ['CIBER_PORT'])\n"
        "box.sendto(b'<Robot Name=\"f\"/>', where)\n_, door = box.recvfrom(65536)\n"
        "while True:\n    box.sendto(b'<Actions LeftMotor=\"0.1\"/>', door)\n    print('x' * 9999)"
    ),
    "nonsense": (
        "import os, socket\nbox = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "where = os.environ['CIBER_HOST'], int(os.environ['CIBER_PORT'])\n"
        "box.sendto(b'<Robot Name=\"n\"/>', where)\n_, door = box.recvfrom(65536)\n"
        "while True:\n    box.sendto(b'<Actions', door)\n    box.sendto(b'junk', where)"
    ),
}


def contest(tmp_path: Path, teams: dict[str, str], legs: int = 1, seconds: float = 60.0) -> Path:
    lines = ['name = "Cup"', f"port = {PORT}", f"trial_seconds = {seconds}"]
    for name, agent in teams.items():
        lines += ["[[team]]", f'name = "{name}"', f"agent = '{agent}'"]
    for number in range(1, legs + 1):
        lines += ["[[leg]]", f'name = "leg {number}"', f"param = '{EASY}'", f"seed = {number}"]
    path = tmp_path / "cup.toml"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = [", "is no TOML"),
        ("", "there is no team"),
        ('[[team]]\nname = "a"', "lacks 'agent'"),
        ('[[team]]\nname = "a"\nagent = "x"', "there is no leg"),
        ('[[team]]\nname = "a"\nagent = 3', "agent = 3 of team"),
        ('[[team]]\nname = "a"\nagent = "x"\ncolour = "red"', "does not know colour"),
        ('[[team]]\nname = "a"\nagent = "x"\n[[team]]\nname = "a"\nagent = "y"\n[[leg]]\nname = "l"', "same name"),
        ('rules = "x"\n[[team]]\nname = "a"\nagent = "x"\n[[leg]]\nname = "l"', "explorer-2022"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_the_file(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ContestError, match=said) as problem:
        read_plan(path)
    assert str(path) in str(problem.value)


def test_a_wrong_lab_of_a_leg_is_told_with_its_line_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "lab.xml").write_text('<Lab>\n<Target X="1"/></Lab>')
    path = contest(tmp_path, {"a": "true"})
    path.write_text(path.read_text() + "\nlab = 'lab.xml'\n")
    with pytest.raises(LabFileError, match=r"lab\.xml:2: <Target> has no Y"):
        ciber.main(["contest", str(path)])
    assert not (tmp_path / "cup").exists()


def test_scores_and_times_of_the_legs_are_summed() -> None:
    trials = [Trial("1", "a", 10, 500), Trial("1", "b", 5, 900), Trial("2", "a", 0, 300), Trial("2", "b", 5, 100)]
    assert ranking(trials) == [Place("a", 10, 800), Place("b", 10, 1000)]


def test_four_teams_over_three_legs_and_only_the_best_three_in_the_final(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crash = tmp_path / "crash.py"
    crash.write_text(BAD["crashes"])
    teams = dict.fromkeys(("a", "b", "c"), EXPLORER)
    path = contest(tmp_path, {**teams, "bad": f"{sys.executable} {crash}"}, legs=3)
    assert ciber.main(["contest", str(path)]) == 0
    report = json.loads((tmp_path / "cup" / "report.json").read_text())
    assert len(report["trials"]) == 4 + 4 + 3
    assert [place["team"] for place in report["ranking"]][-1] == "bad"
    assert {trial["team"] for trial in report["trials"] if trial["leg"] == "leg 3"} == {"a", "b", "c"}
    good = [trial for trial in report["trials"] if trial["team"] != "bad"]
    assert all(trial["score"] <= 6 for trial in good)
    page = (tmp_path / "cup" / "report.html").read_text()
    assert page.count("<polyline") == 9
    assert "Place  Team" in capsys.readouterr().out
    # Started again it plays nothing.
    assert ciber.main(["contest", str(path)]) == 0
    assert "points" not in capsys.readouterr().out


def test_a_trial_is_played_again_when_its_agent_or_its_field_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "agent.py").write_text("first")
    (tmp_path / "lab.xml").write_text('<Lab Name="first" Width="6" Height="4"/>')
    (tmp_path / "param.xml").write_text('<Parameters Lab="lab.xml"/>')
    path = contest(tmp_path, {"a": "python3 agent.py"})
    path.write_text(path.read_text().replace(str(EASY), "param.xml"))
    monkeypatch.setattr(ciber_contest.Contest, "_play", lambda self, leg, team, stem: Trial(leg.name, team.name, 1, 1))

    def plays() -> bool:
        assert ciber.main(["contest", str(path)]) == 0
        return "1 points" in capsys.readouterr().out

    assert [plays(), plays()] == [True, False]
    (tmp_path / "agent.py").write_text("second")
    assert [plays(), plays()] == [True, False]
    (tmp_path / "lab.xml").write_text('<Lab Name="second" Width="6" Height="4"/>')
    assert [plays(), plays()] == [True, False]


@pytest.mark.parametrize("how", BAD)
def test_a_bad_agent_costs_only_its_own_trial(how: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(BAD[how])
    path = contest(tmp_path, {"bad": f"{sys.executable} {bad}", "good": EXPLORER}, seconds=20.0 if how != "hangs" else 5.0)
    assert ciber.main(["contest", str(path)]) == 0
    trials = {trial["team"]: trial for trial in json.loads((tmp_path / "cup" / "report.json").read_text())["trials"]}
    assert trials["good"]["score"] <= 6
    # Who never registers has the worst score; the whole time of a trial of this leg is 1200 cycles.
    assert trials["bad"]["score"] in (200, WORST_SCORE)
    assert trials["bad"]["time"] == 1200
    assert trials["good"]["problem"] == ""
    assert ("ended without having registered: see leg_1-bad.said" in trials["bad"]["problem"]) is (how == "crashes")
    assert ("ended with exit code 7: see leg_1-bad.said" in trials["bad"]["problem"]) is (how == "fails")


def test_a_port_that_is_taken_is_no_teams_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ciber_contest, "PORT_SECONDS", 0.0)
    path = contest(tmp_path, {"a": EXPLORER, "b": EXPLORER})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("", PORT))
        with pytest.raises(PortError, match=f"UDP port {PORT} of 127.0.0.[23] is taken"):
            ciber.main(["contest", str(path)])
    assert not list((tmp_path / "cup").glob("*.json"))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_contest_that_was_ended_goes_on_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    path = contest(tmp_path, dict.fromkeys(("a", "b", "c"), EXPLORER), legs=2 if how is signal.SIGKILL else 1)
    line = [sys.executable, "-m", "mobilesim_py", "ciber", "contest", str(path)]
    process = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.DEVNULL, start_new_session=True)
    first = tmp_path / "cup" / "leg_1-a.json"
    deadline = time.monotonic() + 60.0
    while not first.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    # Ctrl-C reaches the whole group of processes.
    os.killpg(process.pid, how)
    assert process.wait() == (130 if how is signal.SIGINT else -how)
    written = first.stat().st_mtime_ns
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=90.0, check=False)
    assert ran.returncode == 0, ran.stderr
    assert first.stat().st_mtime_ns == written
    trials = json.loads((tmp_path / "cup" / "report.json").read_text())["trials"]
    assert len(trials) == (6 if how is signal.SIGKILL else 3)
    if how is signal.SIGINT:
        assert all(trial["score"] < 250 for trial in trials), "no trial was without a score"
