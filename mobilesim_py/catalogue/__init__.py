"""Robot models: worldfile syntax, ARIA parameter files, look-up by name."""
