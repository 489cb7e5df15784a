"""The protocols that robots' programs speak, each sans I/O: bytes in, events out; packets in, bytes out."""
