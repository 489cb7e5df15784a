"""`mobilesim ciber play`: a log of a run as a program, for viewers, the page and movies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mobilesim_py.app.ciber import CiberProgram, program_options, show_lab
from mobilesim_py.app.logs import Log
from mobilesim_py.app.options import Options
from mobilesim_py.app.program import Program
from mobilesim_py.app.runner import run as run_program
from mobilesim_py.app.supervise import run as supervise
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.formats.lab import RunLog, read_log
from mobilesim_py.net.mailbox import Address
from mobilesim_py.services.ciberrato.log_player import LogPlayer
from mobilesim_py.services.ciberrato.service import Opening

LAST_CYCLES = 5
"""Cycles in which the last step is still told."""


def play_log(path: Path, opening: Opening, runs: bool, options: Options, argv: list[str]) -> int:
    """Play a log until it is told to end; with --noninteractive, until the log is over. Return the exit code."""
    log = read_log(path)
    if not log.steps:
        raise UsageError(f"{path}: this log has no step; give one of a run that was started.")
    cycle_ms = log.parameters.cycle_time_ms
    chosen = program_options(options, cycle_ms)
    opening = replace(opening, period=cycle_ms / 1000.0)
    playing = Playing(path, log, opening, runs, ends=options.noninteractive)
    return supervise(chosen, argv, lambda options: run_program(options, playing.program))


class Playing:
    """A log while it is played."""

    def __init__(self, path: Path, run: RunLog, opening: Opening, runs: bool, ends: bool) -> None:
        """Hold a log ready; one that `ends` lets the program end when it is over."""
        self.player: LogPlayer[Address] = LogPlayer(run, runs, ends)
        self._path, self._opening, self._ends = path, opening, ends
        self._cycles_over = 0

    def program(self, options: Options, log: Log, now: Callable[[], float]) -> Program:
        """Make the program."""
        player, run = self.player, self.player.run
        program = self._program = CiberProgram(
            *(options, log, now, player, self._opening, player), after_cycle=self._after_cycle
        )
        program.waits_for_movie = True
        show_lab(program, run.lab, run.grid)
        log.announce(f"CiberRato: {self._path} has {len(run.steps)} steps, to time {run.steps[-1].time}.")
        if not run.complete:
            log.warning(f"{self._path}: the log ends in the middle; its steps up to there are played.")
        return program

    def _after_cycle(self) -> None:
        self._cycles_over = self._cycles_over + 1 if self.player.is_over and not self.player.is_running else 0
        if self._ends and self._cycles_over > LAST_CYCLES:
            self._program.exit(int(ExitCode.OK))
