"""Garden robots in a program."""
