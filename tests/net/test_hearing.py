"""Of the datagrams at one port everybody's are obeyed within a share of each turn."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from mobilesim_py.net import budget
from mobilesim_py.net.budget import WORK, Turns
from mobilesim_py.net.hearing import MOST_EACH, WORK_OF_ALL, Hearing

HOST = "127.0.0.1"


@pytest.fixture(autouse=True)
def turns_end_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "LONGEST_TURN", 3600.0)


def work_for(seconds: float) -> None:
    """Use processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class Ear:
    """A socket and what is heard there, with a price for every datagram [s]."""

    def __init__(self, price: float) -> None:
        self.turns = Turns()
        self.heard: list[tuple[bytes, Any]] = []
        self.missed: list[tuple[Any, int]] = []
        self.price = price
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind((HOST, 0))
        self.hearing = Hearing(self.socket, self.turns, self.take, lambda *facts: self.missed.append(facts))

    def take(self, data: bytes, address: Any) -> None:
        self.heard.append((data, address))
        work_for(self.price)

    async def settle(self, turns: int = 0) -> None:
        """Let the loop read what the loopback has delivered already; end turns."""
        for number in range(turns + 1):
            if number:
                self.turns.next()
            for _ in range(4):
                await asyncio.sleep(0)

    def said(self, address: Any) -> list[bytes]:
        return [data for data, sender in self.heard if sender == address]

    def close(self) -> None:
        self.hearing.close()
        self.socket.close()
        self.turns.next()


@contextmanager
def clients(ear: Ear, count: int) -> Iterator[list[socket.socket]]:
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for client in made:
        client.bind((HOST, 0))
        client.connect(ear.socket.getsockname())
    yield made
    for client in made:
        client.close()


def test_who_causes_much_work_waits_and_keeps_the_order_and_the_others_do_not_wait() -> None:
    async def story() -> None:
        ear = Ear(WORK)
        with clients(ear, 2) as (loud, quiet):
            for number in range(3):
                loud.send(b"%d" % number)
            quiet.send(b"hear me")
            await ear.settle()
            assert ear.said(loud.getsockname()) == [b"0"]
            assert ear.said(quiet.getsockname()) == [b"hear me"]
            loud.send(b"3")
            await ear.settle(turns=1)
            assert ear.said(loud.getsockname()) == [b"0", b"1"]
            await ear.settle(turns=2)
            assert ear.said(loud.getsockname()) == [b"0", b"1", b"2", b"3"]
        ear.close()

    asyncio.run(story())


def test_only_some_may_wait() -> None:
    async def story() -> None:
        ear = Ear(WORK)
        with clients(ear, 1) as (loud,):
            for number in range(MOST_EACH):
                loud.send(b"%d" % number)
            await ear.settle()
            for _ in range(3):
                loud.send(b"too much")
            await ear.settle()
            assert sum(count for _, count in ear.missed) == 2, "one has been heard, sixteen wait"
            await ear.settle(turns=MOST_EACH)
            assert len(ear.heard) == MOST_EACH + 1
        ear.close()

    asyncio.run(story())


def test_all_together_have_a_budget_and_what_is_beyond_it_stays_in_the_socket() -> None:
    async def story() -> None:
        ear = Ear(WORK)
        count = 2 * round(WORK_OF_ALL / WORK)
        with clients(ear, count) as senders:
            for sender in senders:
                sender.send(b"x")
            await ear.settle()
            assert len(ear.heard) <= count / 2
            await ear.settle(turns=3)
            assert len(ear.heard) == count
            assert not ear.missed
        ear.close()

    asyncio.run(story())


def test_nothing_is_heard_after_the_end_even_if_it_ends_while_somebody_is_heard() -> None:
    async def story() -> None:
        ear = Ear(0.0)
        take = ear.take

        def last(data: bytes, address: Any) -> None:
            take(data, address)
            ear.hearing.close()

        ear.hearing._obey = last
        with clients(ear, 1) as (sender,):
            for _ in range(3):
                sender.send(b"x")
            await ear.settle(turns=2)
            assert len(ear.heard) == 1
        ear.close()

    asyncio.run(story())


def test_where_runs_must_repeat_bytes_are_counted_and_not_time() -> None:
    async def story() -> None:
        ear = Ear(2 * WORK)
        ear.turns.repeats = True
        with clients(ear, 1) as (sender,):
            for _ in range(4):
                sender.send(bytes(6000))
            await ear.settle()
            assert len(ear.heard) == 3
        ear.close()

    asyncio.run(story())
