"""ROS 1 as a carrier: a node with its API and its TCPROS port, and a master for those who have none.

carrier.py      the node: topics and services of the hub, registered at a master       links.py   its TCPROS connections
masters.py      a master of our own, and the way to one elsewhere                       calls.py   XML-RPC, both ways
"""
