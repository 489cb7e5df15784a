"""rosbridge v2, sans I/O: one session per WebSocket, text and binary frames in, events out; and the services of rosapi."""
