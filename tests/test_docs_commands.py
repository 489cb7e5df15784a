"""Every command line of README and docs is right as it stands, in a directory that has nothing of ours.

Tools run. Of a simulator everything is read and drawn up but its ports stay closed, for many tests run at once; requests are
looked up in the table of routes. A block that needs what is not here says so: `<!-- not run: needs Docker -->`.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mobilesim_py.__main__ import main
from mobilesim_py.app.blueprint import draw_up
from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import open_log
from mobilesim_py.tools.table import TOOLS
from mobilesim_py.view.page.routes import ROUTES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- not run: (?P<why>.+?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(MobileSim|mobilesim|curl|python|pip|make|docker|ros2?\w*) ", re.MULTILINE)
NEED_A_SIMULATOR = ("drive", "wait", "sniff", "ciber", "garden", "rerun", "diff")
"""Tools that need one, or what one has recorded, and are not run here: their options are looked up in their help."""
OF_THE_READER = ("./wander", "./myclient", ":", "sleep", "kill")
LONGEST_REASON = 60


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    kind: str
    text: str
    why: str
    """Why it is not run; empty if it is."""


def blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in BLOCK.finditer(text):
            line = text[: match.start("text")].count("\n") + 1
            found.append(Block(page, line, match["kind"], match["text"], match["why"] or ""))
    return found


SHELL = [block for block in blocks() if block.kind == "sh"]


def commands(text: str) -> list[list[str]]:
    """Return the words of every command of a block, without redirections."""
    found: list[list[str]] = []
    for line in text.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&;|<>")
        lexer.whitespace_split = True
        command: list[str] = []
        redirects = False
        for word in [*lexer, ";"]:
            if set(word) <= set("&;|") or word == ">&":
                found += [command] if command else []
                command = [] if word != ">&" else command
                redirects = word == ">&"
            elif set(word) <= set("<>"):
                redirects = True
            elif redirects or (word == "2" and line.rstrip().endswith("&")):
                redirects = False
            else:
                command.append(word)
    return found


def simulate(words: list[str]) -> None:
    options = parse(words)
    log = open_log(parse(["--nomap"]))
    try:
        draw_up(options, Path.cwd(), log)
    finally:
        log.close()


def use_tool(words: list[str]) -> None:
    assert words[0] in TOOLS
    if words[0] in NEED_A_SIMULATOR or (words[0] == "snapshot" and "-m" not in words):
        text = help_of(words[0])
        for word in words:
            assert not word.startswith("--") or word.split("=")[0] in text, word
        return
    assert main(words) == 0


def help_of(tool: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main([tool, "--help"]) == 0
    return said.getvalue()


def request(words: list[str]) -> None:
    method = words[words.index("-X") + 1] if "-X" in words else "GET"
    (path,) = (re.sub(r"^localhost:8080|\?.*", "", word.split("?")[0]) for word in words if word.startswith("localhost"))
    patterns = [re.sub(r"\{\w+\}", "[^/]+", route.path) for route in ROUTES if route.method == method]
    assert any(re.fullmatch(pattern, path) for pattern in patterns), f"{method} {path}"
    if "-d" in words:
        json.loads(words[words.index("-d") + 1])


def make(words: list[str]) -> None:
    targets = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    assert words[0] in targets[1].split()


def python(words: list[str]) -> None:
    assert words[:2] == ["-m", "benchmarks"]


def pip(words: list[str]) -> None:
    (extra,) = re.findall(r"\[(\w+)\]$", words[-1])
    assert words[:-1] == ["install"]
    assert extra in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


PROGRAMS: dict[str, Callable[[list[str]], None]] = {
    "MobileSim": simulate,
    "mobilesim": use_tool,
    "curl": request,
    "make": make,
    "pip": pip,
    "python": python,
}


@pytest.mark.parametrize("block", SHELL, ids=lambda block: f"{block.page.name}-{block.line}")
def test_commands_are_right_as_they_stand(block: Block, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if block.why:
        pytest.skip(f"{block.page.name}:{block.line} {block.why}")
    subprocess.run(["sh", "-n"], input=block.text, text=True, check=True)
    monkeypatch.chdir(tmp_path)
    for command in commands(block.text):
        if command[0] not in OF_THE_READER:
            PROGRAMS[command[0]](command[1:])


def test_no_command_hides_in_a_block_that_is_not_looked_at() -> None:
    hidden = [block for block in blocks() if block.kind in ("", "console", "bash", "shell") and COMMAND.search(block.text)]
    assert [f"{block.page.name}:{block.line}" for block in hidden if "[OPTIONS" not in block.text] == []


def test_few_blocks_are_left_out_and_say_why() -> None:
    left_out = [block for block in SHELL if block.why]
    assert len(SHELL) > 15
    assert len(left_out) < len(SHELL) / 4
    assert all(block.why.startswith(("needs ", "changes ")) and len(block.why) < LONGEST_REASON for block in left_out)


@pytest.mark.parametrize(
    "text",
    [
        "MobileSim -m no-such.map -r p3dx",
        "MobileSim -r p3dx --no-such",
        "mobilesim map info no.map",
        "curl -X PUT localhost:8080/no",
    ],
)
def test_a_wrong_line_is_noticed(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    ((program, *words),) = commands(text)
    with pytest.raises(Exception):  # noqa: B017, PT011  (each complains in its own way)
        PROGRAMS[program](words)
