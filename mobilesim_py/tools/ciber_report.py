"""The report of a contest: a table for the terminal, JSON for programs, a page with the trails for everybody else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from mobilesim_py.errors import MobileSimError
from mobilesim_py.formats.lab import RunLog, read_log
from mobilesim_py.tools.ciber_contest import Place, Plan, Trial, file_name

SCALE = 16
"""Pixels of a picture for one u_m."""
_STYLE = (
    "body{font:16px sans-serif;margin:2em}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}"
    ".trials{display:flex;flex-wrap:wrap;gap:1.5em}figure{margin:0;max-width:100%}"
    "figcaption{max-width:30em;padding-top:.3em}svg{max-width:100%;height:auto}"
)


def table(places: Sequence[Place]) -> str:
    """Write the ranking for a terminal."""
    width = max([4, *(len(place.team) for place in places)])
    lines = [f"Place  {'Team':{width}}  Score  Time"]
    lines += [f"{n:<5}  {place.team:{width}}  {place.score:<5}  {place.time}" for n, place in enumerate(places, start=1)]
    return "\n".join(lines)


def as_json(plan: Plan, trials: Sequence[Trial], places: Sequence[Place]) -> str:
    """Write everything for programs."""
    told = {"name": plan.name, "ranking": [asdict(place) for place in places], "trials": [asdict(one) for one in trials]}
    return json.dumps(told, indent=1) + "\n"


def page(plan: Plan, trials: Sequence[Trial], places: Sequence[Place], folder: Path) -> str:
    """Write the page: the ranking with the scores of the legs, and the trail of every trial that has a log in the folder."""
    played = {(trial.leg, trial.team): trial for trial in trials}
    legs = "".join(f"<th>{escape(leg.name)}</th>" for leg in plan.legs)
    rows = "".join(
        f"<tr><td>{n}</td><td>{escape(place.team)}</td><td>{place.score}</td><td>{place.time}</td>"
        + "".join(f"<td>{_cell(played.get((leg.name, place.team)))}</td>" for leg in plan.legs)
        + "</tr>"
        for n, place in enumerate(places, start=1)
    )
    parts = [
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(plan.name)}</title><style>{_STYLE}</style>',
        f"<h1>{escape(plan.name)}</h1><p>Rules {escape(plan.rules)}: fewer points are better, then less time. "
        "Of several legs only the last one counts for those who played it. A cell of a leg has points and time.</p>",
        f"<table><tr><th>Place</th><th>Team</th><th>Score</th><th>Time</th>{legs}</tr>{rows}</table>",
    ]
    for leg in plan.legs:
        parts.append(f'<h2>{escape(leg.name)}</h2><div class="trials">')
        for trial in sorted((trial for trial in trials if trial.leg == leg.name), key=lambda one: (one.score, one.time)):
            log = folder / f"{file_name(leg.name)}-{file_name(trial.team)}.log"
            about = f"{trial.score} points, time {trial.time}, {trial.collisions} collisions. {trial.problem}"
            caption = f"<figcaption><b>{escape(trial.team)}</b>: {escape(about.strip())}</figcaption>"
            parts.append(f"<figure>{_picture(log)}{caption}</figure>")
        parts.append("</div>")
    return "\n".join(parts) + "</html>\n"


def _cell(trial: Trial | None) -> str:
    return "" if trial is None else f"{trial.score} ({trial.time})"


def _picture(path: Path) -> str:
    try:
        return trail_svg(read_log(path))
    except MobileSimError:
        return "<p>No log.</p>"


def trail_svg(run: RunLog) -> str:
    """Draw the maze of a log and where its robots went, from a green point to a red one."""
    lab = run.lab
    width, height = lab.width * SCALE, lab.height * SCALE

    def at(x: float, y: float) -> str:
        return f"{x * SCALE:.1f},{height - y * SCALE:.1f}"

    shapes = [f'<rect width="{width:g}" height="{height:g}" fill="#fff" stroke="#333"/>']
    for target in lab.targets:
        x, y = at(target.x, target.y).split(",")
        shapes.append(f'<circle cx="{x}" cy="{y}" r="{target.radius * SCALE:g}" fill="#fd6"/>')
    for wall in lab.walls:
        corners = " ".join(at(*corner) for corner in wall.corners)
        shapes.append(f'<polygon points="{corners}" fill="#333"/>')
    trails: dict[int, list[str]] = {}
    for step in run.steps:
        for robot in step.robots:
            trails.setdefault(robot.id, []).append(at(robot.x, robot.y))
    for points in trails.values():
        shapes.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#07c" stroke-width="2"/>')
    for points in trails.values():
        for point, colour in ((points[0], "#2a2"), (points[-1], "#c22")):
            x, y = point.split(",")
            shapes.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>')
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'
