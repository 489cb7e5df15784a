"""Oz robots and their clients as a service: main and image ports, or one for each feature, that speak NAIO01."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.robot import Robot
from mobilesim_py.errors import PortError
from mobilesim_py.net.dialling import Dialler
from mobilesim_py.net.door import Door
from mobilesim_py.net.limits import MakeLimit
from mobilesim_py.net.ports import FactoryPort
from mobilesim_py.protocols.naio import Dialect
from mobilesim_py.protocols.naio.values import CommandCode
from mobilesim_py.services.oz.blocks import Blocks
from mobilesim_py.services.oz.desk import Desk
from mobilesim_py.services.oz.features import FEATURES
from mobilesim_py.services.oz.oz import Oz
from mobilesim_py.services.oz.pad import is_in_reach
from mobilesim_py.services.oz.pictures import prepare_pictures
from mobilesim_py.services.oz.routes import routes_of
from mobilesim_py.services.oz.session import IMAGE, MAIN, OzSession, Role
from mobilesim_py.services.oz.settings import FEATURE_OFFSET, IMAGE_OFFSET, MAIN_PORT, OLD_MAIN_OFFSET, STRIDE, Settings
from mobilesim_py.services.oz.settings import main_port as choose_main_port
from mobilesim_py.services.oz.telling import Telling
from mobilesim_py.services.oz.views import Views
from mobilesim_py.services.panelled import Facts, Picture
from mobilesim_py.services.pioneer.patience import Patience
from mobilesim_py.services.service import Booking, ClientFacts, Stage, Way, WorldChange, WorldChangeKind

PERIOD = 0.02
"""Simulated time between two readings of the gyroscope [s]."""
LONGEST_LOOK = 0.1
"""What counts of the real time between two looks after silent clients [s]."""
INTERFACE = "Oz"
READY = "{interface} {role} port ready for a client to connect on TCP port {port}."
IDLE = "Client has sent nothing for {seconds:g} sec: closing its connection (--naio-idle)."
MOTORS_STOPPED = "Client has sent no motor powers for 0.5 sec: the motors stop."


class OzService:
    """All Oz robots of a program and their sessions."""

    name = "NAIO01"
    period = PERIOD

    def __init__(self, stage: Stage, options: Settings) -> None:
        self.simulation = stage.simulation
        self.log = stage.log
        self.options = options
        self.dialect = Dialect(options.naio_dialect)
        self.robots: dict[Robot, Oz] = {}
        self.stage = stage
        self._telling = Telling(stage.simulation, self.dialect)
        self.blocks = Blocks(stage.simulation)
        self._desk = Desk(self)
        self._views = Views(stage.simulation, lambda: stage.clock.real())
        self._patience = Patience(options.slow_client_timeout, options.lockstep_timeout, lambda: stage.clock.real())
        self._first_port: int | None = None
        self._admitted = 0
        self._looked = 0.0
        """Real time of the last look after silent clients [s]."""
        self._dialler: Dialler | None = None

    # Doors

    def open(self, bookings: Sequence[Booking]) -> None:
        """Listen for clients of every Oz; of a factory there is none."""
        others = any(robot.model.protocol != "naio" for robot in self.simulation.robots)
        self._first_port = choose_main_port(self.options, alone=not others)
        for booking in bookings:
            if booking.robot is None:
                self.log.warning("A factory makes no Oz: each has ports of its own. Use --robot oz.")
            elif booking.way is Way.PORT:
                self.admit(booking.robot)
            else:
                self._open_line(booking, booking.robot)

    def admit(self, robot: Robot, port: int = 0) -> None:
        """Open the ports of a robot; 0: those of the next Oz."""
        oz = self.robots[robot] = Oz(robot)
        first = self._first_port
        main = port or (first + STRIDE * self._admitted if first else 0)
        self._admitted += not port
        try:
            if self.options.naio_sockets:
                for number, feature in enumerate(FEATURES):
                    role = Role(feature.name, feature.name == "motors", feature.told, feature.obeyed)
                    self._open_port(oz, role, main and main + FEATURE_OFFSET + number)
            else:
                self._open_port(oz, MAIN, main)
                if first == MAIN_PORT and not port:
                    self._open_old_port(oz, main + OLD_MAIN_OFFSET)
            self._open_port(oz, IMAGE, main and main + IMAGE_OFFSET, self._telling.image_limit)
            self._open_routes(oz)
        except PortError:
            self.dismiss(robot)
            raise

    def _open_port(self, oz: Oz, role: Role, number: int, limit: MakeLimit | None = None) -> None:
        port = FactoryPort(
            self.options.bind_to_address,
            number,
            lambda peer: OzSession(self, oz, role, port),
            self.log,
            robot=oz.robot.name,
            limit=limit,
            interface=INTERFACE,
        )
        oz.doors.append(self.stage.doors.open(port))
        self.log.info(READY.format(interface=INTERFACE, role=role.name, port=port.port), oz.robot.name)

    def _open_old_port(self, oz: Oz, number: int) -> None:
        try:
            self._open_port(oz, MAIN, number)
        except PortError as error:
            self.log.detail(f"The main port of before December 2016 stays closed: {error}", oz.robot.name)

    def _open_routes(self, oz: Oz) -> None:
        """Open the lines to programs that stand in for features, of the first Oz only."""
        if not self.options.naio_routes or len(self.robots) > 1:
            return
        if self._dialler is None:
            self._dialler = self.stage.doors.open(Dialler(self.log, interface=INTERFACE))
        oz.routes = routes_of(self, oz, self.options.naio_routes)
        for route in oz.routes:
            route.dial(self._dialler)

    def _open_line(self, booking: Booking, robot: Robot) -> None:
        oz = self.robots[robot] = Oz(robot)

        def make(peer: str) -> OzSession:
            return OzSession(self, oz, MAIN, line, persistent=True)

        line: Door
        if booking.way is Way.SERIAL:
            from mobilesim_py.net.serial_line import SerialPort

            line = SerialPort(booking.device, booking.baud, make, self.log, robot=robot.name)
        else:
            from mobilesim_py.net.pseudo_terminal import PtyPort

            line = PtyPort(booking.device, make, self.log, robot=robot.name)
        oz.doors.append(self.stage.doors.open(line))

    def dismiss(self, robot: Robot) -> None:
        """Hang up on a robot's clients and close its doors."""
        oz = self.robots.pop(robot, None)
        if oz is not None:
            for route in oz.routes:
                route.close()
            for door in oz.doors:
                self.stage.doors.close(door)
            for session in tuple(oz.sessions):
                session.hang_up()

    def door_of(self, robot: Robot) -> Door | None:
        """Return the main door of a robot."""
        oz = self.robots.get(robot)
        return oz.doors[0] if oz is not None and oz.doors else None

    def factories(self) -> Sequence[tuple[str, Door]]:
        """Return no doors: there are no factories of Oz robots."""
        return ()

    def close(self) -> None:
        """Hang up on everybody."""
        for robot in tuple(self.robots):
            self.dismiss(robot)
        if self._dialler is not None:
            self.stage.doors.close(self._dialler)
            self._dialler = None

    # Clients come and go

    def is_taken(self, session: OzSession) -> bool:
        """Tell whether a port that a client came to has one already; main ports of one robot count as one."""
        return any(other.role == session.role for other in session.oz.sessions)

    def came(self, session: OzSession) -> None:
        """Let a client in; a new driver finds robot and field as at the start, unless they shall be kept."""
        oz = session.oz
        if session.role.drives:
            oz.begin(self.simulation, afresh=not self.options.naio_keep)
            if not self.options.naio_keep and not any(other.sessions for other in self.robots.values()):
                self.simulation.restore_world()
                self.blocks.apply_again()
        elif not oz.sessions:
            oz.sense(True)
        if session.role is IMAGE:
            prepare_pictures(self.simulation.world.soil)
        oz.sessions.append(session)
        self._telling.forget()
        self.stage.wake()

    def went(self, session: OzSession) -> None:
        """Note that a client is gone."""
        oz = session.oz
        if session in oz.sessions:
            oz.sessions.remove(session)
        if session.role.drives and oz.robot.column >= 0:
            oz.end()
            oz.sense(bool(oz.sessions))
        self._telling.forget()
        self.stage.wake()

    def heard(self, session: OzSession) -> None:
        """Note that a client has sent something."""
        session.was_heard = True
        if self.stage.clock.lockstep:
            self.stage.wake()

    def real_time(self) -> float:
        """Return seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""
        return self.stage.clock.real()

    # Time passes

    def tell(self, now: float) -> None:
        """Send every client what is due."""
        for oz in self.robots.values():
            if oz.pad.on:
                self.follow_pad(oz)
        busy = [oz for oz in self.robots.values() if oz.sessions]
        if not busy:
            return
        self._look_after(busy, now)
        if self._telling.tell(busy, now):
            drivers = [driver for oz in busy for driver in oz.drivers]
            if self.stage.clock.lockstep:
                self._patience.stepped(drivers)
            for driver in drivers:
                driver.was_heard = False

    def follow_pad(self, oz: Oz) -> None:
        """Let go of a pad that nobody speaks of; where no client does, it drives."""
        real = self.real_time()
        oz.pad.check(real)
        if not oz.drivers and oz.robot.column >= 0:
            oz.power(*(oz.pad.powers() if is_in_reach(oz) else (0, 0)), self.simulation.time, real)

    def _look_after(self, busy: Sequence[Oz], now: float) -> None:
        """Stop the motors of silent clients, and hang up on those that are silent for longer."""
        real, idle = self.real_time(), self.options.naio_idle
        # Clients that speak when they are spoken to are silent while we are held up.
        passed, self._looked = min(real - self._looked, LONGEST_LOOK), real
        for oz in busy:
            if oz.check_motors(now, real):
                self.log.occasionally("motors", MOTORS_STOPPED, oz.robot.name)
            for session in tuple(oz.sessions):
                speaks = session.role.drives or session.role is IMAGE
                session.silence += passed
                if speaks and 0.0 < idle < session.silence and not session.persistent:
                    session.hang_up(IDLE.format(seconds=idle))

    def is_busy(self) -> bool:
        """Whether any client is there, or somebody at a pad."""
        return any(oz.sessions or oz.pad.on for oz in self.robots.values())

    def awaits(self) -> bool:
        """Whether some driver has not sent anything since its last lidar packet."""
        return any(self._patience.awaits(driver) for oz in self.robots.values() for driver in oz.drivers)

    def backlog(self) -> int:
        """Return the bytes that the slowest driver has not taken; pictures are left out for who does not read them."""
        return self._patience.backlog([driver for oz in self.robots.values() for driver in oz.drivers])

    def clients(self) -> Sequence[ClientFacts]:
        """Return all clients."""
        return [
            ClientFacts(
                service=self.name,
                key=session,
                peer=session.peer,
                robot=oz.robot if session.role.drives else None,
                door=session.door,
                packets_sent=session.packets_sent,
                packets_received=session.packets_received,
                packets_left_out=session.packets_left_out,
                backlog=session.pending,
            )
            for oz in self.robots.values()
            for session in oz.sessions
        ]

    def held(self) -> Sequence[Robot]:
        """Return the robots that clients drive."""
        return [oz.robot for oz in self.robots.values() if oz.drivers]

    def world_changed(self, change: WorldChange) -> None:
        """Forget what was put into the last world; nothing in the protocol tells of another one."""
        if change.kind in (WorldChangeKind.LOADED, WorldChangeKind.LEFT):
            self.blocks.forget()

    # The page

    panel = "oz"

    def facts(self) -> Facts:
        """Return what the panel shows."""
        return self._desk.facts()

    def order(self, name: str, wish: Mapping[str, Any]) -> None:
        """Carry out an order that somebody gave at the page; OrderError."""
        self._desk.order(name, wish)
        self.stage.wake()

    def picture(self, name: str) -> Picture | None:
        """Return what a robot's cameras see now: `left-N`, `right-N` or both as `pair-N`, N being its number."""
        return self._views.picture(self.robots.values(), name)

    def use_engine(self, engine: Engine) -> None:
        """Take no kernels: there are none beside those of the core."""

    def tell_camera(self, session: OzSession, code: CommandCode) -> None:
        """Tell a client what the cameras are like."""
        self._telling.tell_camera(session, code)
