"""Pioneers and their clients as a service: ports, factories, serial lines and pseudo-terminals that speak ARCOS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from mobilesim_py import messages
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.engines.engine import CompiledEngine, Engine
from mobilesim_py.core.robot import Robot
from mobilesim_py.errors import MobileSimError, UsageError
from mobilesim_py.net.door import Door
from mobilesim_py.net.ports import FactoryPort, RobotPort
from mobilesim_py.protocols.arcos.commands import command_table
from mobilesim_py.protocols.arcos.compiled_packing import PACK, CompiledPacker
from mobilesim_py.protocols.arcos.simulator import MapChanged, pack_map_changed
from mobilesim_py.services.equipped import Facts
from mobilesim_py.services.pioneer.attaching import attach
from mobilesim_py.services.pioneer.desk import facts_of, set_devices, stick_of
from mobilesim_py.services.pioneer.equipment import Equipment
from mobilesim_py.services.pioneer.fleet import Fleet
from mobilesim_py.services.pioneer.gps import GpsPorts
from mobilesim_py.services.pioneer.host import Settings
from mobilesim_py.services.pioneer.patience import Patience
from mobilesim_py.services.pioneer.serial_ports import SerialPorts
from mobilesim_py.services.pioneer.session import EmulatorSession
from mobilesim_py.services.pioneer.stick import move_stick
from mobilesim_py.services.service import Booking, ClientFacts, Stage, Way, WorldChange, WorldChangeKind

PROTOCOL = "arcos"
"""What the models of our robots say that their clients speak."""
SIP_INTERVAL = 0.1
"""Simulated time between SIPs [s]."""


class PioneerService:
    """All ARCOS sessions of a program; the `Service` of its Pioneers and the `Host` of their sessions."""

    name = "ARCOS"
    period = SIP_INTERVAL

    def __init__(self, stage: Stage, options: Settings) -> None:
        self.simulation = stage.simulation
        self.log = stage.log
        self.maps = stage.worlds
        self.options = options
        self.fleet = Fleet(stage.simulation)
        self._stage = stage
        self._patience = Patience(
            options.slow_client_timeout, options.lockstep_timeout, lambda: stage.clock.real()
        )  # fmt: skip
        self._commands = command_table(
            laser_compat=options.srisim_laser_compat, srisim_compat=options.srisim_compat
        )  # fmt: skip
        self._doors: dict[Robot, Door] = {}
        self._factories: dict[str, Door] = {}
        self._came_in: dict[EmulatorSession, Door] = {}
        self._gps = GpsPorts(stage, options.gps_port, options.bind_to_address)
        self._lines: WeakKeyDictionary[Robot, list[Door]] = WeakKeyDictionary()
        """Doors of what hangs on robots' serial ports."""
        stage.simulation.power.drain_hours = options.battery_drain
        self._equipment: WeakKeyDictionary[Robot, Equipment] = WeakKeyDictionary()

    # Doors

    def open(self, bookings: Sequence[Booking]) -> None:
        """Listen for clients: robots on successive ports (all chosen by the system if the first is 0), then factories."""
        number = self.options.port
        step = 1 if number else 0
        for booking in bookings:
            if booking.robot is None:
                continue
            if booking.way is Way.PORT:
                self.open_robot_port(booking.robot, number)
                number += step
            else:
                self._open_line(booking, booking.robot)
        for booking in bookings:
            if booking.way is Way.FACTORY:
                self._open_factory(booking.model, booking.asked_as, number)
                number += step

    def open_robot_port(self, robot: Robot, number: int) -> int:
        """Give a robot a TCP port (0: any); its number."""
        shown = number or "chosen by the system"
        self.log.info(messages.CONNECTION_CREATED.format(name=robot.name, model=robot.model.name, port=shown))
        port = RobotPort(
            self.options.bind_to_address, number, lambda peer: self.session(robot, port), self.log, robot=robot.name
        )
        self._doors[robot] = self._stage.doors.open(port)
        self._prepare(robot)
        return port.port

    def _prepare(self, robot: Robot) -> None:
        """Open what a robot has beside the door for its client."""
        self._gps.open(robot)
        if self.options.aux:
            self.equipment(robot)

    def _open_line(self, booking: Booking, robot: Robot) -> None:
        def make(peer: str) -> EmulatorSession:
            return self.session(robot, line, persistent=True)

        line: Door
        if booking.way is Way.SERIAL:
            from mobilesim_py.net.serial_line import SerialPort

            line = SerialPort(booking.device, booking.baud, make, self.log, robot=robot.name)
        else:
            from mobilesim_py.net.pseudo_terminal import PtyPort

            line = PtyPort(booking.device, make, self.log, robot=robot.name)
        self._doors[robot] = self._stage.doors.open(line)
        self._prepare(robot)

    def _open_factory(self, model: RobotModel, name: str, number: int) -> None:
        stage = self._stage

        def make(peer: str) -> EmulatorSession:
            robot_name = stage.unique_name(peer.rpartition("(")[2].rstrip(")") or peer)
            self.log.info(messages.FACTORY_CREATING.format(model=name, name=robot_name))
            robot = stage.add(model, robot_name)
            assert isinstance(robot, Robot)
            return self.session(robot, port, on_lost=lambda session: stage.remove(session.robot))

        port = FactoryPort(self.options.bind_to_address, number, make, self.log)
        port.admits = self._has_room
        stage.doors.open(port)
        self._factories[name if name not in self._factories else f"{name}:{port.port}"] = port
        text = messages.FACTORY_READY_AT if self.options.bind_to_address else messages.FACTORY_READY
        self.log.info(text.format(model=name, port=port.port, address=self.options.bind_to_address))

    def _has_room(self, peer: str) -> bool:
        """Tell whether one more client of a factory may have a robot."""
        doors = set(self._factories.values())
        count = sum(door in doors for door in self._came_in.values())
        if count >= self.options.max_robots:
            self.log.occasionally("factory full", messages.FACTORY_FULL.format(peer=peer, count=count))
        return count < self.options.max_robots

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Open a port for a robot that was added while it runs; 0: the one after the last, or as the system chooses."""
        ports = [door.port for door in (*self._doors.values(), *self._factories.values()) if door.port is not None]
        following = max(ports, default=self.options.port - 1) + 1 if self.options.port else 0
        self.open_robot_port(robot, port or following)

    def dismiss(self, robot: Robot) -> None:
        """Hang up on a robot's client and close its door."""
        door = self._doors.pop(robot, None)
        if door is not None:
            self._stage.doors.close(door)
        self._gps.close(robot)
        for line in self._lines.pop(robot, []):
            self._stage.doors.close(line)
        for session in [session for session in self.fleet.sessions if session.robot is robot]:
            session.hang_up()

    def door_of(self, robot: Robot) -> Door | None:
        """Return the port, serial line or pseudo-terminal of a robot that has one."""
        return self._doors.get(robot)

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return the ports of factories, with their models."""
        return tuple(self._factories.items())

    def close(self) -> None:
        """Hang up on everybody."""
        for door in (*self._doors.values(), *self._factories.values()):
            self._stage.doors.close(door)
        self._doors.clear()
        self._factories.clear()

    # Clients

    def session(
        self,
        robot: Robot,
        door: Door | None = None,
        *,
        persistent: bool = False,
        on_lost: Callable[[EmulatorSession], None] | None = None,
    ) -> EmulatorSession:
        """Begin the session of a client that has come in through a door."""

        def lost(session: EmulatorSession) -> None:
            self.fleet.sessions.remove(session)
            self._came_in.pop(session, None)
            if on_lost is not None:
                on_lost(session)

        session = EmulatorSession(self, robot, self._commands, persistent=persistent, on_lost=lost)
        self.fleet.sessions.append(session)
        self.fleet.changed()
        if door is not None:
            self._came_in[session] = door
        return session

    def tell(self, now: float) -> None:
        """Send every client its SIP and scans."""
        if self._stage.clock.lockstep:
            self._patience.stepped(self.fleet.open_sessions)
        self.fleet.tell()
        self._gps.tell(now)

    def is_busy(self) -> bool:
        """Whether any client gets SIPs."""
        return bool(self.fleet.open_sessions) or self._gps.is_heard

    def awaits(self) -> bool:
        """Whether some client has not sent anything since its last SIP."""
        return any(self._patience.awaits(session) for session in self.fleet.open_sessions)

    def backlog(self) -> int:
        """Return the bytes that the slowest client has not taken, of those that are waited for."""
        return self._patience.backlog(self.fleet.open_sessions)

    def clients(self) -> Sequence[ClientFacts]:
        """Return the clients, with or without a finished handshake."""
        return [
            ClientFacts(
                service=self.name,
                key=session,
                peer=session.peer,
                robot=session.robot,
                door=self._came_in.get(session),
                packets_sent=session.packets_sent,
                packets_received=session.packets_received,
                packets_left_out=session.packets_left_out,
                backlog=session.pending,
                temperature=session.condition.temperature,
                is_active=session.is_open,
            )
            for session in self.fleet.sessions
        ]

    def held(self) -> Sequence[Robot]:
        """Return the robots that clients drive."""
        return [session.robot for session in self.fleet.sessions]

    def world_changed(self, change: WorldChange) -> None:
        """Tell everybody of another map; of a load that failed only who asked: the map in force, "not loaded"."""
        loaded = change.kind in (WorldChangeKind.LOADED, WorldChangeKind.LEFT)
        self.fleet.changed()
        packet = pack_map_changed(MapChanged(change.name, loaded=loaded, by_user=change.by_user))
        failed = change.kind is WorldChangeKind.FAILED
        for session in list(self.fleet.sessions):
            if not failed or session is change.asked_by:
                session.write(packet)

    def use_engine(self, engine: Engine) -> None:
        """Pack SIPs and scans by the compiled kernels when there are any."""
        if isinstance(engine, CompiledEngine):
            self.fleet.pack = CompiledPacker(engine.kernels(PACK))

    # What sessions ask for

    @property
    def sip_cycle(self) -> float:
        """Simulated time between two SIPs [s]: a step, where that is longer than the usual cycle."""
        return max(SIP_INTERVAL, self.simulation.dt)

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something when real time has passed."""
        self._stage.clock.later(seconds, call)

    def real_time(self) -> float:
        """Return seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""
        return self._stage.clock.real()

    def real_interval(self) -> float:
        """Return the real time that a step should take [s]."""
        return self._stage.clock.real_interval()

    def last_interval(self) -> float:
        """Return the real time that the last step took [s]."""
        return self._stage.clock.last_interval()

    def sessions_changed(self) -> None:
        """Note that a session was opened or ended."""
        self.fleet.changed()
        self._stage.wake()

    def heard(self, session: EmulatorSession) -> None:
        """Note that a client has sent something."""
        if self._stage.clock.lockstep:
            self._stage.wake()

    def equipment(self, robot: Robot) -> Equipment:
        """Return what a robot has around it."""
        found = self._equipment.get(robot)
        if found is None:
            kinds = {port: kind for name, port, kind in self.options.aux if name in ("", robot.name)}
            found = Equipment(robot, self.simulation, SerialPorts(kinds), self.real_time)
            self._equipment[robot] = found
            self._lines[robot] = attach(self._stage, robot, found.ports)
        return found

    def devices_of(self, robot: Robot) -> Facts | None:
        """Return what the devices of a robot say now; None if it is none of ours."""
        return facts_of(self.equipment(robot)) if robot.model.protocol == PROTOCOL else None

    def set_devices(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Set inputs of a robot; OrderError says what is wrong with the wish."""
        set_devices(self.equipment(robot), wish)

    def move_joystick(self, robot: Robot, wish: Mapping[str, Any]) -> None:
        """Move the joystick at a robot's port; OrderError says what is wrong with the wish."""
        equipment = self.equipment(robot)
        move_stick(equipment, stick_of(wish), self.real_time())
        self.fleet.changed()

    def single_step(self) -> None:
        """Take a step, if the simulation is paused."""
        if self._stage.clock.paused:
            self._stage.clock.single_step()

    def remodel(self, session: EmulatorSession, name: str) -> None:
        """Make a session's robot one of another model; the log says why if that is impossible."""
        try:
            model = self._stage.catalogue.find(name.rpartition("/")[2].removesuffix(".p"))
            if model.is_box or model.protocol != PROTOCOL:
                raise UsageError(f"{name} is no robot that speaks {self.name}.")
        except MobileSimError as error:
            self.log.occasionally("model", f"OLD_LOADPARAM: {error}", session.robot.name)
            return
        self.simulation.remodel(session.robot, model)
        session.model_changed()
        self.log.info(f"is a {model.name} from now on.", session.robot.name)

    def exit(self, code: int) -> None:
        """End the program within a step."""
        self._stage.exit(code)

    def crash(self, number: int) -> None:
        """End the program as a crash would."""
        self._stage.crash(number)
