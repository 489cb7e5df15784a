"""`mobilesim field OUT.field`: write a field of vegetable rows from options."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.formats.field.field_file import field_text
from mobilesim_py.formats.field.plan import CHECKS, GRASS_LEVELS, FieldPlan, check_size
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("field", argv, {"": _write})


def _write(given: Given) -> int:
    values: dict[str, Any] = {"name": given.out.stem, "trampling": not given.springy}
    for item in fields(FieldPlan):
        value = getattr(given, item.name, None)
        if value is not None:
            values[item.name] = value
    if values.get("grass", 0) not in GRASS_LEVELS:
        raise UsageError(f"--grass {values['grass']}: it is one of {', '.join(map(str, GRASS_LEVELS))}")
    try:
        plan = FieldPlan(**{name: CHECKS[name](value) for name, value in values.items()})
        check_size(plan)
    except ValueError as error:
        raise UsageError(f"{given.out}: {error}") from None
    try:
        given.out.write_text(field_text(plan), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{given.out}: cannot write the field ({error.strerror})") from None
    count = plan.rows * plan.plants_per_row
    print(f"{given.out}: {plan.rows} rows of {plan.length:g} m, {count} plants before holes. Drive in it: -m {given.out}")
    return ExitCode.OK
