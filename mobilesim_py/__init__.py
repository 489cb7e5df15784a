"""MobileSim for Python: a MobileSim-compatible simulator of Pioneer robots."""

__version__ = "0.1.0"
APPLICATION = "MobileSim"
