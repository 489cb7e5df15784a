"""Fields: rows of plants from a `.field` file, and obstacles from an `.obs` file."""
