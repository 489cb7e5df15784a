"""What the mouse does on the map: robots and boxes are dragged and turned, the view is moved."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from .conftest import Client, Open, Start, holds, spot

ROOT = Path(__file__).parent.parent.parent


def test_dragging_a_robot_changes_its_true_pose_and_not_its_odometry(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    client = Client(running.port)
    before, odometry = client.truth(), client.sip()
    page = open_page(running)
    x, y = spot(page, "robot")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 4, steps=5)
    page.mouse.move(x + 120, y - 8, steps=5)
    page.mouse.up()
    metres = 120 / page.evaluate("mobilesim.screen.camera.scale")
    running.until(lambda: abs(client.truth().x - before.x - 1000 * metres) < 40)
    after = client.sip()
    assert (after.x, after.y, after.heading) == (odometry.x, odometry.y, odometry.heading)
    client.close()


def test_a_box_is_dragged(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx", "-r", "box:crate")
    page = open_page(running)
    holds(page, "mobilesim.scene.boxes.size === 1")
    x, y = spot(page, "crate")
    start = running.get("/api/boxes/crate")["pose"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y, steps=5)
    page.mouse.up()
    metres = 50 / page.evaluate("mobilesim.screen.camera.scale")
    running.until(lambda: running.get("/api/boxes/crate")["pose"]["x"] == pytest.approx(start["x"] + metres, abs=0.03))


@pytest.mark.parametrize("how", ["right button", "shift", "handle"])
def test_a_robot_is_turned(simulator: Start, open_page: Open, how: str) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    x, y = spot(page, "robot")
    start = running.robot("robot")
    if how == "handle":
        page.mouse.click(x, y)
        page.wait_for_selector("#selected:not([hidden])")
        hx, hy = page.evaluate(
            """async () => {
              const { handle } = await import("/static/js/paint_robots.js");
              const { scene, screen } = mobilesim, box = screen.stage.getBoundingClientRect();
              const [x, y] = handle(scene, screen.camera, scene.pose(scene.selected, performance.now()));
              return [x + box.left, y + box.top];
            }"""
        )
    else:
        hx, hy = x + 6, y
    if how == "shift":
        page.keyboard.down("Shift")
    page.mouse.move(hx, hy)
    page.mouse.down(button="right" if how == "right button" else "left")
    page.mouse.move(x + 40, y - 40, steps=4)
    page.mouse.move(x, y - 80, steps=4)
    page.mouse.up(button="right" if how == "right button" else "left")
    turned = running.until(lambda: abs(running.robot("robot")["pose"]["heading"]) > 1.3 and running.robot("robot"))
    assert turned["pose"]["heading"] == pytest.approx(math.pi / 2, abs=0.15)
    assert turned["pose"]["x"] == pytest.approx(start["pose"]["x"], abs=0.001)
    assert turned["odometry"] == start["odometry"]


def test_pan_zoom_fit_and_follow(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    scale = page.evaluate("mobilesim.screen.camera.scale")
    under = "() => mobilesim.screen.camera.toWorld(400, 300)"
    box = page.locator("#stage").bounding_box()
    page.mouse.move(box["x"] + 400, box["y"] + 300)
    before = page.evaluate(under)
    page.mouse.wheel(0, -300)
    holds(page, f"mobilesim.screen.camera.scale > {scale} * 1.2")
    assert page.evaluate(under) == pytest.approx(before, abs=1e-6)
    page.mouse.move(box["x"] + 500, box["y"] + 520)
    page.mouse.down()
    page.mouse.move(box["x"] + 560, box["y"] + 500, steps=3)
    page.mouse.up()
    assert page.evaluate(under) != pytest.approx(before, abs=0.1)
    page.click("#fit")
    holds(page, f"Math.abs(mobilesim.screen.camera.scale - {scale}) < 0.01")
    page.click("#robots button")
    page.click("#follow")
    page.wait_for_selector("#follow[aria-pressed=true]")
    pose = running.robot("robot")["pose"]
    holds(page, f"Math.abs(mobilesim.screen.camera.x - {pose['x']}) < 0.01")
