"""Tests of the viewer, its API, pictures and dashboard."""
