"""`mobilesim models`: a table of all robot models, their facts as JSON, and drawings."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.drawing import save_drawing
from mobilesim_py.catalogue.facts import HEADINGS, model_facts, table_row
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("models", argv, {"list": _list, "show": _show})


def _list(given: Given) -> int:
    if given.docs:
        sys.stdout.write(_write_docs(given.docs))
        return ExitCode.OK
    catalogue = Catalogue.load()
    models = [catalogue.find(name) for name in catalogue.names()]
    if given.json:
        print(json.dumps([model_facts(model) for model in models], indent=1))
    else:
        sys.stdout.write(_table(models))
    return ExitCode.OK


def _show(given: Given) -> int:
    model = Catalogue.load().find(given.model)
    if given.out is not None:
        save_drawing(model, given.out)
    if given.json:
        print(json.dumps(model_facts(model), indent=1))
    else:
        drawn = f"Drawing written to {given.out}" if given.out else "--out FILE.svg or FILE.png draws it."
        print(f"{_description(model)}\n{drawn}")
    return ExitCode.OK


def _write_docs(directory: Path) -> str:
    from mobilesim_py.catalogue.docs import write_documentation

    # The page is about the models that come with the program, whatever the user has.
    catalogue = Catalogue.load(user_include=Path(os.devnull), environ={})
    try:
        return "".join(f"{path}\n" for path in write_documentation(catalogue, directory))
    except OSError as error:
        raise UsageError(f"The documentation cannot be written to {directory}: {error.strerror or error}.") from None


def _table(models: list[RobotModel]) -> str:
    # rich takes a tenth of a second to import; nothing else needs it.
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in HEADINGS:
        whole = heading in ("model", "subclass")
        # As Text, for rich would take the brackets of "size [m]" for markup.
        table.add_column(Text(heading), no_wrap=whole, justify="right" if heading == "sonar" else "left")
    for model in models:
        table.add_row(*(Text(cell) for cell in table_row(model)))
    terminal = sys.stdout.isatty()
    buffer = io.StringIO()
    console = Console(file=buffer, force_terminal=terminal, width=None if terminal else 160, highlight=False)
    console.print(table)
    return buffer.getvalue()


def _description(model: RobotModel) -> str:
    facts = model_facts(model)
    lines = [f"{heading:20} {cell}" for heading, cell in zip(HEADINGS, table_row(model), strict=True) if cell]
    lines.append(f"{'drive':20} {facts['drive']}")
    if not model.is_box:
        factors = ", ".join(f"{key} {value:g}" for key, value in facts["conversion"].items())
        lines.append(f"{'conversion':20} {factors}")
        lines.append(f"{'battery':20} {facts['battery']}")
    for number, laser in enumerate(facts["lasers"], start=1):
        least, most = laser["range_m"]
        flipped = ", upside down" if laser["upside_down"] else ""
        lines.append(
            f"{f'laser {number}':20} {laser['name']} at {laser['x_m']:g}, {laser['y_m']:g} m facing "
            f"{laser['heading_deg']:g} deg: {laser['readings']} readings over {laser['field_of_view_deg']:g} deg, "
            f"{least:g} to {most:g} m{flipped}"
        )
    for number, place in enumerate(facts["sonar_places"]):
        where = f"{place['x_m']:6.3f}, {place['y_m']:6.3f} m facing {place['heading_deg']:g} deg"
        lines.append(f"{f'sonar {number}':20} {'none' if number in model.sonar.absent else where}")
    return "\n".join(lines) + "\n"
