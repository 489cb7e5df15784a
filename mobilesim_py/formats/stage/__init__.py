"""Worlds of Stage and Player."""
