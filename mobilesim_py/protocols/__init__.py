"""Wire protocols without I/O: bytes in, facts out, and back."""
