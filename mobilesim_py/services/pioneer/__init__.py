"""Binds ARCOS connections to robots: a session for each client, and what all robots tell at every SIP."""
