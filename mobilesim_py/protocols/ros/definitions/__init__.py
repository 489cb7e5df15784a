"""The table of all message, service and action types, one row each.

    package/Name    field | field | CONSTANT | field
                    a row goes on in the next line when that line is indented

A field is `type name`, a constant `type NAME=value`. `@1` before either means "in ROS 1 only", `@2` "in ROS 2 only".
`---` parts the
request of a service from its response, and the goal of an action from its result and its feedback. `Name@version` is another
version of a type under the same name. Names of types are written as ROS 1 writes them; see `rows.py` for ROS 2.

Only names, types and constants enter the md5 sum of a type, so the rows need nothing else.
"""

from __future__ import annotations

from mobilesim_py.protocols.ros.definitions.actions import ACTIONS
from mobilesim_py.protocols.ros.definitions.common import COMMON_MESSAGES
from mobilesim_py.protocols.ros.definitions.robots import ROBOT_MESSAGES
from mobilesim_py.protocols.ros.definitions.sensors import SENSOR_MESSAGES
from mobilesim_py.protocols.ros.definitions.services import SERVICES
from mobilesim_py.protocols.ros.definitions.simulation import SIMULATION_MESSAGES, SIMULATION_SERVICES

MESSAGE_ROWS = COMMON_MESSAGES + SENSOR_MESSAGES + ROBOT_MESSAGES + SIMULATION_MESSAGES
SERVICE_ROWS = SERVICES + SIMULATION_SERVICES
ACTION_ROWS = ACTIONS
