"""Programs in the documentation run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = [
    pytest.param(program, id=f"{page.name}-{number}")
    for page in PAGES
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL), 1)
    if "import pytest" not in program and 'save("office.png")\n' not in program.splitlines(True)[-1]
]
"""All but those that `test_readme` runs, and looks at what comes of it."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs(program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("maps", "models"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "documentation", "exec"), {})


def test_there_are_programs() -> None:
    assert PROGRAMS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []
