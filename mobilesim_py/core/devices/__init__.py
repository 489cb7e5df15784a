"""Devices of robots: one file for each kind, and the table of the kinds (`devices.kinds`)."""
