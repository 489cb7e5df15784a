"""The contract between whatever brings a client's bytes (this package) and whatever answers them (a service).

One `Session` is made for each client. It is given its `Link` once with `attach`, then the client's bytes with
`receive`, and `lost` when the client is gone or the link was closed: exactly once, and nothing after it. A client that is
gone before it was let in altogether is `lost` without an `attach`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Link(Protocol):
    """A way to one client."""

    peer: str
    """Who it is, for the log: `HOST (IP)`, or the path of a device."""
    dropped: int
    """Writes left out because the client does not read."""

    @property
    def pending(self) -> int:
        """Bytes that the client has not taken yet."""
        ...

    def write(self, data: bytes) -> bool:
        """Send, never waiting; False if it was left out because the client does not read (or is gone)."""
        ...

    def close(self) -> None:
        """Send what is pending, then close; the port is free for the next client at once. `lost` follows."""
        ...


class Session(Protocol):
    """One client's conversation; made by a service."""

    @property
    def synchronised(self) -> bool:
        """Whether the handshake is done; until then a silent client may not hold the port for long."""
        ...

    def attach(self, link: Link) -> None:
        """Take the way to the client; called once, before anything else."""
        ...

    def receive(self, data: bytes) -> None:
        """Take bytes from the client."""
        ...

    def lost(self, reason: str) -> None:
        """Note that the client is gone; called once, after which the link takes nothing more.

        `reason` is the sentence for the log; logging it is the session's part.
        """
        ...


MakeSession = Callable[[str], Session]
"""Makes the session of a client from its `peer`."""
