"""`mobilesim ciber`: a game of CiberRato as a program, its log and score board, and the agents that it starts."""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from mobilesim_py.app.agents import Agent
from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.app.program import Program
from mobilesim_py.app.runner import run as run_program
from mobilesim_py.app.service_table import ServiceRow
from mobilesim_py.app.supervise import run as supervise
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.formats.lab import Grid, Lab, LogFile
from mobilesim_py.net.mailbox import Address
from mobilesim_py.services.ciberrato import Choices, CounterNoise, Game, NoLoopError, Setup, Switchboard, load_setup
from mobilesim_py.services.ciberrato.desk import Desk, GameDesk
from mobilesim_py.services.ciberrato.referee import Referee, board_text
from mobilesim_py.services.ciberrato.service import DEFAULT_PORT, Board, CiberService, Opening
from mobilesim_py.services.service import Service, Stage

LOOK_SECONDS = 0.25
"""How often agents and the parent process are looked after, in real time."""
LOCAL = "127.0.0.1"
EVERYWHERE = ("", "0.0.0.0")
"""Addresses to listen on that nobody can send to."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a run of the contest shall be like."""

    choices: Choices = field(default_factory=Choices)
    log: Path | None = None
    """The contest's own log of the run, for log players."""
    results: Path | None = None
    """Where the scores are written as JSON when the run is over."""
    port: int = DEFAULT_PORT
    host: str = LOCAL
    """The address to listen on; empty for all."""
    agents: tuple[str, ...] = ()
    agent_output: Path | None = None
    autostart: bool = False
    ends: bool = False
    """Whether the program ends when the run is over."""
    ends_with_parent: bool = False
    prepare: bool = True
    seed: int | None = None
    options: Options = field(default_factory=Options)
    """How time passes, where the program's log goes, and the like."""


def run(wishes: Wishes, argv: list[str]) -> int:
    """Play a game until it is told to end; the exit code."""
    seed = wishes.seed if wishes.seed is not None else random.SystemRandom().getrandbits(32)
    warnings: list[str] = []
    setup = load_setup(wishes.choices, warnings.append)
    try:
        game = Game(setup, CounterNoise(seed))
    except NoLoopError as error:
        raise UsageError(f"{error}") from None
    if wishes.prepare:
        game.prepare()
    options = program_options(wishes.options, game.parameters.cycle_time_ms, seed)

    def simulate(options: Options) -> int:
        with contextlib.ExitStack() as stack:
            contest = Contest(wishes, setup, game, stack)
            return run_program(options, lambda options, log, now: contest.program(options, log, now, warnings))

    return supervise(options, argv, simulate)


def program_options(options: Options, cycle_time_ms: int, seed: int | None = None) -> Options:
    """Return the options of a program that has nothing but cycles of this length."""
    return replace(
        options,
        nomap=True,
        robots=(),
        network_discovery=False,
        update_interval=cycle_time_ms,
        update_sim_time=cycle_time_ms,
        step_given=True,
        engine="numpy",
        seed=seed,
    )


class CiberProgram(Program):
    """A program whose only service is a board of CiberRato."""

    def __init__(
        self,
        options: Options,
        log: Log,
        now: Callable[[], float],
        board: Board,
        opening: Opening,
        desk: Desk,
        *,
        after_cycle: Callable[[], None] = lambda: None,
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        """Build it; `opened` is called when clients can come in."""

        def make(stage: Stage, options: Options) -> Service:
            return CiberService(stage, board, opening, after_cycle, desk=desk, is_seen=is_seen(options))

        row = ServiceRow(CiberService.name, make, serves=lambda model: False, step=opening.period, is_always_there=True)
        super().__init__(options, log, now=now, services=(row,))
        self._opened = opened

    def open(self) -> None:
        """Let clients in; PortError if that is impossible."""
        super().open()
        self._opened()


def is_seen(options: Options) -> bool:
    """Tell whether anybody looks on: only then the robots and the maze are in the simulated world."""
    return options.web or options.dashboard or bool(options.record_movie)


def show_lab(program: Program, lab: Lab, grid: Grid) -> None:
    """Put a lab into the simulated world, if it is looked at."""
    if is_seen(program.options):
        from mobilesim_py.formats.lab.world import world_of  # its geometry is slow to import

        program.simulation.replace_world(world_of(lab, grid))


class Contest:
    """A game and what belongs to it while it is played: files, agents, the referee."""

    def __init__(self, wishes: Wishes, setup: Setup, game: Game, stack: contextlib.ExitStack) -> None:
        """Open the log; what is opened here closes with the stack."""
        self.wishes, self.game = wishes, game
        self.referee = Referee(game, max(1, len(wishes.agents)), wishes.autostart)
        self.agents: list[Agent] = []
        self._stack = stack
        self._parent = os.getppid()
        self._said_over = False
        self._log_file = self._open_log()
        self.board: Switchboard[Address] = Switchboard(game, self._write_log if self._log_file is not None else None)

    def program(self, options: Options, log: Log, now: Callable[[], float], warnings: list[str]) -> Program:
        """Make the program."""
        opening = Opening(self.wishes.host, self.wishes.port, self.game.parameters.cycle_time_ms / 1000.0)
        program = self._program = CiberProgram(
            *(options, log, now, self.board, opening, GameDesk(self.game, self.referee, self.board.reset)),
            after_cycle=self._after_cycle,
            opened=self._opened,
        )
        show_lab(program, self.game.lab, self.game.grid)
        for warning in (*warnings, *self.game.warnings(), *self.board.warnings):
            log.warning(warning)
        log.info(f"CiberRato: rules {self.game.rules.name}, noise from --seed {options.seed}.")
        return program

    # Agents

    def _opened(self) -> None:
        """Start the agents."""
        output = self.wishes.agent_output
        for pos, command in enumerate(self.wishes.agents, start=1):
            path = output.with_name(f"{output.stem}-{pos}{output.suffix}") if output and pos > 1 else output
            host = LOCAL if self.wishes.host in EVERYWHERE else self.wishes.host
            agent = Agent(command, host=host, port=self.wishes.port, pos=pos, output=path)
            self._stack.callback(agent.stop)
            self.agents.append(agent)
        self._look()

    def _look(self) -> None:
        """See whether the agents still run, and who started us."""
        program = self._program
        if self.wishes.ends_with_parent and os.getppid() != self._parent:
            program.log.error("CiberRato: whoever started this run is gone.")
            program.exit(int(ExitCode.EMULATION))
        ended = bool(self.agents) and all(agent.exit_code is not None for agent in self.agents)
        if ended and not self.game.present and not self.referee.is_over:
            codes = ", ".join(str(agent.exit_code) for agent in self.agents)
            program.log.error(f"CiberRato: the agent ended (exit code {codes}) without having registered a robot.")
            if self.wishes.ends:
                program.exit(int(ExitCode.EMULATION))
        if not ended or not self.wishes.ends:
            program.clock.later(LOOK_SECONDS, self._look)

    # From cycle to cycle

    def _after_cycle(self) -> None:
        self.referee.after_cycle()
        if self.game.files:
            self._write_files()
        if not self.referee.is_over:
            self._said_over = False
        elif self.referee.may_go and not self._said_over:
            self._said_over = True
            self._over()

    def _over(self) -> None:
        standings = self.referee.standings()
        for line in board_text(standings).splitlines():
            self._program.log.announce(f"CiberRato: {line}")
        if self.wishes.results is not None:
            told = {
                "cycles": self.game.time,
                "rules": self.game.rules.name,
                "robots": [asdict(one) for one in standings],
                "agents": [{"command": agent.command, "exit_code": agent.exit_code} for agent in self.agents],
            }
            write_whole(self.wishes.results, json.dumps(told, indent=1) + "\n")
        if self.wishes.ends:
            self._program.exit(int(ExitCode.OK))

    def _write_files(self) -> None:
        """Write what the scoring mode wants written, into the current folder."""
        for name, text in self.game.files.items():
            try:
                Path(name).write_text(text, encoding="latin-1")
            except OSError as error:
                self._program.log.error(f"CiberRato: {name} cannot be written here: {error.strerror}.")
        self.game.files.clear()

    # The contest's log

    def _open_log(self) -> LogFile | None:
        path, game = self.wishes.log, self.game
        if path is None:
            return None
        try:
            stream = self._stack.enter_context(path.open("wb"))
            return LogFile(stream, game.parameters, game.lab, game.grid, time.ctime())
        except OSError as error:
            raise UsageError(f"--log {path} cannot be written: {error.strerror}. Choose another place.") from None

    def _write_log(self, entry: str) -> None:
        if self._log_file is None:
            return
        try:
            self._log_file.write(entry)
        except OSError as error:
            self._program.log.error(f"CiberRato: the log {self.wishes.log} ends here: {error.strerror}.")
            self._log_file = None


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or not at all; UsageError if that is impossible."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Choose another place.") from None
