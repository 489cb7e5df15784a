"""File formats: a file becomes a world, and a world a file."""
