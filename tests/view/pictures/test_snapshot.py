"""Pictures and movies without a browser."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from mobilesim_py.app.program import Program
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.snapshot import Painter, png_of, svg_of
from tests.conftest import build


def test_a_robot_is_seen_where_it_stands(program: Program) -> None:
    painter = Painter()
    without = build("-m", "office.map", "-r", "box")
    bare = painter.draw(take(without.simulation), 600)
    alpha = program.simulation.robots[0]
    before = painter.draw(take(program.simulation), 600)
    alpha.place(alpha.pose.x + 5.0, alpha.pose.y, 0.0)
    after = painter.draw(take(program.simulation), 600)
    assert before.size == bare.size
    box = ImageChops.difference(before, after).getbbox()
    assert box is not None
    assert 0.15 * 600 < box[2] - box[0] < 0.5 * 600


def test_lasers_sonar_and_names_are_drawn_when_asked_for(program: Program) -> None:
    alpha = program.simulation.robots[0]
    alpha.lasers[0].on = alpha.sonar_on = True
    program.simulation.sense()
    plain = take(program.simulation, laser=False, labels=False)
    assert "alpha" not in svg_of(plain)
    for wish in ({"laser": True, "labels": False}, {"laser": False, "sonar": True, "labels": False}):
        moment = take(program.simulation, **wish)
        assert len(svg_of(moment)) > len(svg_of(plain)) + 500
        assert png_of(moment, 300) != png_of(plain, 300)
    assert ">alpha<" in svg_of(take(program.simulation))


def test_names_cannot_break_out_of_the_drawing() -> None:
    program = build("-m", "office.map", "-r", 'p3dx:<script>"&')
    text = svg_of(take(program.simulation))
    assert "<script" not in text
    assert "&lt;script" in text


def test_a_world_without_a_map_is_drawn_about_its_robots() -> None:
    program = build("--nomap", "-r", "p3dx")
    program.simulation.robots[0].place(40.0, 40.0, 0.0)
    picture = Painter().draw(take(program.simulation), 300)
    assert len(picture.getcolors(1 << 20) or []) > 10


def test_boxes_are_drawn_where_they_are_now(program: Program) -> None:
    box = program.add_running("box")
    box.place(3.0, 3.0, 0.3)
    (drawn,) = take(program.simulation).boxes
    assert (drawn.pose.x, drawn.pose.heading) == pytest.approx((3.0, 0.3))
