"""The garden interface on the page: sending, selecting in order, trimming, drawing, undoing, by mouse and by keys."""

from __future__ import annotations

import os
from typing import Any

from tests.browser.conftest import holds
from tests.browser.test_navigation_panel import at


def facts(running: Any) -> dict[str, Any]:
    found: dict[str, Any] = running.get("/api/services/TrimBot")["facts"]
    return found


def robot(running: Any) -> dict[str, Any]:
    found: dict[str, Any] = facts(running)["robots"][0]
    return found


def test_a_garden_is_drawn_and_a_robot_is_sent_and_trims(simulator: Any, open_page: Any) -> None:
    running = simulator("-m", "lawn.garden", "-r", "trimbot", "--trim-time", "1", "--speed", "8")
    page = open_page(running)
    objects = page.locator("#services .garden-things button")
    objects.first.wait_for()
    holds(page, "mobilesim.scene.robots.size === 1 && mobilesim.scene.frame")
    assert objects.count() == 7

    # By mouse: a place, with a heading by dragging.
    page.get_by_role("button", name="Navigate").click()
    x, y = at(page, 5.0, 5.0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=3)
    page.mouse.up()
    running.until(lambda: robot(running)["ended"])
    assert robot(running)["ended"][-1] == {"goal": "(5.00, 5.00) facing 0 degrees", "outcome": "reached", "why": ""}
    page.locator("#services .garden-ended li", has_text="reached").wait_for()

    # Two objects in order, then trimmed and ticked.
    page.get_by_role("button", name="Select", exact=True).click()
    page.mouse.click(*at(page, 8.0, 2.6))
    page.mouse.click(*at(page, 5.0, 2.2))
    objects.filter(has_text="8 Topiary-Cylinder").filter(has_text="1.").wait_for()
    objects.filter(has_text="7 Topiary-Ellipsoid").filter(has_text="2.").wait_for()
    page.get_by_role("button", name="Trim selection").click()
    running.until(lambda: robot(running)["trimmed"] == [7, 8])
    ended = [one["goal"] for one in robot(running)["ended"][1:]]
    assert ended == ["Topiary-Cylinder 8", "Topiary-Ellipsoid 7"]
    if picture := os.environ.get("GARDEN_PICTURE"):
        page.screenshot(path=picture)
    page.keyboard.press("Escape")

    # Drawing: a face, an object, a label; and all of it undone.
    page.get_by_role("button", name="Draw terrain").click()
    for corner in ((10.0, 6.0), (12.0, 6.0), (11.0, 6.8)):
        page.mouse.click(*at(page, *corner))
    page.keyboard.press("Enter")
    running.until(lambda: facts(running)["sketch"]["faces"] == 8)
    page.get_by_role("button", name="Add object").click()
    page.mouse.click(*at(page, 3.0, 6.4))
    running.until(lambda: facts(running)["sketch"]["objects"] == 13)
    page.get_by_role("button", name="Select", exact=True).click()
    objects.filter(has_text="13 Topiary-Generic").click()
    page.get_by_label("Label", exact=True).fill("Rose-Generic")
    page.get_by_label("length [m]").fill("0.5")
    page.keyboard.press("Enter")
    objects.filter(has_text="13 Rose-Generic").wait_for()
    for count in (2, 1, 0):
        page.get_by_role("button", name="Undo drawing").click()
        running.until(lambda count=count: facts(running)["sketch"]["undo"] == count)
    assert facts(running)["sketch"]["objects"] == 12

    # By keys alone: terrain is typed, chosen, labelled and removed.
    page.get_by_role("button", name="Draw terrain").press("Enter")
    page.get_by_label("Corners").fill("1,6 2,6 1.5,7")
    page.get_by_label("Corners").press("Enter")
    running.until(lambda: facts(running)["sketch"]["faces"] == 8)
    page.get_by_role("button", name="Select", exact=True).press("Enter")
    page.locator("#services select option", has_text="8 Ground-Grass").wait_for(state="attached")
    page.get_by_label("Terrain", exact=True).select_option("7")
    page.get_by_label("Label", exact=True).fill("Ground-Dirt")
    page.get_by_label("Label", exact=True).press("Enter")
    page.locator("#services select option", has_text="8 Ground-Dirt").wait_for(state="attached")
    page.get_by_role("button", name="Delete", exact=True).press("Enter")
    running.until(lambda: facts(running)["sketch"]["faces"] == 7)

    # A place is typed and given up again.
    page.get_by_label("x [m]").first.fill("12")
    page.get_by_label("y [m]").first.fill("5")
    page.get_by_role("button", name="Go", exact=True).press("Enter")
    running.until(lambda: robot(running)["busy"])
    page.get_by_role("button", name="Cancel goal").press("Enter")
    running.until(lambda: robot(running)["ended"][-1]["outcome"] == "cancelled")
    page.get_by_label("Cover cameras").check()
    running.until(lambda: robot(running)["covered"])
