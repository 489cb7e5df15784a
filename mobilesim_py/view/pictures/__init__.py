"""Pictures and movies of a world."""
