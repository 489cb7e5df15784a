"""The master that our node registers at: one of our own, which nodes of others use as well, or one elsewhere.

Our own forgets nodes that do not answer any more. One elsewhere may go away and come back: we look from time to time, and
register anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from mobilesim_py.errors import PortError
from mobilesim_py.net.ports import QuietPort
from mobilesim_py.protocols.ros.errors import RosError
from mobilesim_py.protocols.ros1.master import Master
from mobilesim_py.protocols.ros1.parameters import Parameters
from mobilesim_py.protocols.ros1.xmlrpc import parse_status
from mobilesim_py.services.ros.carrier import NODE
from mobilesim_py.services.ros.ros1.calls import Caller, PostSession
from mobilesim_py.services.service import Stage

MASTER_PORT = 11311
LOOK_SECONDS = 5.0
"""How often nodes, or the master elsewhere, are looked for."""
RETRY_SECONDS = 1.0
"""How often a master that is gone is looked for."""
MOST_MISSED = 2
"""A node that did not answer so many times is dead."""

Then = Callable[[Any, str], None]
"""Told of the answer of a master: its value, or None and what went wrong."""


class Registry(Protocol):
    """A master, as our node uses it."""

    @property
    def uri(self) -> str:
        """Where it is."""

    def open(self) -> None:
        """Begin."""

    def call(self, method: str, parameters: Sequence[Any], then: Then) -> None:
        """Call a method; our name is put before the parameters."""

    def close(self) -> None:
        """End."""


class OwnMaster:
    """A master of our own on a port of ours."""

    def __init__(
        self, stage: Stage, caller: Caller, parameters: Parameters, host: str, port: int, bind: str, pid: int = 0
    ) -> None:
        self.master = Master(f"http://{host}:{port}/", pid)
        self.master.parameters = parameters
        parameters.set("/run_id", str(uuid.uuid4()))
        self._stage = stage
        self._caller = caller
        self._host = host
        self._missed: dict[str, int] = {}
        self._is_closed = False
        self._door = QuietPort(bind, port, self._session, stage.log, interface="ROS 1 master")

    @property
    def uri(self) -> str:
        """Where it is."""
        return self.master.uri

    def open(self) -> None:
        """Listen."""
        try:
            self._stage.doors.open(self._door)
        except PortError as error:
            port = self._door.port
            taken = str(error).partition(" Choose another")[0]
            raise PortError(
                f"{taken} If that is a ROS master, use it: --ros1 http://localhost:{port}; "
                "or let ours have another port: --ros1 PORT."
            ) from None
        self.master.uri = f"http://{self._host}:{self._door.port}/"
        self._later(LOOK_SECONDS)

    def _session(self, peer: str) -> PostSession:
        return PostSession(self._answer)

    def _answer(self, body: bytes, host: str) -> bytes:
        answer = self.master.answer(body)
        self._send_calls()
        return answer

    def call(self, method: str, parameters: Sequence[Any], then: Then) -> None:
        """Call a method at once."""
        code, text, value = self.master.call(method, [NODE, *parameters])
        self._send_calls()
        then(value if code == 1 else None, "" if code == 1 else text)

    def _send_calls(self) -> None:
        for call in self.master.calls():

            def then(body: bytes | None, why: str, node: str = call.node, api: str = call.api) -> None:
                if body is None:
                    self._miss(node, api)

            self._caller.call(call.api, call.method, call.parameters, then)

    # Nodes that are gone

    def _later(self, seconds: float) -> None:
        self._stage.clock.later(seconds, self._look)

    def _look(self) -> None:
        if self._is_closed:
            return
        for node, api in list(self.master.nodes.items()):
            if node == NODE:
                continue

            def then(body: bytes | None, why: str, node: str = node, api: str = api) -> None:
                if body is None:
                    self._miss(node, api)
                else:
                    self._missed.pop(node, None)

            self._caller.call(api, "getPid", ["/master"], then)
        self._later(LOOK_SECONDS)

    def _miss(self, node: str, api: str) -> None:
        if self.master.nodes.get(node) != api or self._is_closed:
            return
        self._missed[node] = self._missed.get(node, 0) + 1
        if self._missed[node] >= MOST_MISSED:
            del self._missed[node]
            self._stage.log.info(f"ROS 1: The node {node} does not answer any more and is forgotten.")
            self.master.drop_node(node)
            self._send_calls()

    def close(self) -> None:
        """Close the port."""
        self._is_closed = True
        self._stage.doors.close(self._door)


class ForeignMaster:
    """A master elsewhere."""

    def __init__(self, stage: Stage, caller: Caller, uri: str, came: Callable[[], None]) -> None:
        self.uri = uri
        self.is_there = False
        self._stage = stage
        self._caller = caller
        self._came = came
        """Called when it is there (again), and knows nothing of us."""
        self._is_closed = False
        self._has_complained = False

    def open(self) -> None:
        """Look for it at once."""
        self._look()

    def _look(self) -> None:
        if not self._is_closed:
            self._caller.call(self.uri, "lookupNode", [NODE, NODE], self._looked)

    def _looked(self, body: bytes | None, why: str) -> None:
        if self._is_closed:
            return
        if body is None:
            if self.is_there or not self._has_complained:
                self._has_complained = True
                self._stage.log.warning(f"ROS 1: There is no master at {self.uri} ({why}). Trying again.")
            self.is_there = False
        else:
            if not self.is_there:
                self._stage.log.info(f"ROS 1: The master at {self.uri} is there.")
            knows_us = _value(body)[0] is not None
            if not (self.is_there and knows_us):
                self.is_there = True
                self._came()
        self._stage.clock.later(LOOK_SECONDS if self.is_there else RETRY_SECONDS, self._look)

    def call(self, method: str, parameters: Sequence[Any], then: Then) -> None:
        """Call a method, if the master is there."""
        if not self.is_there:
            then(None, "the master is not there")
            return

        def answered(body: bytes | None, why: str) -> None:
            if body is None:
                then(None, why)
            else:
                then(*_value(body))

        self._caller.call(self.uri, method, [NODE, *parameters], answered)

    def close(self) -> None:
        """Look for it no more."""
        self._is_closed = True


def _value(body: bytes) -> tuple[Any, str]:
    try:
        return parse_status(body), ""
    except RosError as fault:
        return None, str(fault)
