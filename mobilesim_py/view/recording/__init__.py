"""Recordings: everything of a run in MCAP files, which Foxglove and its kin open as they are."""
