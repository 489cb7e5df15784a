"""Protocols of real laser range finders, without I/O: CoLa-A (SICK LMS1xx, LMS5xx, TiM), LMS2xx, SCIP 2.0 (Hokuyo)."""
