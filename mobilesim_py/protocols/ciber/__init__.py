"""The protocol of the CiberRato contest: one XML document per UDP datagram, without any I/O, both ends."""

from __future__ import annotations

from mobilesim_py.protocols.ciber.actions import SAY_LIMIT, Actions, decode_actions, encode_actions
from mobilesim_py.protocols.ciber.documents import datagram
from mobilesim_py.protocols.ciber.log_entries import LogRobot, log_entry
from mobilesim_py.protocols.ciber.measures import Measures, Scores, decode_measures, encode_measures
from mobilesim_py.protocols.ciber.registration import (
    DEFAULT_ANGLES,
    REFUSED,
    PanelRequest,
    Registration,
    Reply,
    RobotBeaconRequest,
    RobotRequest,
    ViewRequest,
    decode_registration,
    decode_reply,
    encode_registration,
    encode_reply,
)
from mobilesim_py.protocols.ciber.views import (
    RESTART,
    Command,
    Order,
    PlaceMessage,
    Restart,
    RobotView,
    ViewMessage,
    decode_command,
    decode_view,
    encode_command,
    encode_view,
)

__all__ = [
    "DEFAULT_ANGLES",
    "REFUSED",
    "RESTART",
    "SAY_LIMIT",
    "Actions",
    "Command",
    "LogRobot",
    "Measures",
    "Order",
    "PanelRequest",
    "PlaceMessage",
    "Registration",
    "Reply",
    "Restart",
    "RobotBeaconRequest",
    "RobotRequest",
    "RobotView",
    "Scores",
    "ViewMessage",
    "ViewRequest",
    "datagram",
    "decode_actions",
    "decode_command",
    "decode_measures",
    "decode_registration",
    "decode_reply",
    "decode_view",
    "encode_actions",
    "encode_command",
    "encode_measures",
    "encode_registration",
    "encode_reply",
    "encode_view",
    "log_entry",
]
