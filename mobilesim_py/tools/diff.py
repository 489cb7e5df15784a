"""`mobilesim diff A.mcap B.mcap`: say what two recorded runs do not have in common."""

from __future__ import annotations

import sys

from mobilesim_py.errors import ExitCode
from mobilesim_py.lab.comparison import compare
from mobilesim_py.lab.recordings import open_recording
from mobilesim_py.tools.words import Given, run


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("diff", argv, {"": _diff})


def _diff(given: Given) -> int:
    recordings = [open_recording(path) for path in (given.first, given.second)]
    comparison = compare(*recordings)
    for recording in recordings:
        if not recording.is_complete:
            print(f"Warning: The end of {recording.path} is missing; what is there was compared.", file=sys.stderr)
    print("\n".join(comparison.lines()))
    return ExitCode.OK if comparison.is_same else ExitCode.DIFFERENT
