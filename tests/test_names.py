"""Names that tell things apart."""

from __future__ import annotations

import pytest

from mobilesim_py.names import COMING, unique_name


@pytest.mark.parametrize(
    ("taken", "name"),
    [((), "p3dx"), (("amigo",), "p3dx"), (("p3dx",), "p3dx_002"), (("p3dx", "p3dx_002"), "p3dx_003")],
)
def test_a_name_that_is_taken_gets_a_number(taken: tuple[str, ...], name: str) -> None:
    assert unique_name("p3dx", taken) == name


def test_robots_that_come_with_their_clients_are_numbered_as_the_original_does() -> None:
    assert unique_name("127.0.0.1", {"127.0.0.1"}, COMING) == "127.0.0.1-2"
