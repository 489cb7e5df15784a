"""What has to be awaited, under the same names: `ms.aio.start(...)`, `ms.aio.Pioneer(...)`."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # As in the package itself: nothing is imported before it is used.
if TYPE_CHECKING:
    from mobilesim_py.clients.aio.pioneer import Pioneer
    from mobilesim_py.clients.aio.program import RunningSimulator, start

__all__ = ["Pioneer", "RunningSimulator", "start"]
_ROOMS = {"Pioneer": "pioneer", "RunningSimulator": "program", "start": "program"}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"mobilesim_py.clients.aio.{_ROOMS[name]}"), name)
    globals()[name] = found
    return found
