"""Wire protocols without I/O: bytes in, events out; state in, bytes out."""
