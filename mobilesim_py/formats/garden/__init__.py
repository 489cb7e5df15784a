"""Sketches of gardens: the XML of their user interface, and `.garden` files of our own in YAML."""
