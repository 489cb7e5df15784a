"""The clients for programs without an event loop; `aio` has the same names for programs with one."""
