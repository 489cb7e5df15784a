"""Protocols of real laser range finders, without I/O: CoLa-A (SICK LMS1xx, LMS5xx, TiM) and SCIP 2.0 (Hokuyo URG, UTM)."""
