"""What a user does on the page, and what the robots' clients see of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Client, Open, Start, holds, ink, settled, spot

ROOT = Path(__file__).parent.parent.parent


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
    holds(page, "document.getElementById('errors').textContent.includes('bad.map')")
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
    page.keyboard.press("Enter")
    page.wait_for_selector("#robots button:has-text('p3at')")
    port = running.robot("p3at")["port"]
    client = Client(port)
    assert client.sip().flags & 1
    page.wait_for_selector("#robots .held")
    page.wait_for_selector("#facts dd:has-text('127.0.0.1')")
    page.click("#remove")
    page.wait_for_selector("#remove-dialog[open]")
    page.click("#remove-dialog button[value=yes]")
    holds(page, "mobilesim.scene.robots.size === 1")
    client.close()
    page.select_option("#box-model", "box")
    page.click("#add-box button")
    page.keyboard.press("Enter")
    holds(page, "mobilesim.scene.boxes.size === 1")


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
    enabled = running.robot("robot")["motors"]
    page.click("#motors")
    running.until(lambda: running.robot("robot")["motors"] is not enabled)
    page.wait_for_selector(f"#motors[aria-pressed={str(not enabled).lower()}]")
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
