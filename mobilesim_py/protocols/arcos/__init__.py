"""The Pioneer protocol, sans I/O: bytes in, events out; state in, bytes out."""
