"""Tests of the services: protocols bound to robots."""
