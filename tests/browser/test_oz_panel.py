"""The panel of an Oz in a real browser: plants on the map, blocks by the mouse, cameras, pad, trace, and trampled plants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Running, holds

FACTS = "/api/services/NAIO01"


@pytest.fixture
def field(simulator: Callable[..., Running], open_page: Callable[..., Any]) -> tuple[Running, Any]:
    running = simulator("-m", "level1.field", "-r", "oz")
    page = open_page(running)
    page.get_by_role("heading", name="Oz").wait_for()
    return running, page


def facts(running: Running) -> dict[str, Any]:
    found: dict[str, Any] = running.get(FACTS)["facts"]
    return found


def on_stage(page: Any, x: float, y: float) -> tuple[float, float]:
    """Return where a place of the world is in the window."""
    px, py = page.evaluate(f"() => mobilesim.screen.camera.toScreen({x}, {y})")
    box = page.locator("#stage").bounding_box()
    return box["x"] + px, box["y"] + py


def test_blocks_are_placed_and_taken_away_by_the_mouse(field: tuple[Running, Any]) -> None:
    running, page = field
    holds(page, "mobilesim.scene.plants?.count === 129 && mobilesim.scene.map.soil === 'sand'")
    page.get_by_role("button", name="Clicks on the map put blocks down").click()
    page.get_by_label("Size of blocks").fill("128")
    scale = page.evaluate("() => mobilesim.screen.camera.scale")
    page.mouse.click(*on_stage(page, 6.0, 3.0))
    running.until(lambda: facts(running)["blocks"] == 1)
    holds(page, "mobilesim.scene.walls.count === 4")
    ends = page.evaluate("() => [...mobilesim.scene.walls.ends]")
    assert max(ends[0::2]) - min(ends[0::2]) == pytest.approx(1.28, abs=0.01)
    assert page.evaluate("() => mobilesim.screen.camera.scale") == scale, "the view stays where it was"
    page.get_by_role("button", name="Clicks on the map take blocks away").click()
    page.mouse.click(*on_stage(page, 6.0, 3.0))
    running.until(lambda: facts(running)["blocks"] == 0)


def test_the_pad_drives_the_trace_follows_and_plants_are_trampled(field: tuple[Running, Any]) -> None:
    running, page = field
    page.get_by_role("button", name="Trace the robot from here").click()
    page.get_by_role("button", name="Switch the remote on").click()
    page.get_by_title("left stick").scroll_into_view_if_needed()
    stick = page.get_by_title("left stick").bounding_box()
    x, y = stick["x"] + stick["width"] / 2, stick["y"] + stick["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y - stick["height"] / 2)
    running.until(lambda: running.robot("oz")["pose"]["x"] > 0.5)
    page.mouse.up()
    page.evaluate("() => mobilesim.connection.place([...mobilesim.scene.robots.keys()][0], { x: 2.0, y: 0.5, heading: 0 })")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - stick["height"] / 2)
    running.until(lambda: facts(running)["trampled"] > 0)
    holds(page, "mobilesim.scene.plants.flat.some((flat) => flat)")
    page.mouse.up()
    running.until(lambda: facts(running)["robots"][0]["powers"] == [0, 0])


def test_the_cameras_are_seen_while_they_are_wanted(field: tuple[Running, Any]) -> None:
    _, page = field
    page.get_by_role("button", name="Show what both cameras see").click()
    holds(page, "document.querySelector('.stereo').naturalWidth === 752")
    first = page.evaluate("() => document.querySelector('.stereo').src")
    holds(page, f"document.querySelector('.stereo').src !== {first!r}")
