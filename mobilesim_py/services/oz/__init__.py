"""Oz robots and their clients, which speak NAIO01."""
