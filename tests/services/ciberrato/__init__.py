"""Tests of the contest: its game, and its clients behind doors."""
