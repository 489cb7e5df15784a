"""Tests of the Foxglove carrier."""
