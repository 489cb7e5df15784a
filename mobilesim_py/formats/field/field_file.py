"""`.field` files: the parameters of a field as JSON, under their English names or those of the original simulator.

{"Nom": "leeks", "Sol": "dirt", "Type culture": "Leek", "Interplant": 0.3, "Nombre de rangees": 4,
 "Longueur rangee": 10, "Largeur rangee": 0.7, "Herbe": 0, "Cailloux": 0, "Butte": false, "Quinconce": false}
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from mobilesim_py.errors import MapError
from mobilesim_py.formats.field.plan import BOWED, CHECKS, GRASS_LEVELS, ROCK_LEVELS, FieldPlan, check_size
from mobilesim_py.world.world import Problem

LARGEST = 1_000_000
ORIGINAL_KEYS = {
    "Nom": "name",
    "Sol": "ground",
    "Butte": "mounds",
    "Type culture": "culture",
    "Interplant": "spacing",
    "Nombre de rangees": "rows",
    "Longueur rangee": "length",
    "Largeur rangee": "width",
    "Quinconce": "staggered",
    "Cailloux": "rocks",
    "Herbe": "grass",
    "Ecart": "deviation",
    "Courbe": "curvature",
}
"""What the original simulator calls the parameters."""
_LEVELS = {"rocks": ROCK_LEVELS, "grass": GRASS_LEVELS}


def read_field(path: Path) -> tuple[FieldPlan, tuple[Problem, ...]]:
    """Read a file; MapError with the line of the mistake."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise MapError(f"cannot read the field ({error.strerror or error})", str(path)) from None
    if len(data) > LARGEST:
        raise MapError(f"a field has at most {LARGEST} bytes: a few parameters, not the plants themselves", str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return parse_field(text, str(path))


def parse_field(text: str, path: str = "") -> tuple[FieldPlan, tuple[Problem, ...]]:
    """Read the text of a file: the plan, and what was not taken as it is written."""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise MapError(f"this is no JSON ({error.msg}, column {error.colno})", path, error.lineno) from None
    except (RecursionError, ValueError):
        raise MapError("this is no JSON that a field can be made from", path) from None
    if not isinstance(given, dict):
        raise MapError('a field is a JSON object, such as {"culture": "Leek", "rows": 4, "length": 20}', path, 1)
    known = {key.lower(): name for key, name in ORIGINAL_KEYS.items()} | {name: name for name in CHECKS}
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in given.items():
        line = _line_of(key, text)
        name = known.get(key.strip().lower())
        if name is None:
            problems.append(Problem(line, f'"{key}" is no parameter of a field and is passed over'))
            continue
        if name in values:
            problems.append(Problem(line, f'"{key}" says "{name}" once more; this value counts'))
        try:
            values[name] = CHECKS[name](_converted(key.strip(), value))
        except ValueError as error:
            raise MapError(f'"{key}" is {_short(value)}; {error}', path, line) from None
        level = max(step for step in _LEVELS.get(name, (values[name],)) if step <= values[name])
        if level != values[name]:
            problems.append(Problem(line, f'"{key}" {values[name]} is taken as {level}, the next of the levels there are'))
            values[name] = level
    plan = FieldPlan(**values)
    try:
        check_size(plan)
    except ValueError as error:
        raise MapError(str(error), path) from None
    return plan, tuple(problems)


def field_text(plan: FieldPlan) -> str:
    """Return the text of a file, with the English names."""
    values = {item.name: getattr(plan, item.name) for item in fields(plan) if item.name != "patches"}
    if plan.patches:
        values["patches"] = [{"rectangle": list(patch.rectangle), **patch.values} for patch in plan.patches]
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def _converted(key: str, value: Any) -> Any:
    """Return a value of the original's keys in our units: deviations in centimetres, curved or not."""
    if key.lower() == "ecart" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return value / 100.0
    if key.lower() == "courbe" and isinstance(value, bool):
        return BOWED if value else 0.0
    return value


def _line_of(key: str, text: str) -> int:
    """Return the line that a key stands in."""
    found = re.search(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:", text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."
