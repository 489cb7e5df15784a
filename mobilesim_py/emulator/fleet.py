"""What all robots tell their clients: SIPs and scans of all sessions packed as arrays, one write for each client."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from mobilesim_py.arcos.laser import ScanBatch, pack_scans
from mobilesim_py.arcos.sip import TEMPERATURE_FAULT, SipBatch, pack_sips
from mobilesim_py.emulator.session import EmulatorSession
from mobilesim_py.emulator.simulator import stat_packet
from mobilesim_py.sim.fields import Body, Laser
from mobilesim_py.sim.simulation import Simulation

IntArray = npt.NDArray[np.int64]


class Fleet:
    """All sessions that are on."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.sessions: list[EmulatorSession] = []
        self._open: list[EmulatorSession] = []
        self._factors: npt.NDArray[np.float64] = np.zeros((5, 0))
        self._transducers: IntArray = np.zeros(0, np.int64)
        self._most_readings: IntArray = np.zeros(0, np.int64)
        self._tells_motion: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._stale = True

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
        models = [session.robot.model for session in self._open]
        factors = [
            (m.conversion.distance, m.conversion.velocity, m.conversion.range, m.conversion.angle, m.conversion.difference)
            for m in models
        ]
        self._factors = np.array(factors, dtype=np.float64).reshape(-1, 5).T
        self._transducers = np.array([len(m.sonar.transducers) for m in models], dtype=np.int64)
        self._most_readings = np.array([max(1, m.max_sonar_readings_per_packet) for m in models], dtype=np.int64)
        # A client that finds an old session on a serial line must see 0x32, or it would not close it.
        self._tells_motion = np.array([not session.persistent for session in self._open], dtype=np.bool_)
        self._stale = False

    def tell(self) -> None:
        """Send every client its SIMSTAT if it wants one, its SIP and its scans."""
        now = self._simulation.time
        outgoing: dict[EmulatorSession, list[bytes]] = {s: [] for s in self.open_sessions}
        for session in self.sessions:
            if session.stat_streaming:
                outgoing.setdefault(session, []).append(stat_packet(session))
        for session, sip in zip(self._open, self._sips(), strict=True):
            outgoing[session].append(sip)
            session.check_watchdog(now)
        self._add_scans(outgoing)
        for session, packets in outgoing.items():
            session.was_heard = False
            session.write(packets[0] if len(packets) == 1 else b"".join(packets))

    def _sips(self) -> list[bytes]:
        sessions = self._open
        if not sessions:
            return []
        columns = np.array([session.robot.column for session in sessions], dtype=np.int64)
        b = self._simulation.bodies[:, columns]
        on = b[Body.SONAR_ON] > 0.0
        first = np.zeros(len(sessions), np.int64)
        count = np.where(on, np.minimum(self._transducers, self._most_readings), 0)
        for k in np.flatnonzero(self._transducers > self._most_readings).tolist():
            # More transducers than fit into one packet: go on where the last one ended.
            session = sessions[k]
            first[k] = session.sonar_next
            count[k] = min(count[k], self._transducers[k] - session.sonar_next)
            session.sonar_next = int((first[k] + count[k]) % self._transducers[k])
        stalled = b[Body.STALLED] > 0.0
        if sessions[0].host.options.log_movement_sent:
            self._log_movement(sessions)
        return pack_sips(
            SipBatch(
                x=b[Body.ODOMETRY_X],
                y=b[Body.ODOMETRY_Y],
                heading=b[Body.ODOMETRY_HEADING],
                forward_speed=b[Body.FORWARD],
                lateral_speed=b[Body.LATERAL],
                rotation_speed=b[Body.ROTATION],
                sonar_ranges=self._echoes(columns),
                sonar_first=first,
                sonar_count=count,
                battery=b[Body.BATTERY],
                state_of_charge=b[Body.CHARGE],
                temperature=b[Body.TEMPERATURE],
                stall_left=stalled,
                stall_right=stalled,
                tells_motion=self._tells_motion,
                motors_on=b[Body.MOTORS] > 0.0,
                sonar_on=on,
                digital_in=b[Body.DIGITAL_IN].astype(np.int64),
                digital_out=b[Body.DIGITAL_OUT].astype(np.int64),
                faults=np.where(b[Body.OVERHEATED] > 0.0, TEMPERATURE_FAULT, 0),
                distance_factor=self._factors[0],
                velocity_factor=self._factors[1],
                range_factor=self._factors[2],
                angle_factor=self._factors[3],
                difference_factor=self._factors[4],
            )
        )

    def _echoes(self, columns: IntArray) -> npt.NDArray[np.float64]:
        """The sonar rows of these robots; rows of robots whose sonar is off are not looked at."""
        readings = self._simulation.readings
        if len(readings.robots) == 0:
            return np.zeros((len(columns), 1))
        rows = np.minimum(np.searchsorted(readings.robots, columns), len(readings.robots) - 1)
        return readings.echoes[rows]

    def _add_scans(self, outgoing: dict[EmulatorSession, list[bytes]]) -> None:
        """Pack the scans of all lasers that are on."""
        wanted = [
            (session, laser)
            for session in self.sessions
            for laser in session.lasers
            if laser.unit.on and laser.unit.column >= 0
        ]
        if not wanted:
            return
        readings = self._simulation.readings
        units = np.array([laser.unit.column for _, laser in wanted], dtype=np.int64)
        rows = np.searchsorted(readings.units, units)
        counts = self._simulation.lasers[Laser.COUNT, units].astype(np.int64)
        inside = np.arange(readings.ranges.shape[1]) < counts[:, None]
        extended = np.array([laser.extended for _, laser in wanted])
        robots = self._simulation.bodies[:, [session.robot.column for session, _ in wanted]]
        scans = pack_scans(
            ScanBatch(
                ranges=readings.ranges[rows][inside],
                counts=counts,
                reflectance=readings.reflectance[rows][inside],
                extended=extended,
                moved=np.array([session.robot.carried for session, _ in wanted]),
                x=robots[Body.ODOMETRY_X],
                y=robots[Body.ODOMETRY_Y],
                heading=robots[Body.ODOMETRY_HEADING],
            )
        )
        for (session, laser), scan in zip(wanted, scans, strict=True):
            outgoing.setdefault(session, []).append(scan)
            if laser.extended:
                session.robot.carried = False

    def _log_movement(self, sessions: list[EmulatorSession]) -> None:
        for session in sessions:
            pose, (forward, _, rotation) = session.robot.odometry, session.robot.velocity
            session.log.info(
                f"> SIP x={pose.x * 1000:.0f} y={pose.y * 1000:.0f} th={math.degrees(pose.heading):.1f} "
                f"vel={forward * 1000:.0f} rotvel={math.degrees(rotation):.1f}",
                session.robot.name,
            )
