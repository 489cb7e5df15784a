"""A real browser on the page of a real simulator. Without Chromium these tests are skipped, and say so."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader
from mobilesim_py.protocols.arcos.simulator import SIMSTAT, WireSimStat, unpack_simstat
from mobilesim_py.protocols.arcos.sip import WireSip, unpack_sip

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 20.0
ARGUMENTS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.fspath).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser; of this module only, for while it runs there is an event loop that no other test can do with."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium to drive: `apt-get install chromium`, or name one in $CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Client:
    """A client of one robot, as far as these tests need one."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.reader = PacketReader()
        self.waiting: list[Packet] = []
        for number, sync in enumerate(SYNCS):
            self.socket.sendall(sync)
            self.next(number)
        self.socket.sendall(OPEN)

    def next(self, *ids: int) -> Packet:
        while True:
            while self.waiting:
                packet = self.waiting.pop(0)
                if packet.id in ids:
                    return packet
            data = self.socket.recv(65536)
            assert data, "the simulator closed the connection"
            self.waiting += self.reader.feed(data)

    def send(self, number: int, value: int | None = None) -> None:
        self.socket.sendall(command(number, value))

    def laser_on(self) -> None:
        self.send(Command.SIM_LRF_ENABLE, 2)

    def truth(self) -> WireSimStat:
        self.send(Command.SIM_STAT, 1)
        return unpack_simstat(self.next(SIMSTAT))

    def sip(self) -> WireSip:
        return unpack_sip(self.next(0x32, 0x33))

    def close(self) -> None:
        self.socket.close()


class Running:
    """A simulator with a viewer."""

    def __init__(self, words: list[str], folder: Path) -> None:
        self.port = _free_ports(6)
        self.web_port = self.port + 5
        self.url = f"http://127.0.0.1:{self.web_port}/"
        self.console = folder / "console"
        command_line = [str(ROOT / "bin" / "MobileSim"), "-p", str(self.port), "--web-port", str(self.web_port)]
        self.process = subprocess.Popen(
            [*command_line, "--engine", "numpy", "--seed", "1", "--no-network-discovery", *words],
            cwd=folder,
            env={**os.environ, "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=self.console.open("w"),
            stderr=subprocess.STDOUT,
        )
        self.until(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.console.read_text()
        try:
            return bool(self.get("/api/health"))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url.rstrip("/") + path, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def robot(self, name: str) -> Any:
        return self.get(f"/api/robots/{name}")

    @staticmethod
    def until(condition: Callable[[], Any]) -> Any:
        """Wait until something holds; what it gave."""
        deadline = time.monotonic() + PATIENCE
        while not (found := condition()):
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.03)
        return found

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, self.console.read_text()


def holds(page: Any, condition: str) -> None:
    """Wait until a JavaScript expression is true; asked from outside, as the page's policy forbids `eval` inside."""
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(f"() => Boolean({condition})"):
        assert time.monotonic() < deadline, f"it was never true: {condition}"
        page.wait_for_timeout(20)


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts simulators; words are those of the command line."""
    started: list[Running] = []

    def start(*words: str) -> Running:
        started.append(Running(list(words), tmp_path))
        return started[-1]

    yield start
    for running in started:
        running.end()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages and sees to it that none of them complains."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def note(message: Any) -> None:
        # That a wish was refused in a sentence is no fault of the page, but the browser tells of it as of one.
        if message.type == "error" and not any(f"a status of {code} " in message.text for code in (409, 422)):
            complaints.append(message.text)

    def open_page(running: Running, **wishes: Any) -> Any:
        context = chromium.new_context(viewport={"width": 1280, "height": 820}, accept_downloads=True, **wishes)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(running.url)
        holds(page, "window.mobilesim?.scene.frame && mobilesim.scene.walls && mobilesim.screen.drawn > 2")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _free_ports(count: int) -> int:
    while True:
        first = random.SystemRandom().randrange(10_000, 30_000)
        sockets = [socket.socket() for _ in range(count)]
        try:
            for offset, probe in enumerate(sockets):
                probe.bind(("127.0.0.1", first + offset))
            return first
        except OSError:
            continue
        finally:
            for probe in sockets:
                probe.close()


Open = Callable[..., Any]
Start = Callable[..., Running]


def spot(page: Any, name: str) -> tuple[float, float]:
    """Where a robot or box is in the window."""
    x, y = page.evaluate(
        """(name) => {
          const { scene, screen } = mobilesim;
          const thing = [...scene.robots.values(), ...scene.boxes.values()].find((one) => one.name === name);
          const pose = scene.pose(thing.id, performance.now()), box = screen.stage.getBoundingClientRect();
          const [x, y] = screen.camera.toScreen(pose.x, pose.y);
          return [x + box.left, y + box.top];
        }""",
        name,
    )
    return x, y


def ink(page: Any, layer: str) -> int:
    """How many pixels of a layer are not transparent."""
    count = page.evaluate(
        """(id) => {
          const canvas = document.getElementById(id);
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let k = 3; k < data.length; k += 4) if (data[k]) count += 1;
          return count;
        }""",
        layer,
    )
    return int(count)


def settled(page: Any) -> None:
    """Wait until what was wished for has been drawn."""
    page.evaluate("() => { mobilesim.drawnBefore = mobilesim.screen.drawn; }")
    holds(page, "mobilesim.screen.drawn > mobilesim.drawnBefore + 3")
