"""ARIA's map files."""
