"""Every exit code of the manual, produced by the real process."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import command, control
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parent.parent.parent


def said_one_sentence(text: str, *parts: str) -> None:
    """No traceback, and the parts that help."""
    assert "Traceback" not in text, text
    for part in parts:
        assert part in text


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["-v"]])
def test_0_for_help_and_version(words: list[str], start: Any) -> None:
    simulator = start(*words, listening=False, ports=False)
    assert simulator.wait() == 0
    assert simulator.said().startswith("MobileSim ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_0_for_a_signal_that_ends_it(number: signal.Signals, start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    client = simulator.connect().handshake()
    client.sip()
    simulator.process.send_signal(number)
    client.until_closed()
    assert simulator.wait() == 0


@pytest.mark.parametrize(("asked", "code"), [(0, 0), (5, 5), (126, 126), (255, 255), (300, 44), (-3, 3)])
def test_what_a_client_asked_for(asked: int, code: int, start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    client = simulator.connect().handshake()
    client.send(command(Command.SIM_EXIT, asked))
    assert client.until_closed() < 1.5
    assert simulator.wait() == code
    assert "Client requested exit with code" in simulator.said()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--no-such-option"], "There is no option"),
        (["--start", "here"], "--start wants"),
        (["--nomap", "--seed", "18446744073709551616"], "--seed wants a number from 0 to 18446744073709551615"),
        (["--nomap", "-r", "p3dy"], "p3dx"),
        (["--noninteractive"], "No map given in noninteractive mode."),
        (["--nomap", "--log-file", "missing/sim.log"], "Could not open log file"),
    ],
)
def test_255_for_a_wrong_command_line(words: list[str], said: str, start: Any) -> None:
    simulator = start(*words, listening=False)
    assert simulator.wait() == 255
    said_one_sentence(simulator.said(), said)


def test_254_when_no_temporary_file_can_be_written() -> None:
    def no_files_at_all() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    command_line = [sys.executable, "-m", "mobilesim_py", "--nomap", "-r", "p3dx", "--web-port", "0"]
    ended = subprocess.run(
        command_line, preexec_fn=no_files_at_all, capture_output=True, text=True, timeout=30, cwd=ROOT, check=False
    )
    assert ended.returncode == 254
    said_one_sentence(ended.stderr, "temporary file", "TMPDIR")


@pytest.mark.parametrize("kind", ["missing", "nonsense", "a directory"])
def test_253_for_a_bad_map(kind: str, start: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.map"
    if kind == "nonsense":
        path.write_text("This is not a map.\n")
    elif kind == "a directory":
        path.mkdir()
    simulator = start("-m", "bad.map", "-r", "p3dx", listening=False)
    assert simulator.wait() == 253
    said_one_sentence(simulator.said(), "bad.map")


@pytest.mark.parametrize("where", ["a worldfile", "the user's models"])
def test_252_for_a_bad_worldfile(where: str, start: Any, tmp_path: Path) -> None:
    text = "define broken position (\n  size [1 1\n"
    if where == "a worldfile":
        (tmp_path / "bad.world").write_text(text)
        simulator = start("-W", "bad.world", listening=False)
    else:
        (tmp_path / ".MobileSim" / "include").mkdir(parents=True)
        (tmp_path / ".MobileSim" / "include" / "bad.inc").write_text(text)
        simulator = start("--nomap", "-r", "broken", listening=False)
    assert simulator.wait() == 252
    said_one_sentence(simulator.said(), "bad.")


def test_250_for_a_bad_parameter_file(start: Any, tmp_path: Path) -> None:
    (tmp_path / "custom.p").write_text("Section General settings\nClass Pioneer\nSubclass custom\nRobotRadius many\n")
    simulator = start("--nomap", "-r", "custom.p:Custom", listening=False)
    assert simulator.wait() == 250
    said_one_sentence(simulator.said(), "custom.p:4")


def test_249_when_there_is_no_engine_as_asked(start: Any, tmp_path: Path) -> None:
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / "sitecustomize.py").write_text(
        "import importlib.util as u\nreal = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'numba' else real(name, *more)\n"
    )
    surroundings = {"PYTHONPATH": str(tmp_path / "hide"), "MOBILESIM_CACHE_DIR": str(tmp_path / "cache")}
    simulator = start("--nomap", "-r", "p3dx", "--engine", "compiled", listening=False, **surroundings)
    assert simulator.wait() == 249
    said_one_sentence(simulator.said(), "There is no compiled engine")


@pytest.mark.parametrize("words", [["-r", "p3dx"], ["-R", "p3dx"]])
def test_248_for_a_taken_port(words: list[str], start: Any) -> None:
    first = start("--nomap", "-r", "p3dx")
    second = start("--nomap", *words, "-p", str(first.port), "--bind-to-address", "127.0.0.1", listening=False, ports=False)
    assert second.wait() == 248
    said_one_sentence(second.said(), f"TCP port {first.port}", f"in use by process {first.process.pid} (")


def test_248_for_a_missing_serial_line(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--serial", "/dev/no-such-line", listening=False)
    assert simulator.wait() == 248
    said_one_sentence(simulator.said(), "/dev/no-such-line")


def test_248_for_ports_that_do_not_exist(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "-r", "p3dx", "-p", "65535", listening=False, ports=False)
    assert simulator.wait() == 248
    said_one_sentence(simulator.said(), "65536")


def test_247_for_a_directory_that_cannot_be_entered(start: Any) -> None:
    simulator = start("--nomap", "--cwd", "no/such/directory", listening=False)
    assert simulator.wait() == 247
    said_one_sentence(simulator.said(), "no/such/directory")


@pytest.mark.parametrize("how", ["command 253", "command 255", "SIGSEGV", "SIGABRT"])
def test_236_for_a_crash(how: str, start: Any) -> None:
    # With NumPy no thread loads an engine: a signal from outside may come while a thread waits for the interpreter's lock.
    simulator = start("--nomap", "-r", "p3dx", "--engine", "numpy")
    client = simulator.connect().handshake()
    client.sip()
    if how.startswith("SIG"):
        simulator.process.send_signal(signal.Signals[how])
    else:
        client.send(command(int(how.split()[1])))
    assert simulator.wait() == 236


@pytest.mark.parametrize("number", [253, 255])
def test_no_exit_code_but_sigabrt_for_a_crash_without_its_handler(number: int, start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--disable-crash-handler")
    client = simulator.connect().handshake()
    client.sip()
    client.send(command(number))
    assert simulator.wait() == -signal.SIGABRT


def test_a_port_is_not_silently_moved(start: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        simulator = start("--nomap", "-p", str(port), "--bind-to-address", "127.0.0.1", listening=False, ports=False)
        assert simulator.wait() == 248


def test_253_for_a_map_that_is_larger_than_any(start: Any, tmp_path: Path) -> None:
    with (tmp_path / "huge.map").open("wb") as file:
        file.truncate(40 * 2**30)  # a hole: it takes no room
    simulator = start("-m", "huge.map", "-r", "p3dx", listening=False)
    assert simulator.wait() == 253
    said_one_sentence(simulator.said(), "huge.map", "40960 MB")


@pytest.mark.parametrize("number", ["1e300", "1e15", "-9223372036854775808"])
def test_absurd_numbers_in_a_map_do_not_keep_it_from_starting_or_give_253(number: str, start: Any, tmp_path: Path) -> None:
    cairn = f'Cairn: Reflector 0 0 0 "" ICON "" 0 0 {number} {number}'
    (tmp_path / "bad.map").write_text(
        f"2D-Map\nLineMinPos: 0 0\nLineMaxPos: 5000 5000\n{cairn}\nLINES\n0 0 5000 5000\nDATA\n"
    )
    good = start("--nomap", "-r", "p3dx")
    client = good.connect().handshake()
    client.send(control(ControlOperation.LOAD_MAP, "bad.map"))
    client.next(0x66)
    client.sip()
    simulator = start("-m", "bad.map", "-r", "p3dx", listening=False)
    try:
        code = simulator.process.wait(4.0)
    except subprocess.TimeoutExpired:
        code = None  # it runs
    assert code in (None, 253), simulator.said()


def test_a_log_that_is_a_fifo_without_a_reader_blocks_nothing(start: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    simulator = start("-m", "no-such.map", "--log-file", "log", listening=False)
    assert simulator.wait() == 255
    said_one_sentence(simulator.said(), "Could not open log file")


def test_a_viewer_address_that_cannot_be_is_a_line_in_the_log_or_248(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--web-port", "0", "--web-bind", "a" * 300, listening=False)
    assert simulator.wait() == 248
    said_one_sentence(simulator.said(), "there cannot be such a host name")
