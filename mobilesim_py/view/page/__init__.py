"""The viewer: HTTP and WebSocket server and the static page."""
