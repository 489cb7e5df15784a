"""Compiled functions that run without their compiler: made once by Numba, kept as one object file, called by address."""
