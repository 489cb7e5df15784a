"""Foxglove: a live view of everything by the foxglove-sdk, where that is installed."""
