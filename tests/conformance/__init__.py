"""Wire conformance: the original's recorded traffic is played to our robots, and what they answer is compared."""
