"""Protocols bound to robots: what the clients of a running program talk to."""
