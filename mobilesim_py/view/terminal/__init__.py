"""The dashboard in the terminal."""
