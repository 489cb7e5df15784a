"""`mobilesim models`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mobilesim_py.__main__ import main as program
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.errors import ExitCode


def main(argv: list[str]) -> int:
    return program(["models", *argv])


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty directory that is the user's home, too."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MOBILESIM", raising=False)
    monkeypatch.delenv("ARIA", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_table_names_every_model(catalogue: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    first_words = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.split()]
    assert set(catalogue.names()) <= set(first_words)


def test_the_table_tells_units(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert "size [m]" in capsys.readouterr().out


def test_json_has_an_object_for_every_model(catalogue: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"]) == 0
    models = {model["name"]: model for model in json.loads(capsys.readouterr().out)}
    assert list(models) == catalogue.names()
    p3dx = models["p3dx"]
    assert (p3dx["class"], p3dx["subclass"], p3dx["sonar"]) == ("Pioneer", "p3dx", 16)
    assert [(laser["name"], laser["x_m"]) for laser in p3dx["lasers"]] == [("sicklms200", 0.018)]


def test_the_users_models_are_listed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".MobileSim" / "include").mkdir(parents=True)
    (home / ".MobileSim" / "include" / "mine").write_text("define mybot p3dx ( )")
    main(["--json"])
    assert json.loads(capsys.readouterr().out)[-1]["name"] == "mybot"


def test_show_tells_facts_and_draws_only_when_asked(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "powerbot"]) == 0
    text = capsys.readouterr().out
    assert "sonar 7              none" in text
    assert "DistConvFactor 0.5813" in text
    assert not list(home.glob("*.svg"))
    assert main(["show", "powerbot", "--out", "powerbot.svg"]) == 0
    assert (home / "powerbot.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_show_draws_into_the_file_that_is_named(home: Path, name: str) -> None:
    assert main(["show", "box", "--out", name]) == 0
    assert (home / name).stat().st_size > 100


def test_show_as_json_is_one_object(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "amigo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["subclass"] == "amigo"
    assert list(home.glob("*.svg")) == []


def test_show_reads_parameter_files(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "custom.p").write_text("Section General settings\nClass Pioneer\nSubclass custom\n")
    assert main(["show", "custom.p", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "custom"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["show", "p3dy"], "Did you mean"),
        (["show"], "MODEL is missing"),
        (["--out", "x.svg"], "There is no option"),
        (["bogus"], "There are list, show."),
        (["show", "p3dx", "--out", "x.gif"], ".png or .svg"),
    ],
)
def test_a_wrong_use_is_explained(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == ExitCode.USAGE
    assert message in capsys.readouterr().err


def test_a_broken_file_of_the_users_is_explained(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".MobileSim" / "include").mkdir(parents=True)
    (home / ".MobileSim" / "include" / "mine").write_text("define")
    assert main([]) == ExitCode.WORLDFILE
    assert "mine:1: expected the name" in capsys.readouterr().err


def test_help_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "mobilesim models" in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_gets_no_traceback() -> None:
    code = "import sys; from mobilesim_py.__main__ import main; sys.exit(main(['models', '--json']))"
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"PYTHONPATH": str(root)}
    )
    assert process.stdout is not None
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0
