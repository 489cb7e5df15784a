"""Tests of CiberRato's files."""
