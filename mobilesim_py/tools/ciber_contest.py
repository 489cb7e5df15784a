"""`mobilesim ciber contest`: teams, legs and trials as the rules of Explorer 2022 have them (5.3 to 5.5), and the report.

Every trial is a process of its own with its agent, in lockstep. Its result is a file, written when the trial is over: a
contest that was killed goes on with the trials whose results are missing or were made with something else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mobilesim_py.errors import ExitCode, FileError, PortError, UsageError
from mobilesim_py.net.datagrams import bound_socket
from mobilesim_py.services.ciberrato import RULES, Choices, Setup, load_setup

WORST_SCORE = 250
FINALISTS = 3
AT_A_TIME = 2
TRIAL_SECONDS = 120.0
"""Longest real time of a trial; an agent that takes longer is out."""
PORT_SECONDS = 5.0
LOOK_SECONDS = 0.1
_LEG_FILES = ("param", "lab", "grid")


class ContestError(FileError):
    """A contest file that cannot be used."""

    exit_code = ExitCode.USAGE


class _InterruptedError(Exception):
    """A trial that ended because the contest does; it has no result."""


@dataclass(frozen=True, slots=True)
class Team:
    """Who takes part, and the command of its agent."""

    name: str
    agent: str


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of the contest: one trial for each team on the same field."""

    name: str
    param: str = ""
    lab: str = ""
    grid: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a contest file says."""

    folder: Path
    name: str
    teams: tuple[Team, ...]
    legs: tuple[Leg, ...]
    rules: str = "explorer-2022"
    finalists: int = FINALISTS
    at_a_time: int = AT_A_TIME
    port: int = 6000
    trial_seconds: float = TRIAL_SECONDS


@dataclass(frozen=True, slots=True)
class Trial:
    """How a trial ended; the time is in cycles."""

    leg: str
    team: str
    score: int
    time: int
    collisions: int = 0
    problem: str = ""
    """What went wrong; empty if nothing did."""


@dataclass(frozen=True, slots=True)
class Place:
    """A team's sum of scores and times."""

    team: str
    score: int
    time: int


def read_plan(path: Path) -> Plan:
    """Read a contest file; ContestError says what is wrong and what to do."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ContestError(f"cannot be read ({error.strerror}); check the name of the file", str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContestError(f"is no TOML: {error}; correct it there", str(path)) from None
    teams = tuple(_made(Team, entry, "team", path) for entry in _tables(found.pop("team", None), "team", path))
    legs = tuple(_made(Leg, entry, "leg", path) for entry in _tables(found.pop("leg", None), "leg", path))
    for kind, named in (("team", teams), ("leg", legs)):
        names = [one.name for one in named]
        if len({file_name(name) for name in names}) < len(names):
            raise ContestError(f"two of [[{kind}]] have the same name; give each its own", str(path))
    found.setdefault("name", path.stem)
    plan: Plan = _made(Plan, {**found, "folder": path.parent.resolve(), "teams": teams, "legs": legs}, "contest", path)
    if plan.rules not in RULES:
        raise ContestError(f'rules = "{plan.rules}" is unknown; write "explorer-2022" or "ciberrato"', str(path))
    return plan


def _tables(found: object, kind: str, path: Path) -> list[dict[str, Any]]:
    if not isinstance(found, list) or not found or not all(isinstance(entry, dict) for entry in found):
        raise ContestError(f"there is no {kind}; add [[{kind}]] with its name", str(path))
    return found


def _made(kind: type[Any], entry: dict[str, Any], what: str, path: Path) -> Any:
    wanted = {"str": str, "int": int, "float": (int, float)}
    for key, value in entry.items():
        expected = kind.__annotations__.get(key)
        if expected is None:
            known = ", ".join(key for key in kind.__annotations__ if key not in ("folder", "teams", "legs"))
            raise ContestError(f"{what} does not know {key}; it knows {known}", str(path))
        if expected in wanted and not isinstance(value, wanted[expected]):  # type: ignore[arg-type]
            raise ContestError(f"{key} = {value!r} of {what} is of the wrong kind; it is a {expected}", str(path))
    try:
        return kind(**entry)
    except TypeError as error:
        missing = str(error).rpartition(": ")[2]
        raise ContestError(f"a {what} lacks {missing}; add it", str(path)) from None


def ranking(trials: list[Trial]) -> list[Place]:
    """Return the teams by their sums of scores and then of times, the best first."""
    teams = dict.fromkeys(trial.team for trial in trials)
    places = []
    for team in teams:
        own = [trial for trial in trials if trial.team == team]
        places.append(Place(team, sum(trial.score for trial in own), sum(trial.time for trial in own)))
    return sorted(places, key=lambda place: (place.score, place.time))


class Contest:
    """A contest and the folder of its results."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan, self.out = plan, out
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_interrupted = False
        self._slots: queue.Queue[int] = queue.Queue()
        for slot in range(plan.at_a_time):
            self._slots.put(slot)
        self._setups = {leg.name: self._setup(leg) for leg in plan.legs}

    def _setup(self, leg: Leg) -> Setup:
        """Read the files of a leg before anything is played; `LabFileError` says where one is wrong."""
        named = {name: str(self.plan.folder / getattr(leg, name)) for name in _LEG_FILES if getattr(leg, name)}
        choices = Choices(**named, rules=RULES[self.plan.rules])  # type: ignore[arg-type]
        return load_setup(choices, lambda warning: print(f"Warning: {leg.name}: {warning}", flush=True))

    def run(self) -> tuple[list[Trial], list[Place]]:
        """Play what is not played yet; return all trials and the final ranking."""
        plan = self.plan
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{self.out} cannot be made: {error.strerror}. Choose another place: --out.") from None
        trials: list[Trial] = []
        teams = list(plan.teams)
        for number, leg in enumerate(plan.legs, start=1):
            is_final = number == len(plan.legs) > 1
            if is_final:
                best = [place.team for place in ranking(trials)[: plan.finalists]]
                teams = [team for team in plan.teams if team.name in best]
            trials += self._leg(leg, teams)
        # Only the final counts in the end; those who were not in it follow as they stood before.
        final = ranking([trial for trial in trials if trial.leg == plan.legs[-1].name])
        finalists = {place.team for place in final}
        return trials, final + [place for place in ranking(trials) if place.team not in finalists]

    def _leg(self, leg: Leg, teams: list[Team]) -> list[Trial]:
        """Play the trials of a leg; when one cannot be played at all, or somebody interrupts, the others end with it."""
        pool = ThreadPoolExecutor(self.plan.at_a_time)
        try:
            return list(pool.map(lambda team: self._trial(leg, team), teams))
        except BaseException:
            self._is_interrupted = True
            for process in tuple(self._running):
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _trial(self, leg: Leg, team: Team) -> Trial:
        stem = self.out / f"{file_name(leg.name)}-{file_name(team.name)}"
        kept, key = stem.with_suffix(".json"), self._key(leg, team)
        try:
            found = json.loads(kept.read_text(encoding="utf-8"))
            if found.pop("key") == key:
                return Trial(**found)
        except (OSError, ValueError, KeyError, TypeError):
            pass  # not played yet
        trial = self._play(leg, team, stem)
        part = kept.with_suffix(".part")
        part.write_text(json.dumps({"key": key, **asdict(trial)}, indent=1) + "\n", encoding="utf-8")
        part.replace(kept)
        print(f"{leg.name}: {team.name}: {trial.score} points, time {trial.time}. {trial.problem}".rstrip(), flush=True)
        return trial

    def _key(self, leg: Leg, team: Team) -> str:
        """Return what tells whether a result was made with the same agent, field and rules."""
        digest = hashlib.sha256(repr((asdict(leg), asdict(team), self._setups[leg.name])).encode())
        for word in team.agent.split():
            with contextlib.suppress(OSError, ValueError):  # most words are no files
                path = self.plan.folder / word.strip("'\"")
                if path.is_file():
                    with path.open("rb") as file:
                        digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]

    def _play(self, leg: Leg, team: Team, stem: Path) -> Trial:
        plan, scores = self.plan, stem.with_suffix(".scores")
        scores.unlink(missing_ok=True)
        slot = self._slots.get()
        # A loopback address for each: agents that cannot change the port can change the host.
        host = f"127.0.0.{slot + 2}"
        try:
            self._await_port(host)
            words = ["--rules", plan.rules, "--seed", str(leg.seed), "--port", str(plan.port)]
            words += ["--bind-to-address", host, "--lockstep", "--autostart", "--noninteractive"]
            words += ["--end-with-parent", "--agent", team.agent, "--agent-output", str(stem.with_suffix(".said"))]
            words += ["--log", str(stem.with_suffix(".log")), "--results", str(scores)]
            words += [word for name in _LEG_FILES if getattr(leg, name) for word in (f"--{name}", getattr(leg, name))]
            problem = self._run([sys.executable, "-m", "mobilesim_py", "ciber", "run", *words], stem.with_suffix(".txt"))
        finally:
            self._slots.put(slot)
        try:
            found = json.loads(scores.read_text(encoding="utf-8"))
            robot, agent = found["robots"][0], found["agents"][0]
        except (OSError, ValueError, KeyError, IndexError):
            return Trial(
                leg.name,
                team.name,
                WORST_SCORE,
                self._setups[leg.name].parameters.sim_time,
                problem=problem or "There is no score.",
            )
        score = min(WORST_SCORE, robot["score"])
        # Only an agent that failed is worth a word: one that ends with 0, or still runs, is as it should be.
        if code := agent["exit_code"]:
            problem = f"Its agent ended with exit code {code}: see {stem.name}.said."
        return Trial(leg.name, team.name, score, robot["time"], robot["collisions"], problem)

    def _await_port(self, host: str) -> None:
        """Wait until a port is free, as trials of a contest that was killed take a moment to end; else PortError."""
        deadline = time.monotonic() + PORT_SECONDS
        while not self._is_interrupted:
            try:
                bound_socket(host, self.plan.port).close()
                return
            except PortError:
                if time.monotonic() > deadline:
                    raise PortError(
                        f"UDP port {self.plan.port} of {host} is taken, which the contest needs. End what has it, "
                        f"or write another one into the contest file: port = {self.plan.port + 100}."
                    ) from None
            time.sleep(LOOK_SECONDS)

    def _run(self, line: list[str], output: Path) -> str:
        """Run a trial; return what went wrong."""
        if self._is_interrupted:
            raise _InterruptedError
        with output.open("wb") as said:
            # In a session of its own: Ctrl-C is for the contest, and is no reason for a trial to end without its score.
            process = subprocess.Popen(
                line,
                cwd=self.plan.folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running.add(process)
            if self._is_interrupted:
                process.terminate()
            try:
                code = process.wait(self.plan.trial_seconds)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
                return f"It took longer than {self.plan.trial_seconds:g} s."
            finally:
                self._running.discard(process)
        if self._is_interrupted:
            raise _InterruptedError
        if code == ExitCode.EMULATION:
            return f"Its agent ended without having registered: see {output.with_suffix('.said').name}."
        return f"It ended with exit code {code}: see {output.name}." if code else ""


def file_name(name: str) -> str:
    """Return a name as files can have it."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
