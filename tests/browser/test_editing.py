"""Adding where one clicks, undoing, keys wherever the focus is, errors that stay, and the page on a phone."""

from __future__ import annotations

import math

import pytest

from .conftest import Open, Start, holds, spot


def test_a_robot_is_added_where_the_pointer_clicks_and_everything_is_undone(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:first", "-r", "box:crate")
    page = open_page(running)
    x, y = spot(page, "first")
    metres = 1 / page.evaluate("mobilesim.screen.camera.scale")
    page.select_option("#robot-model", "p3at")
    page.fill("#add-name", "guard")
    page.click("#add-robot button")
    holds(page, "document.getElementById('hint').textContent.includes('p3at')")
    page.mouse.click(x, y)
    page.wait_for_selector("#errors:has-text('first stands at')")
    assert len(running.get("/api/robots")["robots"]) == 1
    page.mouse.move(x + 150, y)
    page.mouse.down()
    page.mouse.move(x + 150, y - 40, steps=3)
    page.mouse.up()
    page.wait_for_selector("#selected-title:has-text('guard')")
    guard, first = running.robot("guard")["pose"], running.robot("first")["pose"]
    assert guard["x"] - first["x"] == pytest.approx(150 * metres, abs=0.05)
    assert guard["heading"] == pytest.approx(math.pi / 2, abs=0.05)
    page.keyboard.press("Escape")
    holds(page, "document.getElementById('errors').children.length === 0")
    # Carried, turned by key, removed: and all of it back, the last first.
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 5, steps=4)
    page.mouse.up()
    running.until(lambda: running.robot("first")["pose"]["x"] > first["x"] + 0.3)
    page.click("#boxes button")
    page.keyboard.press("Delete")
    holds(page, "mobilesim.scene.boxes.size === 0")
    page.keyboard.press("Control+z")
    holds(page, "mobilesim.scene.boxes.size === 1")
    page.wait_for_selector("#selected-title:has-text('crate')")
    page.keyboard.press("Control+z")
    running.until(lambda: running.robot("first")["pose"] == pytest.approx(first, abs=1e-3))
    page.click("#undo")
    holds(page, "mobilesim.scene.robots.size === 1")
    page.wait_for_selector("#undo[disabled]")


def test_keys_work_wherever_the_focus_is_but_in_text_fields(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    for where in ("#robots button", "#view-trails"):
        page.click(where)
        page.evaluate("mobilesim.scene.select([...mobilesim.scene.robots.keys()][0])")
        heading = running.robot("robot")["pose"]["heading"]
        page.keyboard.down("ArrowLeft")
        running.until(lambda since=heading: abs(running.robot("robot")["pose"]["heading"] - since) > 0.1)
        page.keyboard.up("ArrowLeft")
        running.until(lambda: running.robot("robot")["velocity"]["rotation"] == 0)
    page.select_option("#map-choice", "maze.map")
    page.focus("#log-search")
    page.keyboard.type("g.f ")
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#log-search") == "g.f "
    assert page.evaluate("mobilesim.screen.follows") is None
    assert not running.get("/api/state")["paused"]


def test_words_on_the_map_keep_apart_and_robots_can_be_seen_from_far_away(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", *(["-r", "p3dx"] * 5))
    page = open_page(running)
    overlapping = """async () => {
      const { Labels } = await import("/static/js/labels.js");
      const context = document.createElement("canvas").getContext("2d"), boxes = [];
      context.fillText = (text, x, y) => {
        const { width } = context.measureText(text);
        const left = x - { left: 0, center: width / 2, right: width }[context.textAlign];
        boxes.push([left, y - 6, left + width, y + 6]);
      };
      const label = (n) => ({ key: n, lines: [{ text: `robot ${n}`, font: "12px sans-serif", colour: "#000" }], alpha: 1,
        must: false, spots: [[100 + 9 * n, 60, "center"], [100 + 9 * n, 30, "center"], [100 + 9 * n, 90, "left"]] });
      const words = new Labels();
      words.clear();
      words.draw(context, Array.from({ length: 40 }, (_, n) => label(n)), "#fff");
      let meet = 0;
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
        if (a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]) meet += 1;
      }));
      return [boxes.length, meet];
    }"""
    drawn, meet = page.evaluate(overlapping)
    assert drawn > 10
    assert meet == 0
    page.evaluate("mobilesim.screen.camera.scale = 0.5; mobilesim.screen.moved()")
    pixels = page.evaluate(
        """async () => {
          const { growth, sizeOf } = await import("/static/js/paint_robots.js");
          const { scene, screen } = mobilesim, [id] = scene.robots.keys();
          return growth(scene, id, screen.camera) * sizeOf(scene, id) * screen.camera.scale;
        }"""
    )
    assert pixels >= 15.9


def test_a_phone_has_one_row_of_tools_and_the_pad_in_reach(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running, has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    holds(page, "window.mobilesim?.scene.frame && mobilesim.screen.drawn > 2")
    tools, stage = page.locator(".bar").bounding_box(), page.locator("#stage").bounding_box()
    assert tools["height"] < 60
    assert stage["height"] > 600
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.touchscreen.tap(*spot(page, "robot"))
    forward = page.locator("#stage-pad [data-drive=forward]")
    forward.wait_for()
    box = forward.bounding_box()
    assert box["width"] >= 44
    assert box["height"] >= 44
    x = running.robot("robot")["pose"]["x"]
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    running.until(lambda: running.robot("robot")["pose"]["x"] > x + 0.1)
    page.mouse.up()
    status = page.locator("#status").bounding_box()
    assert status["y"] + status["height"] <= 844
