"""Simulations inside a program of the user's: stepped in process, and as environments to learn in."""
