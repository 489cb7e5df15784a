"""Goals given on the page: a right-click, an aimed drag, cancelling; paths on the map and words in the panel."""

from __future__ import annotations

import os
from typing import Any

from tests.browser.conftest import holds


def at(page: Any, x: float, y: float) -> tuple[float, float]:
    """Return where a place of the world is on the screen."""
    left, top = page.evaluate(
        "() => { const box = mobilesim.screen.stage.getBoundingClientRect(); return [box.left, box.top]; }"
    )
    px, py = page.evaluate(f"() => mobilesim.screen.camera.toScreen({x}, {y})")
    return left + px, top + py


def test_robots_are_sent_to_goals_by_clicks(simulator: Any, open_page: Any) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:anna", "-r", "amigo:ben", "--navigate")
    page = open_page(running)
    holds(page, "mobilesim.scene.robots.size === 2 && mobilesim.scene.frame")
    page.get_by_role("heading", name="Navigation").wait_for()
    assert page.get_by_role("button", name="Send…").is_disabled()

    page.locator("#robots button", has_text="anna").click()
    page.mouse.click(*at(page, 15.0, 2.0), button="right")
    running.until(lambda: running.get("/api/robots/anna/goal")["phase"] == "driving")
    facts = running.get("/api/robots/anna/goal")
    assert abs(facts["goal"]["x"] - 15.0) < 0.1
    assert facts["goal"]["heading"] is None
    page.locator("#services .things li", has_text="anna").filter(has_text="drives").wait_for()

    page.locator("#robots button", has_text="ben").click()
    page.keyboard.press("n")
    page.locator("#services .hint", has_text="Click where ben shall go").wait_for()
    x, y = at(page, 9.0, 8.0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.up()
    running.until(lambda: running.get("/api/robots/ben/goal")["phase"] == "driving")
    assert abs(running.get("/api/robots/ben/goal")["goal"]["heading"] - 1.5708) < 0.05
    holds(page, "mobilesim.screen.picker === null")
    if picture := os.environ.get("NAVIGATION_PICTURE"):
        page.wait_for_timeout(8000)
        page.screenshot(path=picture)

    page.locator("#services").get_by_role("button", name="Cancel", exact=True).click()
    running.until(lambda: running.get("/api/robots/ben/goal")["last"])
    assert running.get("/api/robots/ben/goal")["last"]["outcome"] == "cancelled"
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    holds(page, "mobilesim.screen.picker === null && mobilesim.scene.selected !== null")
