"""What all robots tell their clients: SIPs and scans of all sessions packed as arrays, one write for each client."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilesim_py.core.devices.battery import BATTERY, Battery
from mobilesim_py.core.devices.device import DeviceKind
from mobilesim_py.core.devices.laser import LASER, Laser
from mobilesim_py.core.devices.sonar import SONAR, Sonar
from mobilesim_py.core.fields import Body
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.protocols.arcos.report import Report, State, pack_reports
from mobilesim_py.protocols.arcos.sip import NO_TEMPERATURE
from mobilesim_py.services.pioneer.condition import Told, gather
from mobilesim_py.services.pioneer.counting import LENGTH as _LENGTH
from mobilesim_py.services.pioneer.counting import count_packets, packets_in
from mobilesim_py.services.pioneer.refreshing import refreshers_of
from mobilesim_py.services.pioneer.sensors import LaserSettings
from mobilesim_py.services.pioneer.session import EmulatorSession
from mobilesim_py.services.pioneer.simulator import stat_packet

IntArray = npt.NDArray[np.int64]

_TOLD = {
    State.X: Body.ODOMETRY_X,
    State.Y: Body.ODOMETRY_Y,
    State.HEADING: Body.ODOMETRY_HEADING,
    State.FORWARD: Body.FORWARD,
    State.LATERAL: Body.LATERAL,
    State.ROTATION: Body.ROTATION,
    State.STALLED: Body.STALLED,
    State.MOTORS_ON: Body.MOTORS,
}
"""Rows of a report that are fields of a body."""
_TOLD_ROWS = np.array(list(_TOLD))
_TOLD_FIELDS = np.array(list(_TOLD.values()))[:, None]
_OF_CONDITION = slice(State[Told(0).name], State[Told(0).name] + len(Told))
"""Rows of a report that are a robot's condition."""
_MEASURED = np.array([Battery.VOLTS, Battery.CHARGE])[:, None]
_NO_ECHOES = np.zeros((1, 1))


class Fleet:
    """All sessions that are on."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.sessions: list[EmulatorSession] = []
        self.pack: Callable[[Report], list[bytes]] = pack_reports
        """What makes bytes of a report; the compiled engine brings a quicker one."""
        self._open: list[EmulatorSession] = []
        self._lasers: list[tuple[int, LaserSettings]] = []
        """Every laser, and the number of the session whose it is."""
        self._placed = -1
        """The simulation's count of changes when columns were looked up."""
        self._bodies: IntArray = np.zeros(0, np.int64)
        """Column of the body of each session's robot,"""
        self._sonars: IntArray = np.zeros(0, np.int64)
        """of its sonar, or -1,"""
        self._batteries: IntArray = np.zeros(0, np.int64)
        """of its battery, or -1,"""
        self._units: IntArray = np.zeros(0, np.int64)
        """and of every laser."""
        self._conditions: npt.NDArray[np.float64] = np.zeros((0, len(Told)))
        self._factors: npt.NDArray[np.float64] = np.zeros((5, 0))
        self._transducers: IntArray = np.zeros(0, np.int64)
        self._most_readings: IntArray = np.zeros(0, np.int64)
        self._many_sonar: list[int] = []
        """Sessions of robots with more transducers than fit into one packet."""
        self._wants_sip: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._tells_motion: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._stale = True
        self._attentive: list[EmulatorSession] = []
        """Sessions of robots with devices that have to be looked at before a SIP."""

    def changed(self) -> None:
        """Note that a session came, went, or was opened."""
        self._stale = True

    @property
    def open_sessions(self) -> list[EmulatorSession]:
        """The sessions that get SIPs."""
        if self._stale:
            self._refresh()
        return self._open

    def _refresh(self) -> None:
        self._open = [session for session in self.sessions if session.is_open]
        self._lasers = [(number, laser) for number, session in enumerate(self.sessions) for laser in session.lasers]
        for session in self.sessions:
            session.equipment.refreshers = refreshers_of(session.equipment)
        self._attentive = [session for session in self.sessions if session.equipment.refreshers]
        self._conditions = gather([session.condition for session in self.sessions])
        models = [session.robot.model for session in self.sessions]
        factors = [
            (by.distance, by.velocity, by.range, by.angle, by.difference)
            for by in (model.pioneer.conversion for model in models)
        ]
        self._factors = np.ascontiguousarray(np.array(factors, dtype=np.float64).reshape(-1, 5).T)
        self._transducers = np.array([len(m.sonar.transducers) for m in models], dtype=np.int64)
        self._most_readings = np.array([max(1, m.pioneer.max_sonar_readings_per_packet) for m in models], dtype=np.int64)
        self._many_sonar = np.flatnonzero(self._transducers > self._most_readings).tolist()
        self._wants_sip = np.array([session.is_open for session in self.sessions], dtype=np.bool_)
        # A client that finds an old session on a serial line must see 0x32, or it would not close it.
        self._tells_motion = np.array([not session.persistent for session in self.sessions], dtype=np.bool_)
        self._stale = False
        self._placed = -1

    def _look_up_columns(self) -> None:
        """Find the columns of all robots and their devices; they stay while nothing comes or goes."""
        simulation, robots = self._simulation, [session.robot for session in self.sessions]
        if self._placed != simulation.changes:
            self._bodies = np.array([robot.column for robot in robots], dtype=np.int64)
            self._sonars = np.array([_column_of(robot, SONAR) for robot in robots], dtype=np.int64)
            self._batteries = np.array([_column_of(robot, BATTERY) for robot in robots], dtype=np.int64)
            self._units = np.array([laser.unit.column for _, laser in self._lasers], dtype=np.int64)
            self._placed = simulation.changes

    def _state(self) -> npt.NDArray[np.float64]:
        """Return what the robots measure, in the rows of a report."""
        simulation = self._simulation
        state = np.zeros((len(State), len(self.sessions)))
        state[_TOLD_ROWS] = simulation.bodies[_TOLD_FIELDS, self._bodies]
        state[_OF_CONDITION] = self._conditions.T
        state[State.TEMPERATURE, np.isnan(self._conditions[:, Told.TEMPERATURE])] = NO_TEMPERATURE
        # What is not measured is told as zero.
        volts, charge = simulation.table(BATTERY).matrix[_MEASURED, self._batteries]
        state[State.BATTERY] = np.where((self._batteries >= 0) & ~np.isnan(volts), volts, 0.0)
        state[State.CHARGE] = np.where((self._batteries >= 0) & ~np.isnan(charge), 100.0 * charge, 0.0)
        state[State.SONAR_ON] = simulation.table(SONAR).matrix[Sonar.ON, self._sonars] * (self._sonars >= 0)
        return state

    def tell(self) -> None:
        """Send every client its SIMSTAT if it wants one, its SIP and its scans."""
        if self._stale:
            self._refresh()
        sessions = self.sessions
        if not sessions:
            return
        now = self._simulation.time
        if sessions[0].host.options.log_movement_sent:
            self._log_movement(self._open)
        for session in self._attentive:
            session.equipment.refresh()
        # A write may end a session: that must not change the list under our feet.
        report = self._report()
        for session, packets, count in list(zip(sessions, self.pack(report), packets_in(report).tolist(), strict=True)):
            if session.streams.wanted and session.is_open and packets:
                end = packets[_LENGTH] + _LENGTH + 1
                packets = session.streams.around(session, packets[:end], packets[end:])
                count = count_packets(packets)
            if session.stat_streaming:
                packets, count = stat_packet(session) + packets, count + 1
            if now > session.watchdog_due and session.is_open:
                session.check_watchdog(now)
            if packets:
                session.was_heard = False
                session.write(packets, count)

    def _report(self) -> Report:
        sessions, simulation = self.sessions, self._simulation
        scans, pings = simulation.readings(LASER), simulation.readings(SONAR)
        self._look_up_columns()
        row, pinged = _find(pings.units, self._sonars)
        first = np.zeros(len(sessions), np.int64)
        count = np.where(pinged, np.minimum(self._transducers, self._most_readings), 0)
        for k in self._many_sonar:
            if self._wants_sip[k]:
                # Go on where the last packet ended.
                session = sessions[k]
                first[k] = session.sonar_next
                count[k] = min(count[k], self._transducers[k] - session.sonar_next)
                session.sonar_next = int((first[k] + count[k]) % self._transducers[k])
        scan_row, scanned = _find(scans.units, self._units)
        on = [self._lasers[k] for k in np.flatnonzero(scanned).tolist()]
        report = Report(
            state=self._state(),
            factors=self._factors,
            wants_sip=self._wants_sip,
            tells_motion=self._tells_motion,
            echoes=pings.ranges if len(pings.units) else _NO_ECHOES,
            echo_row=row,
            sonar_first=first,
            sonar_count=count,
            laser_robot=np.array([number for number, _ in on], dtype=np.int64),
            ranges=scans.ranges,
            reflectance=scans.reflectance,
            scan_row=scan_row[scanned],
            scan_count=simulation.table(LASER).matrix[Laser.COUNT, self._units[scanned]].astype(np.int64),
            extended=np.array([laser.extended for _, laser in on], dtype=np.bool_),
            moved=np.array([sessions[number].robot.carried for number, _ in on], dtype=np.bool_),
            device=np.array([laser.index for _, laser in on], dtype=np.int64),
        )
        for number, laser in on:
            if laser.extended:
                sessions[number].robot.carried = False
        return report

    def _log_movement(self, sessions: list[EmulatorSession]) -> None:
        for session in sessions:
            pose, (forward, _, rotation) = session.robot.odometry, session.robot.velocity
            session.log.record(
                f"> SIP x={pose.x * 1000:.0f} y={pose.y * 1000:.0f} th={math.degrees(pose.heading):.1f} "
                f"vel={forward * 1000:.0f} rotvel={math.degrees(rotation):.1f}",
                session.robot.name,
            )


def _column_of(robot: Robot, kind: DeviceKind[Any, Any, Any]) -> int:
    """Return the column of a robot's only device of a kind, -1 when it has none."""
    return next((unit.column for unit in robot.units(kind)), -1)


def _find(among: IntArray, columns: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Where in a rising row of columns each of some others stands, and whether it is there at all."""
    if len(among) == 0:
        return np.zeros(len(columns), np.int64), np.zeros(len(columns), np.bool_)
    place = np.minimum(np.searchsorted(among, columns), len(among) - 1)
    return place, among[place] == columns
