"""ROS as the options ask for it: which carriers there are, and whose time and names they use."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from mobilesim_py.app.options import Options
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.services.ros.bridge.carrier import BridgeCarrier, BridgeSettings
from mobilesim_py.services.ros.carrier import Carrier
from mobilesim_py.services.ros.ros1.carrier import Ros1Carrier, Ros1Settings
from mobilesim_py.services.ros.ros1.masters import MASTER_PORT
from mobilesim_py.services.ros.service import RosService
from mobilesim_py.services.service import Stage
from mobilesim_py.view.page.guard import Guard, Visit, is_loopback


def make_service(stage: Stage, options: Options) -> RosService:
    """Return the service of ROS."""
    carriers: list[Carrier] = []
    if options.ros1 is not None:
        carriers.append(Ros1Carrier(stage, ros1_settings(options)))
        if not is_loopback(options.ros_bind):
            stage.log.warning(
                f"ROS 1: Everybody who reaches {options.ros_bind} can drive the robots: ROS 1 knows no passwords."
            )
    carriers.append(BridgeCarrier(stage, bridge_settings(stage, options)))
    if options.ros2:
        from mobilesim_py.services.ros.ros2.carrier import Ros2Carrier

        carriers.append(Ros2Carrier(stage))
    if options.foxglove is not None:
        from mobilesim_py.services.ros.foxglove.carrier import FoxgloveCarrier

        carriers.append(FoxgloveCarrier(stage, options.foxglove, options.ros_bind))
    if options.mcap is not None:
        from mobilesim_py.services.ros.foxglove.recorder import McapCarrier

        carriers.append(McapCarrier(stage, options.mcap))
    return RosService(
        stage,
        carriers,
        name_set=options.ros_names,
        simulated_time=has_simulated_time(options),
        denied=options.denied,
    )


def ros1_settings(options: Options) -> Ros1Settings:
    """Return where our ROS 1 node lives."""
    word = options.ros1 or ""
    if word.isdigit():
        return Ros1Settings(master_port=int(word), bind=options.ros_bind)
    return Ros1Settings(word, MASTER_PORT, options.ros_bind)


def bridge_settings(stage: Stage, options: Options) -> BridgeSettings:
    """Return where rosbridge is; who may use it is decided as at the viewer."""
    guard = Guard.of(options.ros_bind)
    if guard.token and options.rosbridge is not None:
        # For the person at the terminal, not for the log, which may be kept and read by others.
        print(f"rosbridge: Clients add ?token={guard.token} to the address.", file=sys.stderr, flush=True)
    allowed = options.rosbridge_origin.rstrip("/").lower()

    def refuse(headers: Mapping[str, str], token: str) -> tuple[int, str] | None:
        origin = headers.get("Origin")
        if origin is not None and allowed and origin.rstrip("/").lower() == allowed:
            origin = None
            site = None
        else:
            site = headers.get("Sec-Fetch-Site")
        scheme, _, bearer = headers.get("Authorization", "").partition(" ")
        tokens = tuple(filter(None, (token, bearer.strip() if scheme.lower() == "bearer" else "")))
        refusal = guard.refuse(Visit(headers.get("Host", ""), origin, site, tokens=tokens))
        return (refusal.status, refusal.text) if refusal is not None else None

    dialect = Dialect.ROS2 if options.ros_version == 2 else Dialect.ROS1
    return BridgeSettings(options.rosbridge, options.ros_bind, refuse, dialect)


def has_simulated_time(options: Options) -> bool:
    """Whether stamps are simulated time: where that does not pass as the time of the wall clock does."""
    if options.ros_time != "auto":
        return options.ros_time == "sim"
    return options.lockstep or options.speed != 1.0 or options.update_sim_time != options.update_interval
