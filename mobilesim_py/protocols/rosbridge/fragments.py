"""Long texts in pieces: cut for clients that asked for it, and put together again, however the pieces come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.rosbridge.encoding import write_text

SMALLEST_FRAGMENT = 32  # characters; a client that asks for less gets this
MOST_PIECES = 10_000
MOST_TEXTS = 10  # begun and not ended at one time; the oldest is dropped


def cut(text: str, size: int, number: str) -> list[str]:
    """Return a text as fragments of at most `size` characters of it, or as it is where it is not longer."""
    size = max(size, SMALLEST_FRAGMENT)
    if len(text) <= size:
        return [text]
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [
        write_text({"op": "fragment", "id": number, "data": piece, "num": num, "total": len(pieces)})
        for num, piece in enumerate(pieces)
    ]


@dataclass
class _Text:
    total: int
    pieces: dict[int, str] = field(default_factory=dict)


class Assembly:
    """Texts in the making, by their id. No more than `limit` characters are kept in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._texts: dict[Any, _Text] = {}
        self._size = 0

    def add(self, number: Any, data: str, num: int, total: int) -> str | None:
        """Take a fragment; return the whole text once the last piece of it is there."""
        if not num < total <= MOST_PIECES:
            raise WireError(f"fragment {num} of {total}: a text has at most {MOST_PIECES} pieces, counted from 0")
        text = self._texts.get(number)
        if text is None or text.total != total:
            self._drop(number)
            if len(self._texts) == MOST_TEXTS:
                self._drop(next(iter(self._texts)))
            text = self._texts[number] = _Text(total)
        if num not in text.pieces:
            if self._size + len(data) > self._limit:
                self._drop(number)
                raise WireError(f"fragments of more than {self._limit} characters")
            text.pieces[num] = data
            self._size += len(data)
        if len(text.pieces) < total:
            return None
        whole = "".join(text.pieces[index] for index in range(total))
        self._drop(number)
        return whole

    def _drop(self, number: Any) -> None:
        text = self._texts.pop(number, None)
        if text is not None:
            self._size -= sum(map(len, text.pieces.values()))
