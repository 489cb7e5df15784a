"""`mobilesim ciber`: the CiberRato maze contest, for agents, viewers, referees and teachers."""

from __future__ import annotations

from mobilesim_py.app.options import Options
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("ciber", argv, {"run": lambda given: _play(given, argv), "contest": _contest})


def _play(given: Given, argv: list[str]) -> int:
    """Play a game."""
    from mobilesim_py.app.ciber import Wishes
    from mobilesim_py.app.ciber import run as play
    from mobilesim_py.services.ciberrato import RULES, Choices

    choices = Choices(
        param=_text(given.param),
        lab=_text(given.lab),
        grid=_text(given.grid),
        gps=given.gps,
        beacon=given.beacon,
        compass=given.compass,
        scoring=given.scoring,
        rules=RULES[given.rules],
    )
    wishes = Wishes(
        choices,
        log=given.log,
        results=given.results,
        port=given.port,
        host=given.host,
        agents=given.agents,
        agent_output=given.agent_output,
        autostart=given.autostart,
        ends=given.autostart and given.noninteractive,
        ends_with_parent=given.ends_with_parent,
        seed=given.seed,
        options=program_options(given),
    )
    return play(wishes, ["ciber", *argv])


def _contest(given: Given) -> int:
    """Run a contest and write its report."""
    from mobilesim_py.tools import ciber_report as report
    from mobilesim_py.tools.ciber_contest import Contest, read_plan

    plan = read_plan(given.file)
    out = (given.out or given.file.with_suffix("")).resolve()
    trials, places = Contest(plan, out).run()
    (out / "report.json").write_text(report.as_json(plan, trials, places), encoding="utf-8")
    (out / "report.html").write_text(report.page(plan, trials, places, out), encoding="utf-8")
    print(report.table(places))
    print(out / "report.html")
    return 0


def program_options(given: Given) -> Options:
    """Return the options of the program that all verbs which serve clients have."""
    notes = []
    if getattr(given, "showgraph", None) is not None:
        notes.append("--showgraph has no effect: there is no window to show a graph in.")
    return Options(
        speed=given.speed,
        lockstep=getattr(given, "lockstep", False),
        lockstep_timeout=getattr(given, "lockstep_timeout", 1.0),
        log_file=given.log_file,
        verbose=given.verbose,
        noninteractive=getattr(given, "noninteractive", False),
        notes=tuple(notes),
    )


def _text(path: object) -> str | None:
    return None if path is None else str(path)
