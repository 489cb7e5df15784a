"""Lasers at doors of their own."""
