"""The fixture for pytest, in runs of pytest of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:mobilesim", "-p", "mobilesim_py.pytest_plugin", "-p", "no:cacheprovider"]
MANY = int(os.environ.get("MOBILESIM_MANY_TESTS", "4"))
"""How many tests at once; 200 takes some minutes."""
TESTS = """
import sys
import pytest

@pytest.mark.mobilesim("office.map", robots=["p3dx"], speed=10)
def test_marked_and_failing(mobilesim):
    with mobilesim.connect() as robot:
        robot.motors()
        robot.move(0.2)
        robot.wait_until_still()
    ran = mobilesim.run(sys.executable, "-c", "import os; print(os.environ['ARIAARGS'], '{port}', '{host}')")
    assert ran.output.split() == ["-rh", "127.0.0.1", "-rrtp", ran.output.split()[3], ran.output.split()[3], "127.0.0.1"]
    late = mobilesim.run(sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(600)", seconds=2)
    assert (late.returncode, late.output, late.timed_out) == (-15, "begun\\n", True)
    assert mobilesim.pose().x < 0.0

def test_called_twice(mobilesim):
    one, other = mobilesim(nomap=True, robots=["p3dx"]), mobilesim(nomap=True, robots=["amigo"], exit_code=5)
    assert one.port() != other.port()
    assert mobilesim.simulator is one
    with other.connect() as robot:
        robot.command("SIM_EXIT", 5)
    assert other.wait(20) == 5

def test_ended_otherwise(mobilesim):
    with mobilesim(nomap=True, robots=["p3dx"]).connect() as robot:
        robot.command("SIM_EXIT", 7)
    mobilesim.wait(20)

def test_not_started(mobilesim):
    mobilesim.pose()

@pytest.mark.mobilesim("offce.map")
def test_misspelled(mobilesim):
    raise AssertionError("it started")

def test_unknown(mobilesim):
    assert not hasattr(mobilesim, "_nothing")
"""


def run(folder: Path, *words: str, text: str = TESTS, env: dict[str, str] | None = None) -> str:
    (folder / "test_of_a_user.py").write_text(text)
    command = [*PYTEST, "-ra", "--strict-markers", f"--basetemp={folder / 'temp'}", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=3000, check=False, env=env)
    return done.stdout + done.stderr


def simulators(of: Path) -> list[int]:
    """Return the simulators that were started from a folder and still run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
            if b"mobilesim_py.clients.hosted" in words and (process / "cwd").resolve() == of.resolve():
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("user")
    text = run(folder)
    assert simulators(folder) == []
    return text


def test_a_failure_a_wrong_end_and_a_start_that_fails_are_told_apart(report: str) -> None:
    assert "2 failed, 3 passed, 2 errors" in report, report
    assert "FAILED test_of_a_user.py::test_marked_and_failing - assert 1" in report
    assert "ERROR test_of_a_user.py::test_ended_otherwise" in report
    assert "ERROR test_of_a_user.py::test_misspelled" in report


def test_the_report_of_a_failure_has_the_log_a_picture_and_the_packets(report: str) -> None:
    assert "MobileSim log" in report
    assert "Pioneer interface ready for a client to connect" in report
    picture = re.search(r"(/\S+snapshot\.png)", report)
    assert picture is not None
    assert Path(picture[1]).read_bytes().startswith(b"\x89PNG")
    assert "> MOVE 200" in report
    assert "< SIP x " in report
    assert "begun" in report


def test_an_end_that_was_not_expected_is_an_error(report: str) -> None:
    assert "The simulator ended with exit code 7 instead of 0" in report
    error = report.partition("ERROR at teardown of test_ended_otherwise")[2].partition("ERROR at")[0]
    assert "MobileSim log" in error


def test_a_simulator_that_does_not_start_says_why_and_nothing_else(report: str) -> None:
    assert "MobileSim: offce.map: no such map file" in report
    assert "Did you mean office.map?" in report
    assert "No simulator runs: mark the test" in report
    assert "process.py" not in report


def test_many_tests_at_once_leave_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    text = f"""
import threading
import pytest

@pytest.mark.parametrize("number", range({MANY}))
@pytest.mark.mobilesim("office.map", robots=["p3dx"], speed="max")
def test_one_of_many(mobilesim, number):
    with mobilesim.connect() as robot:
        robot.motors()
        robot.drive(0.2)
        assert robot.next().battery > 10.0

@pytest.fixture(autouse=True, scope="session")
def no_thread_is_left():
    yield
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith(("pioneer", "tap", "mobilesim"))]
    assert left == []
"""
    report = run(tmp_path, "-n2", "-q", text=text, env={**os.environ, "TMPDIR": str(scratch)})
    assert f"{MANY} passed" in report, report
    assert simulators(tmp_path) == []
    assert list(scratch.iterdir()) == []


def test_a_run_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "test_long.py").write_text(
        "import time\n\ndef test_long(mobilesim):\n    mobilesim(nomap=True)\n    time.sleep(600)\n"
    )
    process = subprocess.Popen([*PYTEST, "-q"], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60.0
    while not simulators(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while simulators(tmp_path):
        assert time.monotonic() < deadline, "the simulator outlives the test"
        time.sleep(0.05)


def test_nothing_is_imported_before_it_is_used() -> None:
    heavy = ("numpy", "asyncio", "http.client", "mobilesim_py.clients.bench")
    program = (
        "import sys, pytest; before = set(sys.modules); import mobilesim_py.pytest_plugin; "
        f"print([m for m in {heavy!r} if m in set(sys.modules) - before])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "[]", result.stderr
