"""Commands that move the robot, and those that say how."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.services.pioneer.dispatch import handles

if TYPE_CHECKING:
    from mobilesim_py.services.pioneer.session import EmulatorSession

FORWARD, LATERAL, ROTATION = 0, 1, 2


def metres(millimetres: float) -> float:
    """Return millimetres (per second, per second squared) in metres."""
    return millimetres / 1000.0


@handles("PULSE")
def pulse(session: EmulatorSession, instruction: Instruction) -> None:
    """Keep the session alive; with an argument (ARIA's SETLATV) set the maximum lateral speed."""
    if instruction.integer() > 0:
        session.robot.limit_speed(LATERAL, metres(instruction.integer()))


@handles("ENABLE")
def enable(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn the motors on or off."""
    session.robot.motors = instruction.integer() != 0


@handles("VEL")
def vel(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the speed."""
    session.robot.drive(metres(instruction.integer()))


@handles("ROTATE", "RVEL")
def rotate(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the rotational speed."""
    right, left = session.turn_limits
    session.robot.turn(math.radians(max(-right, min(left, instruction.integer()))))


@handles("VEL2")
def vel2(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the speed of each wheel."""
    conversion = session.robot.model.pioneer.conversion
    left, right = (speed * conversion.vel2_divisor for speed in instruction.wheel_speeds())
    session.robot.drive(metres(0.5 * (left + right)))
    session.robot.turn(0.5 * (right - left) * conversion.difference)


@handles("LATVEL")
def latvel(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the lateral speed."""
    session.robot.slide(metres(instruction.integer()))


@handles("MOVE")
def move(session: EmulatorSession, instruction: Instruction) -> None:
    """Drive a distance; robots whose firmware does not know MOVE ignore it."""
    if not session.robot.model.pioneer.has_move_command:
        session.unsupported(instruction)
        return
    session.robot.move(metres(instruction.integer()))


@handles("HEAD")
def head(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn to a heading."""
    _head(session, math.radians(instruction.integer()))


def _head(session: EmulatorSession, heading: float) -> None:
    session.heading_goal = heading
    session.robot.head(heading)


@handles("DHEAD")
def dhead(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn by an angle."""
    angle = math.radians(instruction.integer())
    session.heading_goal = session.robot.odometry.heading + angle
    session.robot.turn_by(angle)


@handles("DCHEAD")
def dchead(session: EmulatorSession, instruction: Instruction) -> None:
    """Turn by an angle from the heading that was asked for last."""
    goal = session.heading_goal if session.heading_goal is not None else session.robot.odometry.heading
    _head(session, math.remainder(goal + math.radians(instruction.integer()), math.tau))


@handles("SETRVDIR")
def setrvdir(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the maximum rotational speed in one direction."""
    right, left = session.turn_limits
    speed = float(instruction.magnitude())
    session.turn_limits = (speed, left) if instruction.is_negative or instruction.integer() < 0 else (right, speed)


@handles("STOP")
def stop(session: EmulatorSession, instruction: Instruction) -> None:
    """Stop with the set deceleration."""
    session.robot.stop()


@handles("ESTOP", "QSTOP")
def estop(session: EmulatorSession, instruction: Instruction) -> None:
    """Stop with the greatest deceleration."""
    session.log.info(messages.ESTOP, session.robot.name)
    session.robot.emergency_stop()


@handles("SETV")
def setv(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the maximum speed; 0 means the model's."""
    session.robot.limit_speed(FORWARD, metres(instruction.magnitude()) or math.inf)


@handles("SETRV")
def setrv(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the maximum rotational speed; 0 means the model's."""
    session.robot.limit_speed(ROTATION, math.radians(instruction.magnitude()) or math.inf)


def _set_ramp(session: EmulatorSession, axis: int, instruction: Instruction, value: float) -> None:
    if instruction.is_negative or instruction.integer() < 0:
        session.robot.set_ramp(axis, deceleration=value)
    else:
        session.robot.set_ramp(axis, acceleration=value)


@handles("SETA")
def seta(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the acceleration or deceleration."""
    _set_ramp(session, FORWARD, instruction, metres(instruction.magnitude()))


@handles("SETRA")
def setra(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the rotational acceleration or deceleration."""
    _set_ramp(session, ROTATION, instruction, math.radians(instruction.magnitude()))


@handles("LATACCEL")
def lataccel(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the lateral acceleration or deceleration."""
    _set_ramp(session, LATERAL, instruction, metres(instruction.magnitude()))


@handles("SETO")
def seto(session: EmulatorSession, instruction: Instruction) -> None:
    """Set the odometry to zero, or to the pose that the command carries."""
    pose = instruction.odometry()
    text = messages.SETO_AT if (pose.x, pose.y, pose.heading) != (0, 0, 0) else messages.SETO
    session.log.info(text.format(x=pose.x, y=pose.y, th=pose.heading), session.robot.name)
    session.robot.set_odometry(metres(pose.x), metres(pose.y), math.radians(pose.heading))


@handles("SIM_SET_POSE")
def sim_set_pose(session: EmulatorSession, instruction: Instruction) -> None:
    """Put the robot at a true pose."""
    pose = instruction.pose()
    if pose is None:
        session.log.occasionally("set pose", "SIM_SET_POSE without three 4-byte numbers. Ignoring.", session.robot.name)
        return
    session.log.info(messages.SET_POSE.format(x=pose.x, y=pose.y, th=pose.heading), session.robot.name)
    session.robot.place(metres(pose.x), metres(pose.y), math.radians(pose.heading))


@handles("SIM_RESET")
def sim_reset(session: EmulatorSession, instruction: Instruction) -> None:
    """Put the robot back to its start and its odometry to zero."""
    session.log.info(messages.SIM_RESET, session.robot.name)
    start = session.robot.start
    session.robot.place(start.x, start.y, start.heading)
    session.robot.set_odometry()


@handles("OLD_SETORIGINX", "OLD_SETORIGINY", "OLD_SETORIGINTH")
def old_set_origin(session: EmulatorSession, instruction: Instruction) -> None:
    """Set one coordinate of the true pose (SRISim)."""
    pose = session.robot.pose
    value = instruction.integer()
    x = metres(value) if instruction.name.endswith("X") else pose.x
    y = metres(value) if instruction.name.endswith("Y") else pose.y
    heading = math.radians(value) if instruction.name.endswith("TH") else pose.heading
    session.robot.place(x, y, heading)


@handles("OLD_RESET_TO_ORIGIN")
def old_reset(session: EmulatorSession, instruction: Instruction) -> None:
    """Put the robot at true pose 0,0,0 (SRISim)."""
    session.robot.place(0.0, 0.0, 0.0)
