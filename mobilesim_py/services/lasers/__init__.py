"""Servers that speak the protocols of real lasers, each fed by a laser of a robot."""
