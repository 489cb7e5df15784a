"""The documentation page of the models."""

from __future__ import annotations

from pathlib import Path

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.docs import documentation, write_documentation

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_in_the_repository_is_up_to_date(catalogue: Catalogue) -> None:
    stale = [
        name
        for name, text in documentation(catalogue).items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `mobilesim models --docs docs`"


def test_there_are_no_pictures_of_models_that_are_no_more(catalogue: Catalogue) -> None:
    expected = {name for name in documentation(catalogue) if name.endswith(".svg")}
    assert {f"models/{path.name}" for path in (DOCS / "models").glob("*.svg")} == expected


def test_every_model_is_on_the_page(catalogue: Catalogue) -> None:
    page = documentation(catalogue)["models.md"]
    assert [name for name in catalogue.names() if f"| `{name}` |" not in page] == []


def test_old_pictures_are_removed(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "old.svg").write_text("")
    written = write_documentation(catalogue, tmp_path)
    assert tmp_path / "models.md" in written
    assert not (tmp_path / "models" / "old.svg").exists()
