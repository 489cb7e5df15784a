"""The clients for programs with an event loop; `sync` has the same names for programs without one."""
