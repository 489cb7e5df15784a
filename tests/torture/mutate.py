"""Valid messages, made invalid: what fuzzers of every protocol and file format have in common."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

LONGEST = 1 << 18
EXTREMES = (b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xff", b"\xff" * 8, b"\x00" * 8)
WORDS = (
    b"-1", b"0", b"1e309", b"-1e308", b"NaN", b"inf", b"1e-320", b"99999999999999999999", b"%s%n", b"\r\n\r\n", b"\xc3\x28",
    b"\xed\xa0\x80", b"../../../../etc/passwd", b"/dev/zero", b"{", b"[", b"\"", b"<", b"&#0;", b"]]>", b"null", b"\x00",
)  # fmt: skip

Mutation = Callable[[bytearray, random.Random, Sequence[bytes]], None]


def _flip(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    for _ in range(rng.choice((1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _overwrite(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    extreme, at = rng.choice(EXTREMES), rng.randrange(len(data))
    data[at : at + len(extreme)] = extreme


def _insert(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice(WORDS) if rng.random() < 0.6 else rng.randbytes(rng.choice((1, 3, 40)))


def _cut(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    at = rng.randrange(len(data))
    del data[at : at + rng.choice((1, 2, 16, len(data)))]


def _double(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    at = rng.randrange(len(data))
    piece = bytes(data[at : at + rng.choice((1, 4, 64))])
    data[at:at] = piece * rng.choice((1, 2, 100, 2000))


def _splice(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    other = rng.choice(corpus)
    data[rng.randrange(len(data)) :] = other[rng.randrange(len(other) or 1) :]


def _number(data: bytearray, rng: random.Random, corpus: Sequence[bytes]) -> None:
    """Put something else in place of a number that is written out."""
    places = [at for at, byte in enumerate(data[:4096]) if 48 <= byte <= 57]
    if not places:
        _overwrite(data, rng, corpus)
        return
    begin = end = rng.choice(places)
    while end < len(data) and data[end] in b"0123456789.eE+-":
        end += 1
    data[begin:end] = rng.choice(WORDS[:8]) if rng.random() < 0.7 else b"%d" % rng.randrange(-(1 << 40), 1 << 40)


MUTATIONS: tuple[Mutation, ...] = (_flip, _flip, _overwrite, _insert, _cut, _double, _splice, _number)


def mutated(corpus: Sequence[bytes], rng: random.Random, valid: float = 0.2) -> bytes:
    """Return a message of the corpus as it is (with probability `valid`), or after some mutations."""
    message = rng.choice(corpus)
    if rng.random() < valid or not message:
        return message
    data = bytearray(message)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if data:
            rng.choice(MUTATIONS)(data, rng, corpus)
    return bytes(data[:LONGEST])
