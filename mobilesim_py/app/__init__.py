"""The running program: options and command line, composition, time, the roster of things, maps, logs, supervision."""
