"""Tests of the contest's protocol."""
