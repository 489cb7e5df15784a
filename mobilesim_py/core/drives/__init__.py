"""How wishes become motion: one module for each kind of drive."""
