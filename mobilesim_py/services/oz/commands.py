"""What clients' packets do: a handler for every kind that comes to the robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.protocols.naio import Packet
from mobilesim_py.protocols.naio.api_packets import ApiCommand, ApiMotors, ApiMoveActuator, ApiRunPlot, ApiWatchdog
from mobilesim_py.protocols.naio.hardware_packets import HaActuator, HaCan, HaLed, HaMotors, HaScreen, HaSpeaker
from mobilesim_py.protocols.naio.manual_packets import ManualActuator
from mobilesim_py.protocols.naio.panel_packets import (
    ApiGprs,
    ApiIhmAskEnum,
    ApiIhmAskValue,
    ApiIhmDisplay,
    ApiLogToRobot,
    ApiMessage,
    ApiSms,
)
from mobilesim_py.protocols.naio.values import CommandCode, ImageType, ManualToolOrder

if TYPE_CHECKING:
    from mobilesim_py.services.oz.session import OzSession

Handler = Callable[["OzSession", Any], None]
HANDLERS: dict[type[Packet], Handler] = {}
"""By the class of the packet."""
AnyHandler = TypeVar("AnyHandler", bound=Handler)


def obeys(*packets: type[Packet]) -> Callable[[AnyHandler], AnyHandler]:
    """Register a function for packets of these classes."""

    def register(handler: AnyHandler) -> AnyHandler:
        HANDLERS.update(dict.fromkeys(packets, handler))
        return handler

    return register


# Moving


@obeys(HaMotors, ApiMotors)
def drive(session: OzSession, packet: HaMotors | ApiMotors) -> None:
    """Let the motors run."""
    session.oz.power(packet.left, packet.right, session.service.simulation.time, session.service.real_time())


@obeys(ApiMoveActuator)
def move_tool(session: OzSession, packet: ApiMoveActuator) -> None:
    """Raise or lower the tool, or bring it to a position."""
    session.oz.order_tool(min(packet.position, 100))


@obeys(HaActuator)
def actuate(session: OzSession, packet: HaActuator) -> None:
    """Bring the tool to a position, or tell where it is."""
    if packet.is_request:
        session.send(HaActuator(0, 1, session.oz.tool_percent))
    elif session.oz.tool is not None:
        session.oz.tool.go(min(packet.position, 100) / 100.0)


@obeys(ManualActuator)
def actuate_by_order(session: OzSession, packet: ManualActuator) -> None:
    """Raise, lower or stop the tool."""
    tool = session.oz.tool
    if tool is None:
        return
    if packet.order == ManualToolOrder.FREEZE:
        tool.hold()
    else:
        tool.go(1.0 if packet.order == ManualToolOrder.LOWER else 0.0)


# Wishes

_STEREO = {
    CommandCode.RECTIFIED_STEREO_ON: (ImageType.RECTIFIED, True),
    CommandCode.RECTIFIED_STEREO_OFF: (ImageType.RECTIFIED, False),
    CommandCode.RAW_STEREO_ON: (ImageType.RAW, True),
    CommandCode.RAW_STEREO_OFF: (ImageType.RAW, False),
    CommandCode.UNRECTIFIED_STEREO_ON: (ImageType.UNRECTIFIED, True),
    CommandCode.UNRECTIFIED_STEREO_OFF: (ImageType.UNRECTIFIED, False),
}
_WORK = {CommandCode.STOP_WORK: "stop the work", CommandCode.PAUSE: "pause", CommandCode.RESUME: "resume"}


@obeys(ApiCommand)
def command(session: OzSession, packet: ApiCommand) -> None:
    """Switch pictures, reset the IMU, tell what the cameras are like; from now on the status is told."""
    oz = session.oz
    oz.wants_status = True
    try:
        code = CommandCode(packet.command)
    except ValueError:
        session.tell_once(f"command {packet.command}", f"ApiCommand {packet.command} is ignored: there is no such command.")
        return
    if code in _STEREO:
        image_type, on = _STEREO[code]
        (oz.pictures.wanted.add if on else oz.pictures.wanted.discard)(image_type)
    elif code in (CommandCode.ZLIB_ON, CommandCode.ZLIB_OFF):
        oz.pictures.zlib = code is CommandCode.ZLIB_ON
    elif code is CommandCode.RESET_IMU:
        for unit in oz.robot.units(IMU):
            unit.reset()
            unit.on = True
        oz.robot.set_odometry()
        oz.imu_was_reset = True
    elif code in (CommandCode.SEND_INTRINSICS, CommandCode.SEND_EXTRINSICS):
        session.service.tell_camera(session, code)
    else:
        session.log.info(f"Client wishes to {_WORK[code]}; the client does the work itself here.", session.robot.name)


@obeys(ApiRunPlot)
def run_plot(session: OzSession, packet: ApiRunPlot) -> None:
    """Log that the robot shall work by itself: its own program is not simulated."""
    text = f"Client wants {len(packet.rows)} rows worked; the robot's own program is not simulated."
    session.log.info(text, session.robot.name)


@obeys(ApiWatchdog)
def stay(session: OzSession, packet: ApiWatchdog) -> None:
    """Know that the client is there, which every packet says."""


# The panel


@obeys(HaScreen)
def show_on_screen(session: OzSession, packet: HaScreen) -> None:
    """Show two lines on the robot's screen."""
    lines = (packet.top, packet.bottom)
    if lines != session.oz.panel.screen:
        session.oz.panel.screen = lines
        session.log.detail(f"Screen: {packet.top!r} / {packet.bottom!r}", session.robot.name)


@obeys(ApiIhmDisplay)
def display(session: OzSession, packet: ApiIhmDisplay) -> None:
    """Show two lines of a program."""
    lines = (packet.top, packet.bottom)
    if lines != session.oz.panel.display:
        session.oz.panel.display = lines
        session.log.detail(f"Display: {packet.top!r} / {packet.bottom!r}", session.robot.name)


@obeys(HaLed)
def light(session: OzSession, packet: HaLed) -> None:
    """Switch the light."""
    if packet.state != session.oz.panel.led:
        session.oz.panel.led = packet.state
        session.log.detail(f"Led: {packet.state}", session.robot.name)


@obeys(HaSpeaker)
def beep(session: OzSession, packet: HaSpeaker) -> None:
    """Sound the speaker."""
    session.oz.panel.beeps += 1
    session.oz.panel.beep = (packet.duration, packet.volume)
    session.log.detail(f"Speaker: duration {packet.duration}, volume {packet.volume}", session.robot.name)


@obeys(ApiIhmAskEnum, ApiIhmAskValue)
def ask(session: OzSession, packet: ApiIhmAskEnum | ApiIhmAskValue) -> None:
    """Put a question to the person at the robot."""
    session.oz.panel.question = packet
    session.log.info(f"Client asks: {packet.question!r}", session.robot.name)


# What is only logged


@obeys(ApiLogToRobot)
def log_line(session: OzSession, packet: ApiLogToRobot) -> None:
    """Write a line into the log."""
    session.log.info(f"Client: {packet.line}", session.robot.name)


@obeys(ApiSms, ApiGprs, HaCan, ApiMessage)
def only_log(session: OzSession, packet: Packet) -> None:
    """Log what leads nowhere from here."""
    session.log.occasionally(type(packet).__name__, f"{packet} leads nowhere from here.", session.robot.name)
