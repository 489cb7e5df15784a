"""The program as clients, viewer and dashboard can reach it: one world, its robots and their ports, and time."""

from __future__ import annotations

import math
import random
import time as _time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mobilesim_py import messages
from mobilesim_py.app.blueprint import draw_up
from mobilesim_py.app.logs import Log
from mobilesim_py.app.maps import MapChanges
from mobilesim_py.app.options import Options, RobotKind, RobotRequest
from mobilesim_py.app.pacing import Pacer
from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.engines.engine import CompiledEngine, Engine
from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import BoxBody, Robot, Thing
from mobilesim_py.core.simulation import OdometryError, Simulation
from mobilesim_py.errors import ExitCode, MobileSimError
from mobilesim_py.geometry import Polygon, Pose
from mobilesim_py.net.ports import FactoryPort, RobotPort
from mobilesim_py.protocols.arcos.commands import command_table
from mobilesim_py.services.pioneer.fleet import Fleet
from mobilesim_py.services.pioneer.session import EmulatorSession
from mobilesim_py.world.boxes import box_of_model, placed
from mobilesim_py.world.room import Taken
from mobilesim_py.world.start import StartRule, Where, choose_start, first_place

SIP_INTERVAL = 0.1
"""Simulated time between SIPs [s]."""
REAL_TIME = 1.0


class Program:
    """Everything that runs. Built from options; stepped by the runner; asked by clients and viewers."""

    def __init__(self, options: Options, log: Log, now: float) -> None:
        self.options = options
        self.log = log
        self.exit_code: int | None = None
        self.paused = False
        self.steps_wanted = 0
        """Single steps to take while paused."""
        self.speed = options.speed
        self.directory = Path.cwd()
        self.after_step: list[Callable[[Program], None]] = []
        self.later: Callable[[float, Callable[[], None]], object] = lambda seconds, call: None
        """Calls something when real time has passed; without a loop there is nothing that could."""
        self.wake: Callable[[], None] = lambda: None
        self.run_beside: Callable[[Callable[[], Any], Callable[[Any, MobileSimError | None], None]], None] = _run_now
        self.simulation: Simulation
        self.fleet: Fleet
        self.catalogue: Catalogue
        self.pacer = Pacer(self.real_interval(), options.update_sim_time / 1000.0, now)
        self.ports: dict[Robot, Any] = {}
        """The port, serial line or pseudo-terminal of each robot that has one."""
        self.factories: dict[str, FactoryPort] = {}
        self.maps = MapChanges(self)
        self._next_sip = SIP_INTERVAL
        self._robots: list[tuple[RobotRequest, Robot | None]] = []
        self._commands = command_table(
            laser_compat=options.srisim_laser_compat, srisim_compat=options.srisim_compat
        )  # fmt: skip
        self._start = StartRule.parse(options.start)
        self._opened: list[Any] = []
        self._lockstep_since: float | None = None
        self._packets_reported = 0

    # Building

    def build(self) -> None:
        """The world, the simulation and its robots."""
        options = self.options
        seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
        self.log.detail(f"MobileSim: Noise is drawn with --seed {seed}.")
        self._random = np.random.default_rng(seed)
        blueprint = draw_up(options, self.directory, self.log)
        self.catalogue = blueprint.catalogue
        self.maps.mark = blueprint.map_print
        error = OdometryError(options.odom_error_mode or OdometryError.RANDOM_EACH_UPDATE)
        self.simulation = Simulation(
            blueprint.world, dt=options.update_sim_time / 1000.0, seed=seed, noise=options.noise, odometry_error=error
        )
        self.simulation.grid.lay_out()
        self.fleet = Fleet(self.simulation)
        self._tell_start()
        if options.log_timing_stats:
            self.log.info(messages.TIMING.format(seconds=options.log_timing_stats))
        for number in sorted(options.ignore_commands):
            self.log.info(messages.IGNORE_COMMAND.format(number=number))
        for part in blueprint.parts:
            robot = None
            if part.request.kind is not RobotKind.FACTORY:
                self.log.info(messages.ROBOT_NAMED.format(name=part.request.name, model=part.request.model))
                thing = self.add(part.model, part.request.name, part.pose)
                robot = thing if isinstance(thing, Robot) else None
            self._robots.append((part.request, robot))

    def _tell_start(self) -> None:
        """Log where robots start, as far as the map or the options say."""
        where = self._start.where
        if where is Where.RANDOM:
            self.log.info(messages.START_RANDOM)
            return
        pose = first_place(self.simulation.world, self._start)
        text = {Where.FIXED: messages.START_GIVEN, Where.OUTSIDE: messages.START_OUTSIDE}.get(where, messages.START_HOME)
        self.log.info(text.format(x=pose.x * 1000.0, y=pose.y * 1000.0, th=math.degrees(pose.heading)))

    def add(self, model: RobotModel, name: str, pose: Pose | None = None) -> Thing:
        """A new robot or box at a pose, or where the start rule has room for it."""
        start = pose or self.start_pose(model)
        if model.is_box:
            return self.simulation.add_box(box_of_model(model, name, start))
        return self.simulation.add_robot(model, name, start)

    def start_pose(self, model: RobotModel) -> Pose:
        """Where one more robot of this model would start."""
        simulation = self.simulation
        things = simulation.things
        bodies = simulation.bodies[:, : len(things)]
        radius = simulation.shapes.radius[bodies[Body.OUTLINE].astype(np.int64)]
        taken = Taken(bodies[Body.X], bodies[Body.Y], radius, lambda k: _outlines(things[k]))
        return choose_start(simulation.world, self._start, model.footprint, taken, self._random, simulation.grid)

    def unique_name(self, name: str) -> str:
        """The name, or the name with a number behind it if it is taken."""
        taken = {thing.name for thing in self.simulation.things}
        if name not in taken:
            return name
        return next(f"{name}-{n}" for n in range(2, len(taken) + 3) if f"{name}-{n}" not in taken)

    # Ports

    def open_ports(self) -> None:
        """Listen for clients: robots on successive ports, then factories."""
        number = self.options.port
        for request, robot in self._robots:
            if robot is None:
                continue
            if request.kind is RobotKind.PORT:
                number = self.open_robot_port(robot, number) + 1
            else:
                self._open_line(request, robot)
        for request, _ in self._robots:
            if request.kind is RobotKind.FACTORY:
                self._open_factory(request.model, number)
                number += 1

    def open_robot_port(self, robot: Robot, number: int) -> int:
        """Give a robot a TCP port (0: any); its number."""
        text = messages.CONNECTION_CREATED.format(name=robot.name, model=robot.model.name, port=number)
        self.log.info(text)
        port = RobotPort(self.options.bind_to_address, number, lambda peer: self._session(robot), self.log, robot=robot.name)
        port.open()
        self.ports[robot] = port
        self._opened.append(port)
        return port.port

    def _open_line(self, request: RobotRequest, robot: Robot) -> None:
        def make(peer: str) -> EmulatorSession:
            return self._session(robot, persistent=True)

        line: Any
        if request.kind is RobotKind.SERIAL:
            from mobilesim_py.net.serial_line import SerialPort

            line = SerialPort(request.device, request.baud, make, self.log, robot=robot.name)
        else:
            from mobilesim_py.net.pseudo_terminal import PtyPort

            line = PtyPort(request.device, make, self.log, robot=robot.name)
        line.open()
        self.ports[robot] = line
        self._opened.append(line)

    def _open_factory(self, model_name: str, number: int) -> None:
        model = self.catalogue.find(model_name)

        def make(peer: str) -> EmulatorSession:
            name = self.unique_name(peer.rpartition("(")[2].rstrip(")") or peer)
            self.log.info(messages.FACTORY_CREATING.format(model=model_name, name=name))
            robot = self.simulation.add_robot(model, name, self.start_pose(model))
            return self._session(robot, on_lost=lambda session: self.simulation.remove(session.robot))

        port = FactoryPort(self.options.bind_to_address, number, make, self.log)
        port.open()
        self.factories[model_name if model_name not in self.factories else f"{model_name}:{port.port}"] = port
        self._opened.append(port)
        text = messages.FACTORY_READY_AT if self.options.bind_to_address else messages.FACTORY_READY
        self.log.info(text.format(model=model_name, port=port.port, address=self.options.bind_to_address))

    def _session(
        self, robot: Robot, *, persistent: bool = False, on_lost: Callable[[EmulatorSession], None] | None = None
    ) -> EmulatorSession:
        def lost(session: EmulatorSession) -> None:
            self.fleet.sessions.remove(session)
            if on_lost is not None:
                on_lost(session)

        session = EmulatorSession(self, robot, self._commands, persistent=persistent, on_lost=lost)
        self.fleet.sessions.append(session)
        self.fleet.changed()
        return session

    def close_ports(self) -> None:
        """Hang up on everybody."""
        for port in self._opened:
            port.close()
        self._opened.clear()
        self.ports.clear()
        self.factories.clear()

    def session_of(self, robot: Robot) -> EmulatorSession | None:
        """The session of the client that holds a robot."""
        return next((session for session in self.fleet.sessions if session.robot is robot), None)

    # Robots and boxes while it runs

    def add_running(self, model_name: str, name: str = "", pose: Pose | None = None, port: int = 0) -> Thing:
        """Add a robot with a port of its own (0: the next one that is free), or a box, to the running world."""
        model = self.catalogue.find(model_name)
        thing = self.add(model, self.unique_name(name or model_name), pose)
        if isinstance(thing, Robot):
            try:
                self.open_robot_port(thing, port or self._next_port())
            except MobileSimError:
                self.simulation.remove(thing)
                raise
        return thing

    def remove_running(self, thing: Thing) -> None:
        """Take a robot, whose client is hung up on, or a box out of the running world."""
        if isinstance(thing, Robot):
            port = self.ports.pop(thing, None)
            if port is not None:
                self._opened.remove(port)
                port.close()
            session = self.session_of(thing)
            if session is not None:
                session.hang_up()
        if thing.column >= 0:
            self.simulation.remove(thing)

    def _next_port(self) -> int:
        used = [port.port for port in self._opened if hasattr(port, "port")]
        return max(used, default=self.options.port - 1) + 1

    # Time

    def real_time(self) -> float:
        """Seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""
        return self.simulation.time if self.options.lockstep else _time.monotonic()

    def real_interval(self) -> float:
        """Real time that a step should take [s]; 0 is as fast as possible."""
        return self.options.update_interval / 1000.0 / self.speed if math.isfinite(self.speed) else 0.0

    def last_interval(self) -> float:
        """Real time that the last step took [s]; in lockstep, where bytes must repeat, what it should take."""
        return self.real_interval() if self.options.lockstep else self.pacer.last_interval

    def set_speed(self, speed: float, now: float | None = None) -> None:
        """Simulated seconds per real second from now on; infinite is as fast as possible."""
        self.speed = speed
        self.pacer.set_interval(self.real_interval(), _time.monotonic() if now is None else now)
        self.wake()

    def pause(self, paused: bool = True) -> None:
        """Stop the world, or let it go on."""
        self.paused = paused
        self.pacer.resume(_time.monotonic())
        self.wake()

    def single_step(self, count: int = 1) -> None:
        """While paused, take so many steps."""
        self.steps_wanted += count
        self.wake()

    def step(self, clock: Callable[[], float], now: float) -> None:
        """One step, and what everybody must be told after it."""
        if self.paused:
            self.steps_wanted = max(0, self.steps_wanted - 1)
        self.simulation.step()
        if self.simulation.time >= self._next_sip - 1e-9:
            self._next_sip = max(self._next_sip + SIP_INTERVAL, self.simulation.time)
            self._lockstep_since = None
            self.fleet.tell()
        for watcher in self.after_step:
            watcher(self)
        done = clock()
        behind = self.pacer.total.skipped
        self.pacer.stepped(now, done)
        if self.pacer.total.skipped > behind and not self.options.lockstep:
            self.log.occasionally(
                "overload",
                f"The simulation cannot keep up: it fell {1000.0 * (self.pacer.total.skipped - behind):.0f} ms behind "
                f"(the last step took {1000.0 * (done - now):.0f} ms). Simulated time slows.",
                every=30.0,
            )

    def lockstep_wait(self, now: float) -> float:
        """With --lockstep: how long to wait for clients that have not sent anything since their last SIP."""
        sessions = self.fleet.open_sessions
        if not sessions:
            return REAL_TIME
        if all(session.was_heard for session in sessions):
            return 0.0
        if self._lockstep_since is None:
            self._lockstep_since = now
        if self.options.lockstep_timeout <= 0.0:
            return REAL_TIME
        return max(0.0, self._lockstep_since + self.options.lockstep_timeout - now)

    def idle_wait(self, now: float) -> float:
        """As fast as possible, but nobody is there: keep to real time."""
        return max(0.0, self.pacer.total.began + self.simulation.time - now)

    def clients_lag(self, limit: int) -> bool:
        """Whether a client has more than so many bytes still to read."""
        return any(session.pending > limit for session in self.fleet.open_sessions)

    def use_engine(self, engine: Engine) -> None:
        """Let another engine move and sense from now on."""
        self.simulation.engine = engine
        if engine.name == CompiledEngine.name:
            from mobilesim_py.protocols.arcos.compiled_report import pack_reports

            self.fleet.pack = pack_reports
        self.log.detail(f"MobileSim: The {engine.name} engine is in use.")

    def packets_since_last_report(self) -> int:
        """How many packets were sent to the clients of now since this was last asked."""
        total = sum(session.packets_sent for session in self.fleet.sessions)
        fresh = max(0, total - self._packets_reported)
        self._packets_reported = total
        return fresh

    # What sessions ask for

    def sessions_changed(self) -> None:
        """Note that a session was opened or ended."""
        self.fleet.changed()
        self.wake()

    def heard(self, session: EmulatorSession) -> None:
        """Note that a client has sent something."""
        if self.options.lockstep:
            self.wake()

    def exit(self, code: int) -> None:
        """End the program within a step."""
        if self.exit_code is None:
            self.exit_code = code
        self.wake()

    def crash(self, number: int) -> None:
        """End the program as a crash would."""
        self.exit(int(ExitCode.CRASH))


def _outlines(thing: Thing) -> list[Polygon]:
    """The outlines of a robot or box as they stand in the world."""
    shapes = thing.model.body if isinstance(thing, Robot) else (thing.box.outline,) if isinstance(thing, BoxBody) else ()
    return [placed(polygon, thing.pose) for polygon in shapes]


def _run_now(work: Callable[[], Any], done: Callable[[Any, MobileSimError | None], None]) -> None:
    """`run_beside` without a loop: run the work now."""
    try:
        result = work()
    except MobileSimError as error:
        done(None, error)
    else:
        done(result, None)
