"""A mailbox: datagrams with their senders, no sessions."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mobilesim_py.app.logs import Log
from mobilesim_py.errors import PortError
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.hearing import MOST_EACH
from mobilesim_py.net.mailbox import Address, Mailbox
from mobilesim_py.net.trace import Crossing

HOST = "127.0.0.1"
Mail = list[tuple[bytes, Address]]


@contextmanager
def client() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((HOST, 0))
        made.settimeout(5.0)
        yield made


def opened(mail: Mail, doors: Doors | None = None, log: Log | None = None, only_from: Address | None = None) -> Mailbox:
    box = Mailbox(
        HOST, 0, lambda data, sender: mail.append((data, sender)), log or Log(), interface="Post", only_from=only_from
    )
    return (Doors() if doors is None else doors).open(box)


async def delivered() -> None:
    """Let the loop read what the loopback has delivered already."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_datagrams_come_with_their_sender_and_are_answered() -> None:
    async def talk() -> None:
        mail: Mail = []
        box = opened(mail)
        with client() as one:
            one.sendto(b"hello", (HOST, box.port))
            await delivered()
            assert mail == [(b"hello", one.getsockname())]
            assert box.send(b"good day", one.getsockname())
            assert one.recvfrom(100) == (b"good day", (HOST, box.port))
        assert (box.sent, box.received, box.left_out) == (1, 1, 0)
        box.close()
        assert not box.send(b"too late", (HOST, 9))

    asyncio.run(talk())


def test_a_mailbox_of_one_sender_hears_nobody_else() -> None:
    async def talk() -> None:
        mail: Mail = []
        with client() as one, client() as other:
            box = opened(mail, only_from=one.getsockname())
            other.sendto(b"let me in", (HOST, box.port))
            one.sendto(b"it is me", (HOST, box.port))
            await delivered()
            assert [data for data, _ in mail] == [b"it is me"]
            box.close()

    asyncio.run(talk())


def test_of_a_flood_only_some_are_heard_and_others_are_not_kept_out() -> None:
    async def talk() -> None:
        mail: Mail = []
        log = Log()
        box = opened(mail, log=log)
        with client() as one, client() as other:
            for _ in range(100):
                one.sendto(b"flood", (HOST, box.port))
            other.sendto(b"hello", (HOST, box.port))
            await delivered()
            assert [data for data, _ in mail].count(b"flood") == MOST_EACH
            assert mail[-1][0] == b"hello"
        assert any("floods UDP port" in line.text for line in log.recent())
        box.close()

    asyncio.run(talk())


def test_the_trace_sees_and_may_lose_every_datagram() -> None:
    async def talk() -> None:
        mail: Mail = []
        doors, seen = Doors(lambda: 1.5), []

        def trace(crossing: Crossing) -> bytes | None:
            seen.append((crossing.time, crossing.incoming, crossing.data))
            return None if crossing.data == b"lose me" else crossing.data

        doors.install(trace)
        box = opened(mail, doors)
        with client() as one:
            one.sendto(b"lose me", (HOST, box.port))
            one.sendto(b"keep me", (HOST, box.port))
            await delivered()
            box.send(b"answer", one.getsockname())
        assert [data for data, _ in mail] == [b"keep me"]
        assert seen == [(1.5, True, b"lose me"), (1.5, True, b"keep me"), (1.5, False, b"answer")]
        doors.close_all()

    asyncio.run(talk())


def test_a_datagram_that_is_too_long_is_told_and_left_out() -> None:
    async def talk() -> None:
        log = Log()
        box = opened([], log=log)
        assert not box.send(bytes(70_000), (HOST, 9))
        assert box.left_out == 1
        assert any("too long" in line.text for line in log.recent())
        box.close()

    asyncio.run(talk())


def test_a_port_that_is_taken_is_an_error() -> None:
    async def talk() -> None:
        box = opened([])
        with pytest.raises(PortError, match=f"UDP port {box.port}"):
            Mailbox(HOST, box.port, lambda data, sender: None, Log(), interface="Post").open()
        box.close()

    asyncio.run(talk())
