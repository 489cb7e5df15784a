"""The interface between the transport of a client's bytes (this package) and the service that answers them.

One `Session` is made for each client. It is given its `Link` once with `attach`, then the client's bytes with
`receive`, and `lost` when the client is gone or the link was closed: exactly once, and nothing after it. A client that is
gone before it was let in altogether is `lost` without an `attach`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Link(Protocol):
    """A connection to one client."""

    peer: str
    """Who it is, for the log: `HOST (IP)`, or the path of a device."""
    dropped: int
    """Writes that were dropped because the client does not read."""

    @property
    def pending(self) -> int:
        """The backlog [bytes]."""
        ...

    def write(self, data: bytes) -> bool:
        """Send without blocking; False if the write was dropped because the client does not read (or is gone)."""
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
        """Take the link to the client; called once, before anything else."""
        ...

    def receive(self, data: bytes) -> None:
        """Process bytes from the client."""
        ...

    def lost(self, reason: str) -> None:
        """Note that the client is gone; called once, and the link must not be used afterwards.

        `reason` is the sentence for the log; the session logs it.
        """
        ...


MakeSession = Callable[[str], Session]
"""Factory of a client's session from its `peer`."""
