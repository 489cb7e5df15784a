"""The time line, links to a moment, the measure and the chart."""

from __future__ import annotations

import math
import re

import pytest

from .conftest import Open, Start, holds, spot


def test_the_past_can_be_looked_at_and_a_moment_sent_as_a_link(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.keyboard.press("]")
    page.wait_for_selector("#selected:not([hidden])")
    start = running.robot("robot")["pose"]["x"]
    shown = "mobilesim.scene.pose(mobilesim.scene.selected, performance.now()).x"
    page.keyboard.down("ArrowUp")
    running.until(lambda: running.robot("robot")["pose"]["x"] > start + 0.4)
    page.keyboard.up("ArrowUp")
    running.until(lambda: running.robot("robot")["velocity"]["forward"] == 0)
    holds(page, f"{shown} > {start} + 0.4")
    # The chart has seen it drive.
    holds(page, "/ to [1-9][0-9][0-9] in /.test(document.getElementById('chart-text').textContent)")
    page.evaluate("mobilesim.timeline.show(0)")
    assert page.evaluate(shown) == pytest.approx(start, abs=0.02)
    page.wait_for_selector("#timeline.past")
    assert re.fullmatch(r"[\d.]+ s ago", page.inner_text("#timeline-text"))
    # What has been cannot be moved.
    x, y = spot(page, "robot")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y, steps=3)
    page.mouse.up()
    there = running.robot("robot")["pose"]["x"]
    assert there > start + 0.4
    page.click("#timeline-link")
    holds(page, "location.hash.startsWith('#moment=')")
    guest = open_page(running)
    guest.goto(page.url)
    guest.reload()
    holds(guest, "window.mobilesim?.scene.isPast")
    assert guest.evaluate(shown) == pytest.approx(start, abs=0.02)
    guest.click("#timeline-live")
    assert guest.evaluate(shown) == pytest.approx(there, abs=0.02)
    page.click("#timeline-live")
    holds(page, f"Math.abs({shown} - {there}) < 0.02 && !mobilesim.scene.isPast")


def test_the_measure_tells_distance_and_angle(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    x, y = spot(page, "robot")
    before = running.robot("robot")["pose"]
    page.keyboard.press("m")
    page.wait_for_selector("#measure[aria-pressed=true]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y - 120, steps=4)
    page.mouse.up()
    scale = page.evaluate("mobilesim.screen.camera.scale")
    metres, angle = page.evaluate("mobilesim.measure.text").rstrip("°").split(" m, ")
    assert float(metres) == pytest.approx(150 / scale, abs=0.01)
    assert math.radians(float(angle)) == pytest.approx(math.atan2(120, 90), abs=0.02)
    assert running.robot("robot")["pose"] == before
    page.keyboard.press("Escape")
    assert page.evaluate("mobilesim.measure.text") == ""


def test_what_is_kept_of_the_past_is_bounded(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.click("#pause")
    page.wait_for_selector("#pause[aria-pressed=true]")
    first, last, bytes_kept = page.evaluate(
        """() => {
          const { scene, timeline } = mobilesim, now = scene.frame, slider = document.getElementById("timeline-slider");
          for (let k = 1; k <= 3000; k++) timeline.take({ ...now, time: now.time + 0.1 * k, bytes: 1000 }, performance.now());
          const bounds = [Number(slider.min), Number(slider.max)];
          for (let k = 3001; k <= 3100; k++) timeline.take({ ...now, time: now.time + 0.1 * k, bytes: 2 ** 20 }, performance.now());
          return [...bounds, Number(slider.max) - Number(slider.min)];
        }"""
    )
    assert last - first == pytest.approx(180, abs=0.2)
    assert bytes_kept < 6.5
