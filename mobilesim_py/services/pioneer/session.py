"""One client's session with one robot: its bytes become wishes on the robot, its packets become bytes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping

from mobilesim_py import messages
from mobilesim_py.core.robot import Robot
from mobilesim_py.net.link import Link
from mobilesim_py.protocols.arcos.commands import CommandSpec, Support
from mobilesim_py.protocols.arcos.connection import (
    BadPacket,
    Closed,
    Connection,
    HandshakeWarning,
    Identity,
    InstructionReceived,
    Opened,
    Synchronised,
)
from mobilesim_py.protocols.arcos.instruction import Instruction
from mobilesim_py.protocols.arcos.meaning import Meanings
from mobilesim_py.services.pioneer import (  # noqa: F401  (their handlers register themselves)
    auxiliary,
    bumpers,
    charging,
    compass,
    encoders,
    gripping,
    gyro,
    lines,
    motion,
    odds,
    sensors,
    settings,
    simulator,
    sounds,
    stick,
)
from mobilesim_py.services.pioneer.counting import count_packets
from mobilesim_py.services.pioneer.dispatch import HANDLERS
from mobilesim_py.services.pioneer.host import Host
from mobilesim_py.services.pioneer.refusals import missing_permission
from mobilesim_py.services.pioneer.streams import Streams

LONGEST_PAUSE = 0.3
"""Seconds without a byte after which an incomplete packet is taken for noise; ARIA allows 0.1."""


class EmulatorSession:
    """The session of one client; its link calls `attach`, `receive` and `lost`, the fleet sends SIPs through it."""

    def __init__(
        self,
        host: Host,
        robot: Robot,
        commands: Mapping[int, CommandSpec],
        *,
        persistent: bool = False,
        on_lost: Callable[[EmulatorSession], None] | None = None,
    ) -> None:
        self.host = host
        self.robot = robot
        self.log = host.log
        facts = robot.model.pioneer
        identity = Identity(robot_class=facts.robot_class, subclass=facts.subclass)
        self.connection = Connection(identity, commands, persistent=persistent)
        self.peer = ""
        self.equipment = host.equipment(robot)
        self.condition = self.equipment.condition
        self.streams = Streams()
        """Packets of devices that it has asked for."""
        self.gyro_clock = gyro.GyroClock()
        self._forget_wishes()
        self.lasers = [sensors.LaserSettings(unit, index) for index, unit in enumerate(robot.lasers)]
        self.stat_streaming = False
        self.made_ghost = False
        self.sonar_next = 0
        """First transducer of the next SIP, on robots with more than fit into one."""
        self.last_command = 0.0
        """Simulated time of the last valid packet."""
        self.last_command_real = 0.0
        """Real time of it: a client that keeps to real time is not silent just because the simulation runs faster."""
        self.watchdog_warned = False
        self.watchdog_due = math.inf
        """Simulated time from which on its silence is too long."""
        self.was_heard = False
        """Whether the client sent anything since its last SIP."""
        self.packets_sent = 0
        self.packets_received = 0
        self.packets_left_out = 0
        """Packets not sent because the client does not read."""
        self.persistent = persistent
        """Whether the line stays when the session ends, as a serial one does."""
        self._on_lost = on_lost
        self._link: Link | None = None
        self._began = False
        self._named: set[str] = set()
        """Unsupported commands that the log has named."""
        self._bursts = 0
        """How often bytes came."""
        self._awaiting_rest = False
        """Whether the host will ask for the rest of an incomplete packet."""

    # Called by the link

    @property
    def synchronised(self) -> bool:
        """Whether the handshake is done."""
        return self.connection.is_synchronised

    @property
    def is_open(self) -> bool:
        """Whether SIPs shall be sent."""
        return self.connection.is_open

    @property
    def pending(self) -> int:
        """Bytes that the client has not taken yet."""
        return self._link.pending if self._link is not None else 0

    def hang_up(self) -> None:
        """End the session from our side."""
        if self._link is not None:
            self._link.close()

    def attach(self, link: Link) -> None:
        """Take the link to the client."""
        self._link = link
        self.peer = link.peer
        self._note_command()

    def receive(self, data: bytes) -> None:
        """Take bytes from the client and obey what they say at once."""
        self._bursts += 1
        self.connection.receive_data(data)
        self._react()
        self._await_rest()

    def _await_rest(self) -> None:
        """Have an incomplete packet given up when nothing follows it; the host's timer asks again while bytes come."""
        if self.connection.is_mid_packet and not self._awaiting_rest and self._link is not None:
            self._awaiting_rest = True
            self.host.later(LONGEST_PAUSE, functools.partial(self._rest_is_due, self._bursts))

    def _rest_is_due(self, bursts: int) -> None:
        self._awaiting_rest = False
        if self._link is None:
            return
        if bursts == self._bursts:
            self.connection.silence()
            self._react()
        self._await_rest()

    def _react(self) -> None:
        """Obey what was received, and answer."""
        for event in self.connection.events():
            match event:
                case InstructionReceived(instruction):
                    self.obey(instruction)
                case Synchronised():
                    self.log.info(messages.STARTING_SESSION, self.robot.name)
                    self._alive()
                    self._begin()
                case Opened():
                    self._alive()
                    self.robot.sonar_on = True
                    self.host.sessions_changed()
                case Closed(reason):
                    self._flush()
                    self.log.info(reason.value, self.robot.name)
                    self._end()
                    if self.connection.is_closed:
                        return
                case HandshakeWarning(text):
                    self.log.occasionally("handshake", text, self.robot.name)
                case BadPacket(kind, _, detail):
                    self.log.occasionally(f"bad {kind}", detail, self.robot.name)
        self._flush()
        self.was_heard = True
        self.host.heard(self)

    def lost(self, reason: str) -> None:
        """Note that the client is gone."""
        self._link = None
        if reason and reason != messages.CLIENT_DISCONNECTED:
            self.log.info(reason, self.robot.name)
        self.log.info(messages.CLIENT_DISCONNECTED, self.robot.name)
        self.host.maps.forget(self)
        self._leave_robot()
        if self._on_lost is not None:
            self._on_lost(self)
        self.host.sessions_changed()

    # Called by the service

    def send(self, packets: bytes) -> None:
        """Send packets with the answers to what was received."""
        self.connection.send(packets)

    def write(self, packets: bytes, count: int = 1) -> None:
        """Send so many packets now, in one write."""
        if self._link is not None and self.connection.send(packets):
            if self._link.write(self.connection.data_to_send()):
                self.packets_sent += count
            else:
                self.packets_left_out += count
                text = messages.SLOW_CLIENT.format(count=self.packets_left_out)
                self.log.occasionally("slow client", text, self.robot.name)

    def obey(self, instruction: Instruction) -> None:
        """Obey a command."""
        self._alive()
        self.packets_received += 1
        options = self.host.options
        laser_is_on = any(laser.unit.on for laser in self.lasers)
        instruction = self.meanings.settle(instruction, laser_is_on=laser_is_on)
        if options.log_packets_received:
            self.log.record(f"< {instruction.name} ({instruction.number}) {instruction.data.hex(' ')}", self.robot.name)
        if instruction.number in options.ignore_commands:
            self.log.occasionally(
                f"ignore {instruction.number}", messages.IGNORED_COMMAND.format(number=instruction.number), self.robot.name
            )
            return
        if permission := missing_permission(instruction, options.denied):
            text = messages.REFUSED_COMMAND.format(number=instruction.number, name=instruction.name, group=permission)
            self.log.occasionally(f"refuse {instruction.number}", text, self.robot.name)
            return
        handler = HANDLERS.get(instruction.name) if instruction.spec.status is not Support.UNSUPPORTED else None
        if handler is None:
            self.unsupported(instruction)
        else:
            handler(self, instruction)

    def unsupported(self, instruction: Instruction) -> None:
        """Ignore a command, and say so once; more often when asked to."""
        if instruction.name in self._named and not self.host.options.warn_unsupported_commands:
            return
        self._named.add(instruction.name)
        named = instruction.spec.name != "UNNAMED"
        text = messages.UNSUPPORTED_COMMAND if named else messages.UNSUPPORTED_UNNAMED
        self.log.occasionally(
            f"unsupported {instruction.number}",
            text.format(number=instruction.number, name=instruction.name),
            self.robot.name,
        )

    def check_watchdog(self, now: float) -> None:
        """Warn of a client that is silent beyond `watchdog_due`; with --watchdog-stop stop the robot too."""
        timeout = self.robot.model.pioneer.watchdog
        silence = now - self.last_command
        if self.host.real_time() - self.last_command_real <= timeout:
            return
        self.watchdog_warned = True
        self.watchdog_due = math.inf
        stop = self.host.options.watchdog_stop
        text = messages.WATCHDOG_STOP if stop else messages.WATCHDOG
        values = {"silence": round(silence * 1000), "timeout": round(timeout * 1000)}
        self.log.warning(text.format(**values), self.robot.name)
        if stop:
            self.robot.stop()

    def model_changed(self) -> None:
        """Note that the robot is of another model now."""
        self.lasers = [sensors.LaserSettings(unit, index) for index, unit in enumerate(self.robot.lasers)]
        self.meanings = Meanings(has_laser=bool(self.robot.lasers), laser_alone=self.host.options.srisim_compat)
        self.sonar_next = 0
        self.host.sessions_changed()

    def log_state(self, why: str) -> None:
        """Log the whole state of the robot."""
        robot = self.robot
        pose, odometry = robot.pose, robot.odometry
        forward, lateral, rotation = robot.velocity
        battery = robot.battery
        volts, charge = (battery.volts, battery.charge) if battery is not None else (None, None)
        told = [
            f"Client requested state log: {why}",
            f"model {robot.model.name} (class {robot.model.pioneer.robot_class}, subclass {robot.model.pioneer.subclass}), "
            f"client {self.peer}",
            f"true pose {pose.x * 1000:.1f} mm, {pose.y * 1000:.1f} mm, {math.degrees(pose.heading):.2f} deg",
            f"odometry {odometry.x * 1000:.1f} mm, {odometry.y * 1000:.1f} mm, {math.degrees(odometry.heading):.2f} deg",
            f"velocity {forward * 1000:.1f} mm/s, lateral {lateral * 1000:.1f} mm/s, {math.degrees(rotation):.2f} deg/s",
            f"motors {'on' if robot.motors else 'off'}, stalled {'yes' if robot.stalled else 'no'}, "
            f"ghost {'yes' if robot.ghost else 'no'}",
            f"battery {volts or 0.0:.1f} V, charge {100.0 * (charge or 0.0):.0f} %, "
            f"sonar {'on' if robot.sonar_on else 'off'}",
        ]
        for index, laser in enumerate(robot.lasers):
            told.append(
                f"laser {index} {laser.model.name}: {'on' if laser.on else 'off'}, {laser.count} readings from "
                f"{math.degrees(laser.start):.2f} deg by {math.degrees(laser.increment):.3f} deg"
            )
        for line in told:
            self.log.info(line, robot.name)

    # Internals

    def _forget_wishes(self) -> None:
        """Know of nothing that a client has said of devices."""
        self.streams.clear()
        self.meanings = Meanings(has_laser=bool(self.robot.lasers), laser_alone=self.host.options.srisim_compat)
        self.settings: dict[str, int] = {}
        """What it has set that CONFIG tells, by the names of the commands."""
        self.gripper_value = 0
        """What the next GRIPPERVAL is: 16 the pressure, 17 a way of the lift, 0 nothing."""
        self.compass_due = 0.0
        """Simulated time of the next packet of the compass [s]."""
        self.compass_once = False
        """Whether there is only one more."""
        self.heading_goal: float | None = None
        """Heading of the odometry that it asked for last [rad]."""
        self.turn_limits = (math.inf, math.inf)
        """Greatest rotational speeds to the right and to the left [deg/s]."""
        self.sounds_to_name: list[int] = []
        self.names_all_sounds = False

    def _note_command(self) -> None:
        timeout = self.robot.model.pioneer.watchdog
        self.last_command = self.host.simulation.time
        self.last_command_real = self.host.real_time()
        self.watchdog_due = self.last_command + timeout if timeout > 0.0 else math.inf

    def _alive(self) -> None:
        self._note_command()
        if self.watchdog_warned:
            self.watchdog_warned = False
            self.log.info(messages.DATA_RESTORED, self.robot.name)

    def _begin(self) -> None:
        """Begin a session: the robot is as new, but stays where it is."""
        self._leave_robot()
        self._began = True
        self.lasers = [sensors.LaserSettings(unit, index) for index, unit in enumerate(self.robot.lasers)]
        self.stat_streaming = False
        self._forget_wishes()
        self.host.sessions_changed()

    def _leave_robot(self) -> None:
        if self.robot.column >= 0 and self._began:
            self.host.simulation.restore(self.robot)
            self.equipment.reset()
            if self.made_ghost:
                self.robot.ghost = False
        self._began = False

    def _end(self) -> None:
        """End the session; on a line that does not hang up the next one may begin."""
        if self.connection.is_closed:
            if self._link is not None:
                self._link.close()
        else:
            self._leave_robot()
            self.host.sessions_changed()

    def _flush(self) -> None:
        data = self.connection.data_to_send()
        if data and self._link is not None:
            count = count_packets(data)
            if self._link.write(data):
                self.packets_sent += count
            else:
                self.packets_left_out += count
