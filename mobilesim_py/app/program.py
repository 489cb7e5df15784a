"""The program: a world, who is in it, time, and the services through which clients reach it. Composition only."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mobilesim_py import messages
from mobilesim_py.app.blueprint import Blueprint, draw_up
from mobilesim_py.app.clockwork import Clockwork, Pace
from mobilesim_py.app.map_files import client_folders, loading
from mobilesim_py.app.memory import give_back
from mobilesim_py.app.misfits import misfits
from mobilesim_py.app.options import Options, RobotKind
from mobilesim_py.app.reality_words import reality_for
from mobilesim_py.app.roster import Roster
from mobilesim_py.app.service_table import SERVICES, ServiceRow, row_of, rows_for, step_for
from mobilesim_py.app.worlds import Done, Work, Worlds
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.engines.engine import Engine
from mobilesim_py.core.robot import Robot, Thing
from mobilesim_py.core.simulation import OdometryError, Simulation
from mobilesim_py.errors import ExitCode, MapError, MobileSimError, WorldfileError
from mobilesim_py.geometry import Pose
from mobilesim_py.log import Log
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.faults import WireFaults
from mobilesim_py.services.permissions import Permission
from mobilesim_py.services.service import Booking, Service, Way, WorldChange, WorldChangeKind, clients_of
from mobilesim_py.world.start import StartRule


class Program:
    """Everything that runs, as the options ask for it: the `Stage` of its services and viewers."""

    def __init__(
        self,
        options: Options,
        log: Log,
        *,
        now: Callable[[], float] = time.monotonic,
        services: Sequence[ServiceRow] = SERVICES,
        doors: Callable[[Callable[[], float]], Doors] = Doors,
        directory: Path | None = None,
        engine: Engine | None = None,
    ) -> None:
        """Build it, without opening a door; `now` is its real clock, `directory` where it looks for maps.

        Without an engine, NumPy's serves.
        """
        self.options = options
        self.log = log
        self.exit_code: int | None = None
        self._packets_reported: dict[object, int] = {}
        directory = directory or Path.cwd()
        seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
        log.detail(f"MobileSim: Noise is drawn with --seed {seed}.")
        blueprint = draw_up(options, directory, log)
        self.catalogue = blueprint.catalogue
        rows = rows_for((part.model for part in blueprint.parts), services, options)
        step, interval = _step_of(options, rows)
        with loading(blueprint.map_name, WorldfileError if options.stageworld else MapError):
            self.simulation = Simulation(
                blueprint.world,
                dt=step,
                seed=seed,
                noise=options.noise,
                odometry_error=OdometryError(options.odom_error_mode or OdometryError.RANDOM_EACH_UPDATE),
                grid=blueprint.grid,
                engine=engine,
            )
            self.simulation.grid.lay_out()
        give_back()
        self.roster = Roster(self.simulation, StartRule.parse(options.start), seed)
        self.worlds = Worlds(
            self.simulation,
            log,
            self._world_changed,
            directory=directory,
            resolution=options.resolution / 1000.0,
            name=blueprint.map_name,
            fingerprint=blueprint.fingerprint,
            folders=client_folders(options, directory),
            clients_may_load=Permission.MAPS not in options.denied,
        )
        self.services: list[Service] = []
        pace = Pace(interval, options.speed, options.lockstep, options.lockstep_timeout)
        self.clock = Clockwork(self.simulation, self.services, log, pace, now)
        self.after_step = self.clock.after_step
        self.waits_for_movie = False
        """Whether, as fast as possible, steps wait for the movie that is recorded of them."""
        self.doors = doors(lambda: self.simulation.time)
        self.doors.turns.repeats = options.lockstep
        self.doors.idle_seconds = options.idle_limit
        self.clock.turn = self.doors.turns.next
        self._faults: WireFaults | None = None
        if options.faults:
            self._let_wires_fail()
        self._rows = services
        self._made: dict[ServiceRow, Service] = {row: row.make(self, options) for row in rows}
        self.services.extend(self._made.values())
        if engine is not None:
            self.use_engine(engine)
        self._bookings = self._populate(blueprint)

    def _populate(self, blueprint: Blueprint) -> list[Booking]:
        """Put everybody where they start."""
        options, log = self.options, self.log
        self.roster.tell_start(log)
        self._warn_of_start(blueprint)
        if options.log_timing_stats:
            log.info(messages.TIMING.format(seconds=options.log_timing_stats))
        for number in sorted(options.ignore_commands):
            log.info(messages.IGNORE_COMMAND.format(number=number))
        bookings = []
        for part in blueprint.parts:
            request, robot = part.request, None
            if request.kind is not RobotKind.FACTORY:
                log.info(messages.ROBOT_NAMED.format(name=request.name, model=request.model))
                thing = self.add(part.model, request.name, part.pose)
                if not isinstance(thing, Robot):
                    continue
                robot = thing
            way = Way(request.kind.value)
            bookings.append(Booking(part.model, request.model, robot, way, request.device, request.baud))
        return bookings

    def _let_wires_fail(self) -> None:
        faults = self._faults = WireFaults(
            self.options.faults,
            self.simulation.seed,
            self.log,
            lambda address: next((door.robot for door in self.doors if door.address == address), None),
        )
        self.doors.install(faults.crossed)
        self.doors.watch(faults.passed)
        self.after_step.append(lambda simulation: faults.after_step(simulation.time))

    def _warn_of_start(self, blueprint: Blueprint) -> None:
        """Tell of a `--start` that is probably a mistake for the first robot that begins there."""
        first = next((part for part in blueprint.parts if part.pose is None), None)
        if self.options.start is None or first is None:
            return
        from mobilesim_py.app.start_advice import advice_on_start

        if advice := advice_on_start(blueprint.world, StartRule.parse(self.options.start), first.model.body.footprint):
            self.log.warning(f"MobileSim: {advice}")

    # Doors

    def open(self) -> None:
        """Let clients in; PortError if that is impossible."""
        self._warn_of_strangers()
        for row, service in self._made.items():
            service.open([booking for booking in self._bookings if row_of(booking.model, self._rows) is row])

    def _warn_of_strangers(self) -> None:
        """Tell of a program that runs for long, and that everybody in the network may end."""
        options = self.options
        by_port = any(booking.way in (Way.PORT, Way.FACTORY) for booking in self._bookings)
        open_to = {Permission.EXIT, Permission.ABORT} - options.denied - options.allowed
        if options.noninteractive and by_port and not options.bind_to_address and open_to:
            self.log.warning(messages.OPEN_TO_STRANGERS.format(groups=",".join(sorted(open_to))))

    def close(self) -> None:
        """Hang up on everybody."""
        if self._faults is not None:
            self._faults.finish()
        for service in self.services:
            service.close()
        self.doors.close_all()

    # Robots and boxes

    def add(self, model: RobotModel, name: str, pose: Pose | None = None) -> Thing:
        """Add a robot or box at a pose, or where the start rule has room for it; it has no door yet."""
        thing = self.roster.add(model, name, pose)
        if isinstance(thing, Robot) and self.options.reality:
            thing.reality = reality_for(name, self.options.reality)
        return thing

    def add_running(self, model_name: str, name: str = "", pose: Pose | None = None, port: int = 0) -> Thing:
        """Add a robot with a door of its own (0: the next port that is free), or a box, to the running world."""
        model = self.catalogue.find(model_name)
        row = row_of(model, self._rows)
        if row is not None and row not in self._made:
            raise MobileSimError(f"A {model_name} speaks {row.name}, and that must be there from the start: --robot.")
        thing = self.add(model, self.unique_name(name or model_name), pose)
        if isinstance(thing, Robot) and row is not None:
            try:
                self._made[row].admit(thing, port)
            except MobileSimError:
                self.roster.remove(thing)
                raise
        return thing

    def remove(self, thing: Thing) -> None:
        """Take a robot, whose client is hung up on, or a box out of the world."""
        if isinstance(thing, Robot):
            for service in self.services:
                service.dismiss(thing)
        self.roster.remove(thing)

    def unique_name(self, name: str) -> str:
        """Return the name, or the name with a number behind it if it is taken."""
        return self.roster.unique_name(name)

    # While it runs

    def use_engine(self, engine: Engine) -> None:
        """Let another engine move, sense and pack from now on."""
        self.simulation.engine = engine
        for service in self.services:
            service.use_engine(engine)
        self.log.detail(f"MobileSim: The {engine.name} engine is in use.")

    def packets_since_last_report(self) -> int:
        """Count the packets sent to the clients that are there since this was last asked."""
        sent: dict[object, int] = {client.key: client.packets_sent for client in clients_of(self)}
        fresh = sum(count - self._packets_reported.get(key, 0) for key, count in sent.items())
        self._packets_reported = sent
        return fresh

    def wake(self) -> None:
        """Look again at once whether a step is due."""
        self.clock.wake()

    def run_beside(self, work: Work, done: Done) -> None:
        """Run work beside the simulation, then `done` here, with what it returned or what went wrong."""
        self.worlds.run_beside(work, done)

    def exit(self, code: int) -> None:
        """End the program within a step."""
        if self.exit_code is None:
            self.exit_code = code
        self.wake()

    def crash(self, number: int) -> None:
        """End the program as a crash would."""
        self.exit(int(ExitCode.CRASH))

    def _world_changed(self, change: WorldChange) -> None:
        for service in self.services:
            service.world_changed(change)
        if change.kind is WorldChangeKind.LOADED:
            for text in misfits(self.simulation):
                self.log.warning(f"MobileSim: {text}")


def _step_of(options: Options, rows: Sequence[ServiceRow]) -> tuple[float, float]:
    """Return simulated and real time of a step at speed 1 [s]: as the options say, or as short as somebody wants it."""
    if options.step_given:
        return options.update_sim_time / 1000.0, options.update_interval / 1000.0
    step = min(step_for(rows), options.update_sim_time / 1000.0)
    return step, step
