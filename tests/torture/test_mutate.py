"""Mutations repeat with their seed, and reach far from what is valid without leaving it altogether."""

from __future__ import annotations

import random

from tests.torture.mutate import LONGEST, mutated
from tests.torture.wires import WIRES, frame

CORPUS = (b"hello, world", b"<a b='12.5'/>", b"")


def test_the_same_seed_gives_the_same_messages() -> None:
    once, again = (tuple(mutated(CORPUS, rng) for _ in range(500)) for rng in (random.Random(3), random.Random(3)))
    assert once == again


def test_some_are_valid_some_are_not_and_none_is_endless() -> None:
    rng = random.Random(4)
    messages = [mutated(CORPUS, rng) for _ in range(2000)]
    assert 300 < sum(message in CORPUS for message in messages) < 1500
    assert len(set(messages)) > 800
    assert max(map(len, messages)) <= LONGEST


def test_every_wire_has_a_corpus() -> None:
    for wire in WIRES:
        assert len(wire.corpus()) >= 10, wire.name
        assert all(isinstance(message, bytes) for message in wire.corpus())


def test_frames_of_a_websocket_say_their_length() -> None:
    assert frame(b"x" * 5)[:2] == b"\x81\x85"
    assert frame(b"x" * 300)[:4] == b"\x81\xfe\x01\x2c"
    assert frame(b"x" * 70_000)[1] == 0xFF
