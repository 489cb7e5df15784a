"""Fixtures that several folders of tests share."""

from __future__ import annotations

import pytest

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.catalogue.catalogue import Catalogue


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """Load the models that come with the program, whatever the user has at home."""
    empty = tmp_path_factory.mktemp("nothing")
    return Catalogue.load(user_include=empty, cwd=empty, environ={})


@pytest.fixture
def program() -> Program:
    """The office with two robots."""
    return build("-m", "office.map", "-r", "p3dx:alpha", "-r", "amigo:beta")


def build(*words: str) -> Program:
    """Build a program as the command line says, without opening anything."""
    return Program(parse([*words, "--seed", "1"]), Log())
