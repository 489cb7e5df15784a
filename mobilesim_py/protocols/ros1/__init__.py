"""ROS 1 on the wire, sans I/O: TCPROS links of both ends, the XML-RPC calls of nodes, and a master.

inbound.py      a peer connects to us: our topics and services              (TCP)
outbound.py     we connect to a peer: a subscription, a call of a service   (TCP)
slave.py        what other nodes and the master ask of our node             (body of a HTTP POST)
master.py       what all nodes ask of a master                              (body of a HTTP POST)
"""
