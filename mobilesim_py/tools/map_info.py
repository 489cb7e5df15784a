"""What is in a map, and what is wrong with it."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import shapely

from mobilesim_py.formats.armap.armap import ArMap
from mobilesim_py.formats.armap.boxes import REFLECTOR_KINDS, box_kinds
from mobilesim_py.formats.armap.objects import ground_values
from mobilesim_py.formats.armap.world import build_world
from mobilesim_py.world.sketch import Sketch, is_drivable
from mobilesim_py.world.world import Problem, World


def summary(armap: ArMap) -> dict[str, Any]:
    """Return everything worth knowing of a map, in its own units (mm, degrees), ready to become JSON."""
    world = build_world(armap)
    bounds = armap.data_bounds
    home = next(iter(world.homes), None)
    return {
        "file": world.path,
        "category": armap.category,
        "sources": [source for source in armap.sources if source],
        "bounds_mm": list(bounds) if bounds else None,
        "size_m": [round(world.bounds.width, 3), round(world.bounds.height, 3)],
        "lines": len(armap.lines),
        "points": len(armap.points),
        "resolution_mm": armap.resolution,
        "obstacle_segments": len(world.segments),
        "origin_lat_long_alt": list(armap.origin) if armap.origin else None,
        "home_mm": [round(home.x * 1000), round(home.y * 1000), round(home.heading * 57.29577951308232, 3)]
        if home
        else None,
        "objects": dict(sorted(Counter(cairn.kind for cairn in armap.cairns).items())),
        "goals": [cairn.name for cairn in armap.cairns if cairn.kind.lower().startswith("goal")],
        "boxes": [box.name for box in world.boxes],
        "reflectors": len(armap.cairns_of(*REFLECTOR_KINDS)),
        "unknown_lines": len(armap.remainder),
        "problems": [{"line": problem.line, "text": problem.text} for problem in problems_of(armap)],
    }


def garden_summary(world: World, sketch: Sketch) -> dict[str, Any]:
    """Return what is worth knowing of a garden, in metres and degrees, ready to become JSON."""
    bounds = world.bounds
    ground: dict[str, float] = {}
    for area in world.areas:
        ground[area.kind] = ground.get(area.kind, 0.0) + float(shapely.area(area.geometry))
    start = sketch.start
    return {
        "file": world.path,
        "category": "garden",
        "bounds_m": [round(value, 3) for value in (bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)],
        "size_m": [round(bounds.width, 3), round(bounds.height, 3)],
        "vertices": len(sketch.vertices),
        "faces": len(sketch.faces),
        "ground_m2": {label: round(size, 2) for label, size in sorted(ground.items())},
        "drivable": sorted(label for label in ground if is_drivable(label)),
        "objects": dict(sorted(Counter(thing.label for thing in sketch.objects).items())),
        "to_trim": [thing.id for thing in sketch.objects if thing.is_trimmable],
        "obstacle_segments": len(world.segments),
        "start": [round(start.x, 3), round(start.y, 3), round(math.degrees(start.heading), 3)] if start else None,
        "problems": [{"line": problem.line, "text": problem.text} for problem in world.problems],
    }


def describe_garden(world: World, sketch: Sketch) -> str:
    """Return the summary of a garden as text for people."""
    facts = garden_summary(world, sketch)
    drivable = facts["drivable"]
    rows = [
        ("file", facts["file"]),
        ("kind", "garden"),
        ("size", "{:g} x {:g} m".format(*facts["size_m"])),
        ("bounds", "{:g} {:g} to {:g} {:g} m".format(*facts["bounds_m"])),
        ("terrain", f"{facts['faces']} faces, {facts['vertices']} vertices"),
        *(
            (label, f"{size:g} m2{'' if label in drivable else ', not to drive on'}")
            for label, size in facts["ground_m2"].items()
        ),
        ("objects", ", ".join(f"{count} {label}" for label, count in facts["objects"].items()) or "none"),
        ("to trim", ", ".join(map(str, facts["to_trim"])) or "nothing"),
        ("start", "{:g} {:g} m, {:g} degrees".format(*facts["start"]) if facts["start"] else "none: no Robot-Vehicle"),
    ]
    text = "\n".join(f"{name + ':':<20}{value}" for name, value in rows)
    return text + "".join(f"\n{world.path}: {problem}" for problem in world.problems)


def problems_of(armap: ArMap) -> tuple[Problem, ...]:
    """Return what the reader noted, and what is in the file but does nothing."""
    found = list(armap.problems)
    if not len(armap.lines) and not len(armap.points):
        found.append(Problem(0, "the map has no lines and no points: there is nothing to bump into"))
    kinds, grounds = box_kinds(armap), ground_values(armap)
    for info in armap.infos:
        given = info.attributes
        name = given.get("name", "")
        if any(key.startswith("sim.") for key in given) and name not in kinds and name.lower() not in grounds:
            text = (
                "Sim.* attributes without effect: only a SectorType with `Sim.Obstacle=yes` or `=no` makes boxes, "
                "and only `Sim.NAME=NUMBER` is a value of the ground"
            )
            found.append(Problem(info.line, text))
    for cairn in armap.cairns:
        if cairn.kind in kinds and not cairn.corners:
            found.append(Problem(cairn.line, f"a {cairn.kind} without its two corners: no box is made"))
    return tuple(found)


def describe(armap: ArMap) -> str:
    """Return the summary as text for people."""
    facts = summary(armap)
    width, height = facts["size_m"]
    rows = [
        ("file", facts["file"]),
        ("kind", facts["category"] + (f", sources {', '.join(facts['sources'])}" if facts["sources"] else "")),
        ("size", f"{width:g} x {height:g} m"),
        ("bounds", "{} {} to {} {} mm".format(*facts["bounds_mm"]) if facts["bounds_mm"] else "none: no data"),
        ("lines", str(facts["lines"])),
        ("points", f"{facts['points']}" + (f", {facts['resolution_mm']} mm" if facts["resolution_mm"] else "")),
        ("obstacles", f"{facts['obstacle_segments']} segments"),
    ]
    if facts["origin_lat_long_alt"]:
        rows.append(("georeference", "{:.6f} {:.6f}, {:g} m".format(*facts["origin_lat_long_alt"])))
    rows.append(("home", "{} {} mm, {:g} degrees".format(*facts["home_mm"]) if facts["home_mm"] else "none"))
    rows.append(("objects", ", ".join(f"{n} {kind}" for kind, n in facts["objects"].items()) or "none"))
    if facts["goals"]:
        rows.append(("goals", ", ".join(name or "(unnamed)" for name in facts["goals"])))
    if facts["boxes"]:
        rows.append(("boxes", ", ".join(facts["boxes"])))
    if facts["unknown_lines"]:
        rows.append(("not understood", f"{facts['unknown_lines']} header lines, kept"))
    text = "\n".join(f"{name + ':':<16}{value}" for name, value in rows)
    return text + "".join("\n" + line for line in problem_lines(armap))


def problem_lines(armap: ArMap) -> list[str]:
    """Return the problems as `FILE:LINE: text`, which editors and CI systems turn into links."""
    name = str(Path(armap.path)) if armap.path else "map"
    return [f"{name}:{p.line}: {p.text}" if p.line else f"{name}: {p.text}" for p in problems_of(armap)]
