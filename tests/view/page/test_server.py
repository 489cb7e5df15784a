"""Where the viewer listens, and what it says of it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.errors import PortError
from mobilesim_py.view.page import server as server_module
from mobilesim_py.view.page.server import Viewer, has_desktop
from tests.conftest import build
from tests.view.conftest import run

ROOT = Path(__file__).parents[3]
PATIENCE = 20.0


def test_the_address_is_announced_and_answers() -> None:
    program = build("-m", "office.map", "-r", "p3dx", "--web-port", "0")

    async def test() -> None:
        import aiohttp

        viewer = Viewer(program)
        await viewer.start()
        assert viewer.url == f"http://127.0.0.1:{viewer.port}/"
        assert viewer.url in program.log.recent(1)[0].text
        async with aiohttp.ClientSession() as session, session.get(viewer.url) as answer:
            assert "<title>MobileSim</title>" in await answer.text()
        await viewer.close()
        await viewer.close()

    run(test)


def test_a_port_that_was_asked_for_and_is_taken_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        program = build("-m", "office.map", "-r", "p3dx", "--web-port", str(taken.getsockname()[1]))

        async def test() -> None:
            with pytest.raises(PortError, match="--web-port"):
                await Viewer(program).start()

        run(test)


def test_when_the_usual_port_is_taken_the_next_ones_are_tried(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[int] = []

    def listening(bind: str, port: int) -> socket.socket:
        attempts.append(port)
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(server_module, "_listening_socket", listening)

    async def test() -> None:
        viewer = Viewer(program)
        await viewer.start()
        await viewer.close()

    run(test)
    assert attempts == list(range(8080, 8090))
    assert "Going on without it" in program.log.recent(1)[0].text


def test_the_token_is_printed_once_and_not_logged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_listening_socket", lambda bind, port: _loopback_socket())
    program = build("-m", "office.map", "-r", "p3dx", "--web-bind", "0.0.0.0", "--web-port", "0")

    async def test() -> None:
        viewer = Viewer(program)
        await viewer.start()
        await viewer.close()
        assert capsys.readouterr().err.count(viewer.guard.token) == 1
        assert not any(viewer.guard.token in line.text for line in program.log.recent())

    run(test)


def _loopback_socket() -> socket.socket:
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setblocking(False)
    return listening


def test_a_browser_is_opened_only_where_it_would_be_seen() -> None:
    assert has_desktop({"DISPLAY": ":0"}, "linux")
    assert has_desktop({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
    assert has_desktop({}, "darwin")
    assert not has_desktop({}, "linux")
    assert not has_desktop({"DISPLAY": ":10", "SSH_CONNECTION": "a b"}, "linux")


@pytest.mark.e2e
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is looked up in /proc")
def test_a_viewer_that_never_reads_neither_grows_memory_nor_slows_the_simulation(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        port, web_port = one.getsockname()[1], two.getsockname()[1]
    words = ["-R", "p3dx", "-p", str(port), "--web-port", str(web_port), "-m", "building.map", "--speed", "20"]
    process = subprocess.Popen(
        [str(ROOT / "bin" / "MobileSim"), *words, "--engine", "numpy", "--no-network-discovery"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        lookers = [_never_reading_viewer(web_port) for _ in range(5)]
        _simulated_seconds(web_port)
        before, began, at = _memory(process.pid), time.monotonic(), _simulated_seconds(web_port)
        while time.monotonic() < began + 3.0:
            time.sleep(0.1)
        speed = (_simulated_seconds(web_port) - at) / (time.monotonic() - began)
        assert _memory(process.pid) - before < 4000
        assert speed > 10.0
        for looker in lookers:
            looker.close()
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0


def _never_reading_viewer(web_port: int) -> socket.socket:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            looker = socket.create_connection(("127.0.0.1", web_port), timeout=PATIENCE)
            break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    looker.sendall(
        b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert looker.recv(12) == b"HTTP/1.1 101"
    return looker


def _simulated_seconds(web_port: int) -> float:
    import json

    with urllib.request.urlopen(f"http://127.0.0.1:{web_port}/api/health", timeout=PATIENCE) as answer:
        return float(json.loads(answer.read())["time"])


def _memory(process: int) -> int:
    """Kilobytes that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
