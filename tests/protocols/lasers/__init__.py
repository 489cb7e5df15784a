"""Protocols of lasers."""
