"""`mobilesim rerun run.mcap`: run a recording again, and say where its bytes first differ."""

from __future__ import annotations

import sys

from mobilesim_py.errors import ExitCode
from mobilesim_py.lab.recordings import open_recording
from mobilesim_py.lab.rerun import rerun
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("rerun", argv, {"": _rerun})


def _rerun(given: Given) -> int:
    recording = open_recording(given.file)
    if not recording.is_lockstep:
        text = "It was not recorded with --lockstep, so that real time had a say in its bytes: they may differ."
        print(f"Warning: {text}", file=sys.stderr)
    outcome = rerun(recording)
    if not recording.is_complete:
        print("Warning: The end of the recording is missing; what is there was compared.", file=sys.stderr)
    said = f"{outcome.seconds:.1f} s, {outcome.clients} clients, {outcome.packets} packets to them"
    if outcome.difference is None:
        print(f"No difference: {said}.")
        return ExitCode.OK
    print("\n".join(outcome.difference.lines()))
    print(f"The same before: {said}.")
    return ExitCode.DIFFERENT
