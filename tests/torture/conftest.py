"""The real process, as the end-to-end tests start it."""

from tests.e2e.conftest import start

__all__ = ["start"]
