"""Answers to those who look for robots on the network."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.net.discovery import Discovery, answer_to

RECORDED_ANSWER = bytes.fromhex("000000f700000000fafb") + bytes(20)


def test_the_answer_is_the_originals() -> None:
    assert answer_to(b"\x00\x00\x00\xf6") == RECORDED_ANSWER


@pytest.mark.parametrize("data", [b"", b"\xf6", b"\x00\x00\x00\xf7", b"\x00\x00\x00\x00\xf6"])
def test_what_is_no_request_is_not_answered(data: bytes) -> None:
    assert answer_to(data) is None


def test_it_answers_over_the_network(log: Log, run: Any) -> None:
    async def story() -> None:
        discovery = Discovery(log, host="127.0.0.1", port=0)
        assert await discovery.open()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            asker.settimeout(5.0)
            asker.sendto(b"nonsense", ("127.0.0.1", discovery.port))
            asker.sendto(b"\x00\x00\x00\xf6", ("127.0.0.1", discovery.port))
            assert await asyncio.to_thread(asker.recv, 100) == RECORDED_ANSWER
        discovery.close()

    run(story())


def test_a_taken_port_is_a_line_in_the_log_and_no_more(log: Log, run: Any) -> None:
    async def story() -> None:
        first = Discovery(log, host="127.0.0.1", port=0)
        assert await first.open()
        second = Discovery(log, host="127.0.0.1", port=first.port)
        assert not await second.open()
        assert "Will not respond to discovery requests" in log.recent()[-1].text
        second.close()
        first.close()

    run(story())
