"""What the page reads of the program beyond a `Stage`: the options that are its own."""

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
        """Whether somebody sits at the terminal, to whom a browser may be shown."""

    @property
    def web_bind(self) -> str:
        """The address to listen on."""

    @property
    def web_port(self) -> int:
        """The port to listen on; 0: any."""

    @property
    def web_port_given(self) -> bool:
        """Whether that port was asked for, so that it being taken is an error."""

    @property
    def nothing_chosen(self) -> bool:
        """Whether neither map nor robot was given, so that the page may ask for them."""


class PageStage(Stage, Protocol):
    """The program, as far as the page can reach it."""

    @property
    def options(self) -> PageOptions:
        """What the command line said about the page."""
