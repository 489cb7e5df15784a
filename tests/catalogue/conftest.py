"""Fixtures of the catalogue's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.worldfile import Worldfile


@pytest.fixture
def section_of() -> Callable[[str], Section]:
    """Parse a text and resolve its last section."""

    def parse(text: str) -> Section:
        worldfile = Worldfile()
        worldfile.load_text(text, "test.world")
        return worldfile.resolve(worldfile.root.children[-1])

    return parse


@pytest.fixture
def user_catalogue(tmp_path: Path) -> Callable[..., Catalogue]:
    """Load the catalogue with files in the user's include directory: `user_catalogue(mine="define ...")`."""

    def load(**files: str) -> Catalogue:
        include = tmp_path / "include"
        include.mkdir(exist_ok=True)
        for name, text in files.items():
            (include / f"{name}.inc").write_text(text)
        return Catalogue.load(user_include=include, cwd=tmp_path, environ={})

    return load
