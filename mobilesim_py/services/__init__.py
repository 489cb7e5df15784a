"""Protocols bound to robots: what a program's clients meet."""
