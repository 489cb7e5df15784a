"""The NumPy engine: all robots at once, as arrays."""
