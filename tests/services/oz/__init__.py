"""Tests of Oz robots and their clients."""
