"""rosbridge as a carrier: one session for each WebSocket, and the services of rosapi.

carrier.py      all clients         client.py       one of them         graph.py        what rosapi tells
"""
