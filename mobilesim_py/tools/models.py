"""`mobilesim models`: a table of all robot models, their facts as JSON, and drawings."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from pathlib import Path
from typing import NoReturn

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.drawing import save_drawing
from mobilesim_py.catalogue.facts import HEADINGS, model_facts, table_row
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.errors import ExitCode, MobileSimError, UsageError


class _Parser(argparse.ArgumentParser):
    """Leaves exit codes and wording to the caller."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"mobilesim models: {message}; see `mobilesim models --help`.")


def _parser() -> _Parser:
    parser = _Parser(
        prog="mobilesim models",
        description="List the robot models that -r takes, or show one.",
        epilog="Your own models go into ~/.MobileSim/include/; MOBILESIM names another resource directory.",
    )
    parser.add_argument("action", nargs="?", choices=["list", "show"], default="list", help="list all (the default)")
    parser.add_argument("name", nargs="?", help="with show: the model, or an ARIA parameter file NAME.p")
    parser.add_argument("--json", action="store_true", help="print all facts as JSON")
    parser.add_argument("--out", metavar="FILE", help="with show: the drawing, .svg or .png (default NAME.svg)")
    parser.add_argument("--docs", metavar="DIRECTORY", help="write the documentation page and its pictures")
    return parser


def main(argv: list[str]) -> int:
    """Run the tool with the arguments after `models`; return the exit code."""
    try:
        text = _run(argv)
    except MobileSimError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)
    except SystemExit as end:  # --help
        return int(end.code or 0)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(ExitCode.OK)


def _run(argv: list[str]) -> str:
    options = _parser().parse_args(argv)
    if options.action == "show" and not options.name:
        raise UsageError("mobilesim models show: which model? For example `mobilesim models show p3dx`.")
    if options.action == "list" and options.out:
        raise UsageError("mobilesim models: --out belongs to `mobilesim models show NAME`.")
    if options.docs:
        return _write_docs(Path(options.docs))
    catalogue = Catalogue.load()
    if options.action == "show":
        return _show(catalogue.find(options.name), options.json, options.out)
    models = [catalogue.find(name) for name in catalogue.names()]
    if options.json:
        return json.dumps([model_facts(model) for model in models], indent=1) + "\n"
    return _table(models)


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


def _show(model: RobotModel, as_json: bool, out: str | None) -> str:
    if as_json and out is None:
        return json.dumps(model_facts(model), indent=1) + "\n"
    path = Path(out if out is not None else f"{model.name}.svg")
    save_drawing(model, path)
    if as_json:
        return json.dumps(model_facts(model), indent=1) + "\n"
    return _description(model) + f"\nDrawing written to {path}\n"


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
