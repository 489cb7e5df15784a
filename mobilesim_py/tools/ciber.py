"""`mobilesim ciber`: the CiberRato maze contest, for agents, viewers, referees and teachers."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from typing import Any

from mobilesim_py.app.options import DEFAULT_WEB_PORT, Options
from mobilesim_py.errors import NoAnswerError, UsageError
from mobilesim_py.services.ciberrato.referee import Standing, board_text
from mobilesim_py.tools.table import CIBER_ORDERS
from mobilesim_py.tools.words import Given, run

ANSWER_SECONDS = 10.0
INTERRUPTED = 130
"""The exit code of what Ctrl-C ended, as shells have it: a script must not take it for a whole contest."""
LOCAL = "127.0.0.1"
OF_A_ROBOT = ("remove", "disqualify")


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    verbs = {
        "run": lambda given: _run(given, argv),
        "contest": _contest,
        "play": lambda given: _play(given, argv),
        "order": _order,
    }
    return run("ciber", argv, verbs)


def _run(given: Given, argv: list[str]) -> int:
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
    try:
        trials, places = Contest(plan, out).run()
    except KeyboardInterrupt:
        print("The contest is interrupted. Started again, it goes on with what is not played yet.", file=sys.stderr)
        return INTERRUPTED
    (out / "report.json").write_text(report.as_json(plan, trials, places), encoding="utf-8")
    (out / "report.html").write_text(report.page(plan, trials, places, out), encoding="utf-8")
    print(report.table(places))
    print(out / "report.html")
    return 0


def _play(given: Given, argv: list[str]) -> int:
    """Play a log."""
    from mobilesim_py.app.ciber_player import play_log
    from mobilesim_py.services.ciberrato.service import Opening

    opening = Opening(given.host, given.port)
    return play_log(given.file, opening, given.autostart, program_options(given), ["ciber", *argv])


def _order(given: Given) -> int:
    """Give an order to a running game by its API."""
    order, *rest = given.order
    if order not in CIBER_ORDERS or len(rest) != (order in OF_A_ROBOT) or not all(word.isdecimal() for word in rest):
        raise UsageError(
            f"`mobilesim ciber order {' '.join(given.order)}` is no order. There are {', '.join(CIBER_ORDERS)}; "
            "remove and disqualify take a robot's number."
        )
    wish = {"robot": int(rest[0])} if rest else {}
    state = _ask(given, "" if order == "show" else f"/{order}", wish)["facts"]
    print(f"{state['state']}, time {state['time']} of {state['sim_time']}")
    standings = (
        Standing(
            *(one["id"], one["name"], one["state"], one["score"], one["tie_time"], one["collisions"]),
            *(one["arrival_time"], one["returning_time"], ""),
        )
        for one in state["robots"]
    )
    print(board_text(standings))
    return 0


def _ask(given: Given, path: str, wish: dict[str, int]) -> dict[str, Any]:
    """Return what the page of a game answers; NoAnswerError if it does not."""
    where = f"http://{given.host}:{given.web_port}"
    request = urllib.request.Request(f"{where}/api/services/CiberRato{path}", method="POST" if path else "GET")
    if path:
        request.data = json.dumps(wish).encode()
        request.add_header("Content-Type", "application/json")
    if given.token:
        request.add_header("Authorization", f"Bearer {given.token}")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=ANSWER_SECONDS) as answer:
            state: dict[str, Any] = json.load(answer)
            return state
    except urllib.error.HTTPError as error:
        try:
            said = json.load(error)["error"]
        except (ValueError, KeyError, TypeError):
            said = f"it answered {error.code}"
        raise NoAnswerError(f"{where}: {said}") from None
    except (OSError, ValueError):
        raise NoAnswerError(
            f"No page of a game answers at {where}. Start the game with --web, and say its port here with --web-port."
        ) from None


def program_options(given: Given) -> Options:
    """Return the options of the program that all verbs which serve clients have."""
    notes = []
    interactive = sys.stdin is not None and sys.stdin.isatty() and not given.noninteractive
    asked = given.web or given.web_port is not None or given.web_bind != LOCAL
    if getattr(given, "showgraph", None) is not None:
        notes.append("--showgraph has no effect: there is no window to show a graph in.")
    return Options(
        speed=given.speed,
        lockstep=getattr(given, "lockstep", False),
        lockstep_timeout=getattr(given, "lockstep_timeout", 1.0),
        log_file=given.log_file,
        verbose=given.verbose,
        noninteractive=given.noninteractive,
        interactive=interactive,
        web=not given.no_web and (asked or interactive),
        web_port=DEFAULT_WEB_PORT if given.web_port is None else given.web_port,
        web_port_given=given.web_port is not None,
        web_bind=given.web_bind,
        record_movie=given.record_movie,
        notes=tuple(notes),
    )


def _text(path: object) -> str | None:
    return None if path is None else str(path)
