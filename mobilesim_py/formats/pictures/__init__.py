"""Maps from pictures, and pictures from maps."""
