"""The panel of a CiberRato game in a real browser: the referee's buttons, the score board, leds and cones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE, ROOT
from tests.view.conftest import free_port

EXPLORER = f"{sys.executable} {ROOT / 'examples' / 'ciber_explorer.py'}"


class Contest:
    """A game with a page."""

    def __init__(self, folder: Path) -> None:
        self.web_port, port = free_port(), free_port()
        words = ["--param", str(ROOT / "maps" / "ciber" / "easy_param.xml"), "--rules", "explorer-2022", "--seed", "3"]
        words += ["--port", str(port), "--web-port", str(self.web_port), "--agent", EXPLORER, "--speed", "4"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mobilesim_py", "ciber", *words],
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        self.until(lambda: len(self.facts()["robots"]) == 1)

    def facts(self) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.web_port}/api/services/CiberRato", timeout=5) as answer:
                facts: dict[str, Any] = json.load(answer)["facts"]
                return facts
        except OSError:
            return {"robots": []}

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.fixture
def contest(tmp_path: Path) -> Iterator[Contest]:
    running = Contest(tmp_path)
    yield running
    running.process.terminate()
    running.process.wait()


def test_the_referee_starts_a_game_and_disqualifies_a_robot_on_the_page(contest: Contest, chromium: Any) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"http://127.0.0.1:{contest.web_port}/")
    board = page.locator("#services .board tbody tr")
    board.first.wait_for()
    assert "explorer" in board.first.inner_text()
    page.get_by_label("Sonar").check()
    page.get_by_role("button", name="Start", exact=True).first.click()
    contest.until(lambda: contest.facts()["time"] > 60)
    page.locator("#services p", has_text="running").wait_for()
    if picture := os.environ.get("CIBER_PICTURE"):
        page.screenshot(path=picture)
    page.get_by_role("button", name="Disqualify: 250 points robot 1").click()
    contest.until(lambda: contest.facts()["robots"][0]["score"] == 250)
    board.filter(has_text="Removed").wait_for()
    page.get_by_role("button", name="Reset", exact=True).first.click()
    contest.until(lambda: contest.facts()["state"] == "Ready")
    assert problems == []
    page.close()
