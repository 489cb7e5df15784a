"""Readers and writers of file formats: a file becomes plain facts about a place."""
