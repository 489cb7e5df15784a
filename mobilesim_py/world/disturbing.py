"""What patches of ground can do to robots, by name."""

from __future__ import annotations

DISTURBING = frozenset(
    {
        "slip",
        "mud",
        "tool_drag",
        "tool_rocks",
        "stones",
        "stone_kick",
        "gps_offset",
        "gps_loss",
        "magnetism",
        "lidar_clutter",
    }
)
"""Names of values that make life hard for robots that are there; `core.reality` says what they are."""
