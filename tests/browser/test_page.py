"""What a user does on the page, and what the robots' clients see of it."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Client, Running, holds

Start = Callable[..., Running]
Open = Callable[..., Any]
ROOT = Path(__file__).parent.parent.parent


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


def test_every_view_can_be_toggled_and_is_seen(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    client = Client(running.port)
    client.laser_on()
    client.send(11, 150)  # VEL
    page = open_page(running)
    holds(page, "mobilesim.scene.scans?.ranges.length === 181")
    boxes = page.locator("#view input")
    for box in boxes.all():
        if box.is_checked():
            box.click()
    holds(page, "!mobilesim.scene.scans")
    settled(page)
    assert ink(page, "sensor-layer") == 0
    bare = ink(page, "robot-layer")
    for name, needs in (
        ("laser", "mobilesim.scene.scans"),
        ("points", "mobilesim.scene.scans"),
        ("sonar", "mobilesim.scene.echoes"),
        ("trails", "[...mobilesim.scene.trails.values()].some(({ points }) => points.length > 8)"),
        ("odometry", "mobilesim.scene.odometryFrames.size"),
    ):
        page.check(f"#view-{name}")
        holds(page, needs)
        settled(page)
        assert ink(page, "sensor-layer") > 0, name
        page.uncheck(f"#view-{name}")
    client.send(29)  # STOP
    running.until(lambda: running.robot("robot")["velocity"]["forward"] == 0)
    settled(page)
    bare = ink(page, "robot-layer")
    for name in ("labels", "diagnostics", "ghosts"):
        page.check(f"#view-{name}")
        if name == "ghosts":
            # What a standing robot believes is where it is; carried away, it leaves its belief behind.
            holds(page, "mobilesim.scene.frame.odometry && mobilesim.scene.odometryFrames.size")
            page.focus("#stage")
            page.keyboard.press("]")
            for _ in range(6):
                before = running.robot("robot")["pose"]["y"]
                page.keyboard.press("Alt+ArrowDown")
                running.until(lambda y=before: running.robot("robot")["pose"]["y"] < y)
            page.keyboard.press("Escape")
        running.until(lambda: ink(page, "robot-layer") > bare + 20)
        page.uncheck(f"#view-{name}")
        running.until(lambda: abs(ink(page, "robot-layer") - bare) < 60)
    for name in ("grid", "objects"):
        without = page.evaluate("document.getElementById('map-layer').toDataURL()")
        page.check(f"#view-{name}")
        settled(page)
        assert page.evaluate("document.getElementById('map-layer').toDataURL()") != without, name
    client.close()


def test_a_map_is_loaded_by_name_by_file_and_a_bad_one_is_refused(simulator: Start, open_page: Open, tmp_path: Path) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx")
    page = open_page(running)
    page.select_option("#map-choice", "maze.map")
    page.click("#choose-map button")
    holds(page, "mobilesim.scene.map.name === 'maze.map' && mobilesim.scene.walls.number === mobilesim.scene.map.number")
    own = tmp_path / "my <b>own<b>.map"
    own.write_bytes((ROOT / "maps" / "triangle.map").read_bytes())
    page.set_input_files("#map-file", own)
    holds(page, "/own.*\\.map/.test(mobilesim.scene.map.name)")
    assert page.locator("#map-name b").count() == 0
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.map"));
          for (const type of ["dragover", "drop"]) {
            mobilesim.screen.stage.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
          }
        }""",
        (ROOT / "maps" / "office.map").read_text(),
    )
    holds(page, "mobilesim.scene.map.name === 'dropped.map'")
    bad = tmp_path / "bad.map"
    bad.write_text("this is no map\n")
    page.set_input_files("#map-file", bad)
    holds(page, "document.getElementById('notice').textContent.includes('bad.map')")
    assert running.get("/api/map")["name"] == "dropped.map"
    assert not list(tmp_path.glob("*.map.map"))


def test_pause_step_and_speed(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx")
    page = open_page(running)
    page.click("#pause")
    page.wait_for_selector("#pause[aria-pressed=true]")
    page.wait_for_selector("#step:not([disabled])")
    stood = running.get("/api/state")["time"]
    page.click("#step")
    running.until(lambda: running.get("/api/state")["time"] == pytest.approx(stood + 0.1))
    page.focus("#stage")
    page.keyboard.press(".")
    running.until(lambda: running.get("/api/state")["time"] == pytest.approx(stood + 0.2))
    page.select_option("#speed", "5")
    running.until(lambda: running.get("/api/state")["speed"] == 5)
    page.focus("#stage")
    page.keyboard.press("Space")
    page.wait_for_selector("#pause[aria-pressed=false]")
    running.until(lambda: running.get("/api/state")["time"] > stood + 1.0)


def test_an_added_robot_answers_on_its_port_and_can_be_removed(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:first")
    page = open_page(running)
    page.select_option("#robot-model", "p3at")
    page.click("#add-robot button")
    page.wait_for_selector("#robots button:has-text('p3at')")
    port = running.robot("p3at")["port"]
    client = Client(port)
    assert client.sip().flags & 1
    page.wait_for_selector("#robots .held")
    page.click("#robots button:has-text('p3at')")
    page.wait_for_selector("#facts dd:has-text('127.0.0.1')")
    page.click("#remove")
    page.click("#remove-dialog button[value=yes]")
    holds(page, "mobilesim.scene.robots.size === 1")
    client.close()
    page.select_option("#box-model", "box")
    page.click("#add-box button")
    holds(page, "mobilesim.scene.boxes.size === 1")


def test_snapshots_are_not_blank(simulator: Start, open_page: Open) -> None:
    from PIL import Image

    running = simulator("-m", "office.map", "-r", "p3dx")
    page = open_page(running)
    settled(page)
    with page.expect_download() as download:
        page.click("#save-png")
    picture = Image.open(io.BytesIO(Path(download.value.path()).read_bytes())).convert("RGB")
    assert picture.width > 500
    assert len(picture.getcolors(1 << 24) or []) > 20
    with page.expect_download() as download:
        page.click("#save-svg")
    text = Path(download.value.path()).read_text()
    assert text.startswith("<svg")
    assert "p3dx" in text


def test_movies_are_recorded_by_the_page_and_by_the_simulator(simulator: Start, open_page: Open) -> None:
    from PIL import Image

    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.click("#robots button")
    page.focus("#stage")
    page.keyboard.down("ArrowLeft")
    for kind, ending in (("gif", ".gif"), ("webm-page", ".webm")):
        page.select_option("#movie-format", kind)
        page.click("#record")
        page.wait_for_selector("#record[aria-pressed=true]")
        began = running.get("/api/state")["time"]
        running.until(lambda since=began: running.get("/api/state")["time"] > since + 1.0)
        with page.expect_download() as download:
            page.click("#record")
        data = Path(download.value.path()).read_bytes()
        assert download.value.suggested_filename.endswith(ending)
        if kind == "gif":
            assert Image.open(io.BytesIO(data)).n_frames > 3
        else:
            assert len(data) > 1000


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


def test_battery_ghost_and_reset(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    client = Client(running.port)
    page = open_page(running)
    page.click("#robots button")
    page.wait_for_selector("#facts dd:has-text('13.0 V')")
    page.fill("#battery", "11.5")
    page.click("#battery-form button")
    running.until(lambda: client.sip().battery == 115)
    page.click("#ghost")
    page.wait_for_selector("#ghost[aria-pressed=true]")
    assert running.robot("robot")["ghost"]
    page.focus("#stage")
    page.keyboard.press("Alt+ArrowRight")
    running.until(lambda: running.robot("robot")["pose"] != running.robot("robot")["start"])
    page.click("#reset")
    running.until(lambda: running.robot("robot")["pose"] == running.robot("robot")["start"])
    client.close()


def test_the_start_screen_asks_for_map_and_robot_when_nothing_was_given(simulator: Start, open_page: Open) -> None:
    running = simulator()
    page = open_page(running)
    page.wait_for_selector("#start-dialog[open]")
    page.select_option("#start-map", "maze.map")
    page.select_option("#start-model", "p3at")
    page.click("#start-go")
    holds(page, "mobilesim.scene.map.name === 'maze.map' && [...mobilesim.scene.robots.values()][0]?.model === 'p3at'")
    (robot,) = running.get("/api/robots")["robots"]
    assert robot["port"] == running.port
    assert Client(running.port).sip().flags & 1
    assert not running.get("/api/state")["start_screen"]


def test_the_log_is_filtered_and_what_clients_say_stays_text(simulator: Start, open_page: Open) -> None:
    from mobilesim_py.protocols.arcos.client import text_command

    running = simulator("-m", "office.map", "-r", "p3dx:<i>robot</i>")
    client = Client(running.port)
    client.socket.sendall(text_command(238, "<img src=x onerror=alert(1)>"))
    page = open_page(running)
    page.wait_for_selector("#log-lines div:has-text('<img src=x')")
    assert page.locator("#log-lines img, #robots i, #log-lines i").count() == 0
    everything = page.locator("#log-lines div").count()
    page.fill("#log-search", "onerror")
    assert page.locator("#log-lines div").count() == 1
    page.fill("#log-search", "")
    page.select_option("#log-robot", "<i>robot</i>")
    assert 0 < page.locator("#log-lines div").count() < everything
    client.close()


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


def test_dark_and_light_and_a_high_density_touch_screen(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running, color_scheme="dark", device_scale_factor=2, has_touch=True)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    width, css = page.evaluate("[document.getElementById('robot-layer').width, mobilesim.screen.camera.width]")
    assert width == pytest.approx(2 * css, abs=2)
    x, y = spot(page, "robot")
    page.touchscreen.tap(x, y)
    page.wait_for_selector("#selected:not([hidden])")
    scale = page.evaluate("mobilesim.screen.camera.scale")
    fingers = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 40), ("touchMove", 70), ("touchMove", 120), ("touchEnd", 0)):
        points = [{"x": 500 + side * apart, "y": 500} for side in (-1, 1)] if apart else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate("mobilesim.screen.camera.scale") == pytest.approx(3 * scale, rel=0.1)


def test_the_page_comes_back_when_the_connection_was_lost(simulator: Start, open_page: Open) -> None:
    running = simulator("-m", "office.map", "-r", "p3dx")
    page = open_page(running)
    page.goto(running.url + "api/docs")
    page.wait_for_selector("article h2 code:has-text('/api/state')")
    page.goto(running.url)
    holds(page, "window.mobilesim?.scene.frame")
    page.evaluate("mobilesim.scene.frame = null; mobilesim.connection.drop()")
    holds(page, "window.mobilesim?.scene.frame")
    page.wait_for_selector("#offline", state="hidden")
