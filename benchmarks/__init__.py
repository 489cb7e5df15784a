"""What measures speed: `python -m benchmarks`, or `make bench`."""
