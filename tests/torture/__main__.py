"""The long attack: `make torture`, or `python -m tests.torture --minutes 60 --seed 7 --only robots,files`.

Of the time two thirds go to the attacks on the programs in turn; files, hardships and failing calls have their share of the
rest, and the soak what remains. The report is printed, and written into the folder with whatever a problem left behind.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.torture.battle import battle
from tests.torture.faults import every_call_fails_once
from tests.torture.files import Readings, read_files
from tests.torture.hardships import HARDSHIPS
from tests.torture.report import Findings, page
from tests.torture.soak import growth, soak
from tests.torture.wires import PROGRAMS

ROUND_SECONDS = 120.0
"""Length of one attack; then the program is ended, which must succeed, and the next one begins with another seed."""
FILES_IN_TURN = 2000
MOST_GROWTH_MB = 8.0
"""What the soak may grow by, from its middle third to its last."""


class Torture:
    """One run of everything that was asked for."""

    def __init__(self, folder: Path, minutes: float, seed: int, only: set[str], rate: float, files: int) -> None:
        self.folder, self.seconds, self.only, self.rate, self.files = folder, minutes * 60.0, only, rate, files
        self.findings = Findings(seed)
        self._rng = random.Random(seed)

    def wanted(self, name: str) -> bool:
        """Whether a part was asked for."""
        return not self.only or name in self.only

    def run(self) -> Findings:
        """Do it all."""
        if self.wanted("faults"):
            self._try(self._fail_calls)
        if self.wanted("files"):
            self._try(self._read_files)
        if self.wanted("hardships"):
            self._try(self._suffer)
        programs = [program for program in PROGRAMS.values() if self.wanted(program.name)]
        until = time.monotonic() + self.seconds * 2.0 / 3.0
        while programs and time.monotonic() < until:
            for program in programs:
                seconds = min(ROUND_SECONDS, max(5.0, (until - time.monotonic()) / len(programs)))
                self._try(lambda program=program, seconds=seconds: self._fight(program.name, seconds))  # type: ignore[misc]
        if self.wanted("soak"):
            self._try(self._soak)
        return self.findings

    def _try(self, part: Callable[[], None]) -> None:
        """Do a part; that the tool itself fails is a problem, too, but not the end."""
        try:
            part()
        except Exception:
            self.findings.problems.append(traceback.format_exc())
            say(f"PROBLEM: {traceback.format_exc()}")

    def _problem(self, text: str) -> None:
        self.findings.problems.append(text)
        say(f"PROBLEM: {text}")

    def _fight(self, name: str, seconds: float) -> None:
        number = len(self.findings.outcomes)
        outcome = battle(
            PROGRAMS[name],
            self.folder / f"battle-{number}",
            seconds=seconds,
            seed=self.findings.seed * 1000 + number,
            rate=self.rate,
            tell=say,
        )
        self.findings.outcomes.append(outcome)
        for problem in outcome.problems:
            self._problem(f"{name}, battle {number}: {problem}")

    def _read_files(self) -> None:
        total = self.findings.readings
        for number in range(0, self.files, FILES_IN_TURN):
            part = read_files(
                self.folder / "files", min(FILES_IN_TURN, self.files - number), self.findings.seed + number, tell=say
            )
            _add(total, part)
            for problem in part.problems:
                self._problem(problem)

    def _suffer(self) -> None:
        until = time.monotonic() + self.seconds / 8.0
        kinds = [hardship for hardship in HARDSHIPS for _ in range(hardship.weight)]
        while time.monotonic() < until:
            hardship, seed = self._rng.choice(kinds), self._rng.randrange(1 << 30)
            number = sum(self.findings.suffered.values())
            self.findings.suffered[hardship.name] += 1
            if problem := hardship.suffer(self.folder / f"hardship-{number}", random.Random(seed)):
                self._problem(f"{hardship.name}, seed {seed}: {problem}")

    def _fail_calls(self) -> None:
        self.findings.faults, problems = every_call_fails_once(self.folder / "faults", tell=say)
        for problem in problems:
            self._problem(problem)

    def _soak(self) -> None:
        samples, _ = soak(
            self.folder / "soak", hours=24.0, count=100, longest=self.seconds / 6.0, seed=self.findings.seed, tell=say
        )
        self.findings.samples = samples
        memory, descriptors = growth(samples)
        if memory > MOST_GROWTH_MB or descriptors > 0:
            self._problem(f"the soak grew by {memory:.1f} MB and {descriptors} descriptors")


def _add(total: Readings, part: Readings) -> None:
    total.count.update(part.count)
    total.unexpected.update(part.unexpected)
    total.bytes += part.bytes
    total.accepted += part.accepted
    total.refused += part.refused


def say(text: str) -> None:
    """Tell how it goes."""
    print(text, flush=True)


def main() -> int:
    """Run what was asked for; 1 if there were problems."""
    parser = argparse.ArgumentParser(
        prog="torture", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="how long, altogether (default 60)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the seed of everything (default: the time)")
    parser.add_argument("--rate", type=float, default=150_000.0, help="bytes per second on each wire (default 150000)")
    parser.add_argument("--files", type=int, default=10_000, help="how many files are mutated and read (default 10000)")
    parser.add_argument(
        "--only", default="", help=f"parts: {', '.join((*PROGRAMS, 'files', 'hardships', 'faults', 'soak'))}"
    )
    parser.add_argument("--folder", type=Path, help="where logs and what problems leave are kept (default: a new one)")
    words = parser.parse_args()
    folder = words.folder or Path(tempfile.mkdtemp(prefix="torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    say(f"torture: seed {words.seed}, {words.minutes:g} minutes, in {folder}")
    began = time.monotonic()
    only = set(filter(None, words.only.split(",")))
    findings = Torture(folder, words.minutes, words.seed, only, words.rate, words.files).run()
    text = page(findings, time.monotonic() - began)
    (folder / "report.md").write_text(text)
    print(f"\n{text}")
    return 1 if findings.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
