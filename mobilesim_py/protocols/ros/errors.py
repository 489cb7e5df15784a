"""What can go wrong between us and a ROS peer. The text of an error is a sentence for the log.

RosError
+-- UnknownTypeError    a message, service or action type that the table does not have
+-- MessageError        a message that does not fit its type, or bytes that are no message of that type
+-- WireError           bytes, XML or JSON that break the protocol; the conversation is over or the request refused
"""

from __future__ import annotations


class RosError(Exception):
    """Any fault of a peer or of a message."""


class UnknownTypeError(RosError):
    """A type that is not in the table."""


class MessageError(RosError):
    """A message and its type do not fit."""


class WireError(RosError):
    """Bytes that break the protocol."""
