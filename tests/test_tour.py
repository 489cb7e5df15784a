"""The tour in Python says what it would say today."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tests.notebook import DOCS, TOUR, cell, run

ROOT = Path(__file__).parents[1]


@pytest.mark.e2e
def test_the_tour_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium", reason="the extra [gym] is not installed")
    monkeypatch.chdir(ROOT)
    page = TOUR.read_text()
    done = run(page)
    assert done.text == page, "`make docs` writes it anew"
    assert len(done.pictures) >= 5
    for place, data in done.pictures.items():
        with Image.open(DOCS / place) as kept, Image.open(io.BytesIO(data)) as new:
            assert kept.size == new.size


def test_a_cell_prints_and_tells_its_last_value() -> None:
    names: dict[str, object] = {}
    assert cell("x = 2\nprint('hello')\nx + 1\n", names) == ("hello\n3\n", None)
    assert cell("None\n", names) == ("", None)
    assert names["x"] == 2


def test_output_that_is_out_of_date_is_replaced() -> None:
    assert run("```py\nprint(1)\n```\n\n```text\n2\n```\n\nend\n").text == "```py\nprint(1)\n```\n\n```text\n1\n```\n\nend\n"
    assert run("```py\nx = 1\n```\n\n```text\n2\n```\n\nend\n").text == "```py\nx = 1\n```\n\nend\n"


def test_a_picture_needs_a_place() -> None:
    code = "class P:\n    def _repr_png_(self):\n        return b'png'\nP()\n"
    assert run(f"```py\n{code}```\n\n![P](p.png)\n").pictures == {"p.png": b"png"}
    with pytest.raises(AssertionError, match="no place for it"):
        run(f"```py\n{code}```\n")
