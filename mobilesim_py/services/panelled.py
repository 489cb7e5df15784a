"""A service that has a panel of its own on the page: facts to show, orders that people may give, pictures.

The page, the stream and the API know of a panel only what is here. `Panelled.panel` names the module of the page that
draws it, in `view/page/static/js/panels/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from mobilesim_py.errors import MobileSimError

if TYPE_CHECKING:
    from mobilesim_py.services.service import Stage

Facts = dict[str, Any]
"""What JSON can say."""


class OrderError(MobileSimError):
    """An order that cannot be carried out, with a sentence for whoever gave it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a browser shows it."""

    data: bytes
    content_type: str = "image/png"


@runtime_checkable
class Panelled(Protocol):
    """A service with a panel."""

    @property
    def name(self) -> str:
        """The service's name."""

    @property
    def panel(self) -> str:
        """The name of the page's module that shows it."""

    def facts(self) -> Facts:
        """Return what the panel shows now; asked at most ten times a second while somebody looks."""

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out an order that somebody gave at the page or the API; OrderError says why that is impossible."""

    def picture(self, name: str) -> Picture | None:
        """Return a picture by its name; None if there is no such picture."""


def panelled(stage: Stage) -> list[Panelled]:
    """Return the services that have a panel."""
    return [service for service in stage.services if isinstance(service, Panelled)]


def number_in(wish: Mapping[str, Any], name: str) -> int:
    """Return a whole number of an order; OrderError if there is none."""
    value = wish.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise OrderError(f"{name} must be a whole number.")
    return value
