"""What Oz robots and their clients need to be told by the command line."""

from __future__ import annotations

from typing import Protocol

MAIN_PORT = 5559
"""The main port of the first Oz; the next one has ports that are STRIDE higher."""
STRIDE = 10
IMAGE_OFFSET = -2
OLD_MAIN_OFFSET = -4
"""Where the main port was before December 2016: open too, where it is free."""
FEATURE_OFFSET = 5601 - MAIN_PORT
"""Of the first port of the one-socket-for-each-feature mode."""


class Settings(Protocol):
    """The options that Oz robots and their sessions read."""

    @property
    def port(self) -> int:
        """The first robot's TCP port."""

    @property
    def port_given(self) -> bool:
        """Whether somebody asked for that port."""

    @property
    def bind_to_address(self) -> str:
        """The address to listen on; empty for all."""

    @property
    def naio_port(self) -> int | None:
        """The first Oz's main port, if it was asked for; 0: all as the system chooses."""

    @property
    def naio_dialect(self) -> str:
        """`simulatoz` or `manual`."""

    @property
    def naio_idle(self) -> float:
        """After how many seconds without a packet a client is hung up on; 0: never."""

    @property
    def naio_keep(self) -> bool:
        """Whether robot and field stay as they are when the next client comes."""

    @property
    def naio_sockets(self) -> bool:
        """Whether each feature has a port of its own, instead of one main port."""

    @property
    def naio_routes(self) -> tuple[tuple[str, str, int], ...]:
        """Features whose packets come from other programs: feature, host, port."""

    @property
    def log_packets_received(self) -> bool:
        """Whether every packet is logged."""

    @property
    def slow_client_timeout(self) -> float:
        """How long time waits for one client that does not read or speak [s]; 0: for ever."""

    @property
    def lockstep_timeout(self) -> float:
        """How long one step in lockstep waits for a silent client [s]; 0: for ever."""


def main_port(options: Settings, alone: bool) -> int:
    """Return the main port of the first Oz: as asked for, else the usual one; `-p` means it where it is `alone`."""
    if options.naio_port is not None:
        return options.naio_port
    return options.port if alone and options.port_given else 0 if options.port == 0 else MAIN_PORT
