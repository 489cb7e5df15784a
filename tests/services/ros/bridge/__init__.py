"""Tests of rosbridge as a carrier."""
