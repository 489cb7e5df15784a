"""Driving and moving by keyboard, and that every control can be reached with it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from .conftest import Client, Open, Start, holds, settled

ROOT = Path(__file__).parent.parent.parent


def test_a_robot_is_driven_with_the_keyboard_only_while_no_client_holds_it(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.focus("#stage")
    page.keyboard.press("]")
    page.wait_for_selector("#selected:not([hidden])")
    start = running.robot("robot")["pose"]["x"]
    page.keyboard.down("ArrowUp")
    running.until(lambda: running.robot("robot")["pose"]["x"] > start + 0.15)
    page.keyboard.up("ArrowUp")
    running.until(lambda: running.robot("robot")["velocity"]["forward"] == 0)
    page.keyboard.press("Alt+ArrowUp")
    client = Client(running.port)
    page.wait_for_selector("#robots .held")
    holds(page, "document.getElementById('drive-hint').textContent.includes('client')")
    there = client.truth()
    page.keyboard.down("ArrowUp")
    settled(page)
    page.keyboard.up("ArrowUp")
    assert client.truth().x == there.x
    client.close()


def test_quick_presses_carry_a_robot_step_by_step(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.focus("#stage")
    page.keyboard.press("]")
    start = running.robot("robot")["pose"]
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(f"Alt+{key}")
    page.keyboard.press("Alt+Shift+ArrowLeft")
    running.until(lambda: running.robot("robot")["pose"]["heading"] == pytest.approx(math.pi / 36, abs=1e-3))
    there = running.robot("robot")["pose"]
    assert (there["x"] - start["x"], there["y"] - start["y"]) == pytest.approx((0.5, 0.1), abs=1e-3)


def test_every_control_has_a_name_and_can_be_reached_with_the_keyboard(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, [role=application], [role=log], progress, canvas")]
          .filter((one) => !one.closest("[aria-hidden=true]") && !(one.ariaLabel || one.getAttribute("aria-label") ||
            one.textContent.trim() || one.labels?.length || one.getAttribute("aria-labelledby")))
          .map((one) => one.outerHTML)"""
    )
    assert nameless == []
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(70):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.dataset.id || ''"))
    wanted = {"pause", "speed", "fit", "save-png", "record", "theme", "help", "stage", "view-laser", "robot-model"}
    assert wanted | {"map-choice", "map-file", "log-search", "log-lines"} <= reached
    page.focus("#stage")
    page.keyboard.press("?")
    page.wait_for_selector("#help-dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#help-dialog:not([open])", state="attached")
