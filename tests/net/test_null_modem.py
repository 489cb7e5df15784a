"""Null modems are told of as any client is: who comes, and who leaves."""

from __future__ import annotations

import pytest

from mobilesim_py import messages
from mobilesim_py.net.trace import Passage
from mobilesim_py.testing import Stand


def test_who_comes_and_leaves_is_told_until_nobody_wants_to_know() -> None:
    stand = Stand("--nomap")
    passages: list[Passage] = []
    end = stand.doors.watch(passages.append)
    stand.connect().hang_up()
    end()
    end()
    stand.connect()
    door, peer = "TCP port 8101", "localhost (127.0.0.1)"
    assert [passage._replace(handle=None) for passage in passages] == [
        Passage(0.0, door, peer, 1, True),
        Passage(0.0, door, peer, 1, False, messages.CLIENT_DISCONNECTED),
    ]


def test_a_door_for_one_client_is_busy_for_the_second() -> None:
    stand = Stand("--nomap")
    stand.connect()
    with pytest.raises(ConnectionRefusedError, match="busy"):
        stand.connect()
