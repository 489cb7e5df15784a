"""The devices of a robot on the page: what they say, and what a user does to them."""

from __future__ import annotations

from .conftest import Client, Open, Start, holds


def test_switches_and_buttons_reach_the_robot_and_the_pad_its_joystick(simulator: Start, open_page: Open) -> None:
    running = simulator("--nomap", "-r", "p3dx-equipped:robot")
    page = open_page(running)
    page.click("#robots button")
    page.click("#devices summary")
    holds(page, "document.querySelectorAll('#digital-in input:checked').length === 8")
    page.locator("#digital-in input").nth(3).click()
    running.until(lambda: running.robot("robot")["devices"]["digital_in"] == 0xF7)
    page.locator("#analog input").nth(2).fill("2.5")
    running.until(lambda: running.robot("robot")["devices"]["analog"][2] == 2.5)
    page.click("[data-gripper=close]")
    running.until(lambda: running.robot("robot")["devices"]["gripper"]["paddles"] < 1.0)
    assert not page.locator("#charge-row").is_hidden()
    client = Client(running.port)
    holds(page, "document.querySelector('#drive-hint').textContent.includes('joystick')")
    button = page.locator("[data-drive=forward]")
    button.hover()
    page.mouse.down()
    running.until(lambda: running.robot("robot")["devices"]["joystick"]["y"] == 1.0)
    page.mouse.up()
    running.until(lambda: running.robot("robot")["devices"]["joystick"]["y"] == 0.0)
    client.close()
