"""Two ends of TCPROS without a socket between them."""

from __future__ import annotations

from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros1.header import decode_header, encode_header
from mobilesim_py.protocols.ros1.inbound import InboundLink, ServiceOffer, TopicOffer
from mobilesim_py.protocols.ros1.link import Link

ROS1 = interfaces(Dialect.ROS1)
TWIST = ROS1.message("geometry_msgs/Twist")
GET_MAP = ROS1.service("nav_msgs/GetMap")
ODOM = TopicOffer("/odom", ROS1.message("nav_msgs/Odometry"))
MAP = TopicOffer("/map", ROS1.message("nav_msgs/OccupancyGrid"), latching=True, last=b"the map")
TF = TopicOffer("/tf", ROS1.message("tf2_msgs/TFMessage"))


class Node:
    """What a node offers, for the tests."""

    def __init__(self, *topics):
        self.topics = {offer.name: offer for offer in topics or (ODOM, MAP, TF)}
        self.services = {"/static_map": ServiceOffer("/static_map", GET_MAP)}

    def topic(self, name):
        return self.topics.get(name)

    def service(self, name):
        return self.services.get(name)


def inbound(limits=None) -> InboundLink:
    return InboundLink("/mobilesim", Node(), limits)


def exchange(one: Link, other: Link) -> None:
    """Carry bytes both ways until nobody has any."""
    while True:
        forth = one.data_to_send()
        other.receive_data(forth)
        back = other.data_to_send()
        one.receive_data(back)
        if not forth and not back:
            return


def greeted(fields: dict[str, str], limits=None) -> InboundLink:
    link = inbound(limits)
    link.receive_data(encode_header(fields))
    return link


def header_of(link: Link) -> dict[str, str]:
    data = link.data_to_send()
    length = int.from_bytes(data[:4], "little")
    return decode_header(data[4 : 4 + length])
