"""Parameter files: `<Parameters ...>` whose attributes replace the defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mobilesim_py.formats.lab.elements import Element, Warn, ignore, read_elements, read_file
from mobilesim_py.formats.lab.facts import FIELD_KINDS, IGNORED_PARAMETER_ATTRIBUTES, PARAMETER_ATTRIBUTES, Parameters

MAX_COUNT = 1_000_000
MAX_LATENCY = 1000
SIGNED_ENDINGS = ("_penalty", "_reward")

Value = bool | int | float | str


def read_parameters(path: str | Path, warn: Warn = ignore) -> Parameters:
    """Read a parameter file; the lab and grid files that it names are not opened here."""
    return parameters_of(read_file(path, "Parameters"), Parameters(), warn)


def parse_parameters(data: bytes, source: str = "parameters", warn: Warn = ignore) -> Parameters:
    """Return the parameters in a document."""
    return parameters_of(read_elements(data, source, "Parameters"), Parameters(), warn)


def parameters_of(root: Element, base: Parameters, warn: Warn = ignore) -> Parameters:
    """Return the base with the values of an element."""
    changes: dict[str, Value] = {}
    for name in root.attributes:
        if name in IGNORED_PARAMETER_ATTRIBUTES:
            continue
        field = PARAMETER_ATTRIBUTES.get(name)
        if field is None:
            advice = f"it knows {', '.join(PARAMETER_ATTRIBUTES)}; remove it or correct its spelling"
            warn(root.warning(f"<Parameters> does not know {name}", advice))
            continue
        changes[field] = _value(root, name, field, warn)
    for child in root.children:
        warn(
            child.warning(
                f"<{child.tag}> means nothing in parameters", "parameters are attributes of <Parameters>; remove it"
            )
        )
    # the keys are fields of the dataclass and the values of their kinds, which the table above guarantees
    return replace(base, **changes)  # type: ignore[arg-type]


def _value(root: Element, name: str, field: str, warn: Warn) -> Value:
    kind = FIELD_KINDS[field]
    text = root.attributes[name]
    if kind == "bool":
        if text not in ("On", "Off"):
            warn(root.warning(f'{name}="{text}" is neither On nor Off and means Off', f'write {name}="On" or {name}="Off"'))
        return text == "On"
    if kind == "int":
        value = root.whole(name)
        lowest = -MAX_COUNT if field.endswith(SIGNED_ENDINGS) else 1 if field == "cycle_time_ms" else 0
        highest = MAX_LATENCY if field.endswith("_latency") else MAX_COUNT
        if not lowest <= value <= highest:
            raise root.error(f'{name}="{text}" is out of range', f"give a whole number from {lowest} to {highest}")
        return value
    if kind == "float":
        number = root.number(name)
        highest_number = 1.0 if field == "line_sensor_true_probability" else float(MAX_COUNT)
        if not 0.0 <= number <= highest_number:
            raise root.error(f'{name}="{text}" is out of range', f"give a number from 0 to {highest_number:g}")
        return number
    return text
