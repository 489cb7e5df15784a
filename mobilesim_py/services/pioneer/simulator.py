"""Commands for the simulator itself: packets about it, maps, logs, messages, the end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mobilesim_py import __version__, messages
from mobilesim_py.geometry import AxisTriple
from mobilesim_py.protocols.arcos import simulator as wire
from mobilesim_py.protocols.arcos.config import pack_config
from mobilesim_py.protocols.arcos.instruction import ControlOperation, Instruction
from mobilesim_py.services.pioneer.config import config_of
from mobilesim_py.services.pioneer.dispatch import handles
from mobilesim_py.services.pioneer.settings import config_fields

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession


@handles("CONFIG")
def config(session: EmulatorSession, instruction: Instruction) -> None:
    """Send a CONFIG packet."""
    robot = session.robot
    cycle = min(0xFF, round(session.host.sip_cycle * 1000.0))
    ramps = [robot.ramp(axis) for axis in range(3)]
    facts = config_of(
        robot.model,
        AxisTriple(*(robot.speed_limit(axis) for axis in range(3))),
        AxisTriple(*(up for up, _ in ramps)),
        AxisTriple(*(down for _, down in ramps)),
    )
    told: dict[str, Any] = {"sip_cycle": cycle} | config_fields(session.settings)
    session.send(pack_config(replace(facts, **told)))


@handles("SIM_STAT")
def sim_stat(session: EmulatorSession, instruction: Instruction) -> None:
    """Send SIMSTAT once (1 or no argument), with every SIP (2), or no more (0)."""
    value = instruction.integer(1)
    if value not in (0, 1, 2):
        session.log.warning(messages.UNKNOWN_SIM_STAT.format(value=value), session.robot.name)
        return
    if value == 1:
        session.send(stat_packet(session))
    else:
        session.stat_streaming = value == 2


def stat_packet(session: EmulatorSession) -> bytes:
    """Return the SIMSTAT packet."""
    host, pose = session.host, session.robot.pose
    return wire.pack_simstat(
        wire.SimStat(
            x=pose.x,
            y=pose.y,
            heading=pose.heading,
            has_map=host.simulation.world.has_map,
            sim_interval=host.simulation.dt,
            real_interval=host.real_interval(),
            last_interval=host.last_interval(),
            georeference=gps_place(session),
            odometry_error=wire.OdometryError(*session.robot.odometry_error),
        )
    )


def gps_place(session: EmulatorSession) -> wire.Georeference | None:
    """Return where the GPS antenna is; None on a map that does not say where on earth it lies."""
    world, robot = session.host.simulation.world, session.robot
    if world.georeference is None:
        return None
    pose, (forward, left) = robot.pose, robot.model.pioneer.gps
    s, c = math.sin(pose.heading), math.cos(pose.heading)
    x, y = pose.x + forward * c - left * s, pose.y + forward * s + left * c
    dop = 0.0 if world.is_gps_bad(x, y) else robot.model.pioneer.gps_dop
    return wire.Georeference(*world.georeference.at(x, y), dop)


@handles("SIM_DEVICE_DATA")
def sim_device_data(session: EmulatorSession, instruction: Instruction) -> None:
    """Send one packet of a simulated device."""
    request, name = instruction.device(), session.robot.name
    if (request.type, request.index) != ("gps", 0):
        text = messages.UNKNOWN_DEVICE.format(type=request.type, index=request.index)
        session.log.occasionally("device data", text, name)
    elif request.wanted:
        session.send(wire.pack_gps(f"{name}.gps:0", 0, gps_place(session)))


def info_packet(session: EmulatorSession) -> bytes:
    """Return the SIMINFO packet."""
    robot, options = session.robot, session.host.options
    devices = []
    if robot.model.sonar.transducers:
        devices.append(wire.Device(f"{robot.name}.sonar:0", "sonar"))
    for index, laser in enumerate(robot.model.lasers):
        devices.append(wire.Device(f"{robot.name}.{laser.name}:{index}", "laser", index))
    return wire.pack_siminfo(
        wire.SimInfo(
            version=__version__,
            devices=tuple(devices),
            interactive=options.interactive or options.web,
            restarted=options.restarted_after_crash,
        )
    )


@handles("SIM_CTRL")
def sim_ctrl(session: EmulatorSession, instruction: Instruction) -> None:
    """Operate the simulator as a whole."""
    control = instruction.control()
    host, name = session.host, session.robot.name
    match control.operation:
        case ControlOperation.LOAD_MAP | ControlOperation.MASTER_LOAD_MAP:
            master = control.operation == ControlOperation.MASTER_LOAD_MAP
            host.maps.load(control.file_name, asked_by=session, master=master)
        case ControlOperation.CLEAR_MASTER_MAP:
            host.maps.clear_master()
            session.log.info(messages.MASTER_MAP_CLEARED, name)
        case ControlOperation.ROTATE_LOGS:
            session.log.rotate(name)
        case ControlOperation.LOG_STATE:
            session.log_state(control.text)
        case ControlOperation.SIM_INFO:
            session.send(info_packet(session))
        case ControlOperation.GHOST:
            session.robot.ghost = True
            session.made_ghost = True
            session.log.info("Robot is a ghost now: nothing collides with it, and no sensor sees it.", name)
        case unknown:
            session.log.warning(messages.UNKNOWN_SIM_CTRL.format(code=unknown), name)


@handles("SIM_MESSAGE", "MESSAGE")
def message(session: EmulatorSession, instruction: Instruction) -> None:
    """Log the text."""
    session.log.info(instruction.text(), session.robot.name)


@handles("SIM_EXIT")
def sim_exit(session: EmulatorSession, instruction: Instruction) -> None:
    """End the program with the exit code of the command."""
    code = instruction.magnitude() & 0xFF
    session.log.info(messages.SIM_EXIT.format(code=code), session.robot.name)
    session.host.exit(code)


@handles("OLD_END_SIM")
def old_end_sim(session: EmulatorSession, instruction: Instruction) -> None:
    """End the program (SRISim)."""
    session.log.info(messages.OLD_SIM_EXIT.format(number=instruction.number), session.robot.name)
    session.host.exit(0)


@handles("RESET", "MAINTENANCE")
def maintenance(session: EmulatorSession, instruction: Instruction) -> None:
    """Abort the program, for debugging."""
    session.log.error(messages.MAINTENANCE.format(number=instruction.number), session.robot.name)
    session.host.crash(instruction.number)
