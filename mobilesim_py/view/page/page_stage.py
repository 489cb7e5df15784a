"""What the page needs of the program beyond a `Stage`: its own options."""

from __future__ import annotations

from typing import Protocol

from mobilesim_py.services.service import Stage


class PageOptions(Protocol):
    """What the command line says about the page."""

    @property
    def port(self) -> int:
        """The first robot's TCP port."""

    @property
    def interactive(self) -> bool:
        """Whether the program was started from a terminal, so that it may open a browser."""

    @property
    def web_bind(self) -> str:
        """The address to listen on."""

    @property
    def web_port(self) -> int:
        """The port to listen on; 0: any."""

    @property
    def web_port_given(self) -> bool:
        """Whether that port was given explicitly; then it is an error if it is in use."""

    @property
    def nothing_chosen(self) -> bool:
        """Whether neither map nor robot was given, so that the page asks for them."""


class PageStage(Stage, Protocol):
    """The program as the page sees it."""

    @property
    def options(self) -> PageOptions:
        """What the command line said about the page."""
