"""The Docker image: what its build needs is copied into it, and it runs as an ordinary user."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
STAGES = "\n".join(LINES).split("\nFROM ")


def test_everything_that_the_wheel_is_made_of_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    hooks = [hook["path"] for hook in wheel.get("hooks", {}).values()]
    needed = {"pyproject.toml", project["project"]["readme"], *wheel["packages"], *wheel["force-include"], *hooks}
    copied = {word for line in STAGES[1].splitlines() if line.startswith("COPY ") for word in line.split()[1:-1]}
    assert needed <= copied
    assert all((ROOT / name).exists() for name in copied)


def test_it_is_installed_from_the_wheel_warmed_watched_and_not_run_by_root() -> None:
    assert re.search(r"pip wheel .*--wheel-dir (/\w+) ", STAGES[1])
    assert re.search(r"pip install .*/wheels/\*\.whl", STAGES[1])
    last = STAGES[-1]
    assert last.index("USER robot") < last.index("RUN mobilesim warm") < last.index("HEALTHCHECK")
