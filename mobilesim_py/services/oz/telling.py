"""What is due when: the packets of all Oz robots with clients, packed together and handed to their sessions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mobilesim_py.core.devices.imu import IMU
from mobilesim_py.core.devices.laser import LASER
from mobilesim_py.core.devices.ticker import TICKER
from mobilesim_py.core.scene import IntArray
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.net.limits import by_bytes
from mobilesim_py.protocols.naio import Dialect, Kind, encode
from mobilesim_py.protocols.naio.api_packets import ApiMoveActuator
from mobilesim_py.protocols.naio.values import CommandCode
from mobilesim_py.services.oz import sensors
from mobilesim_py.services.oz.oz import Oz
from mobilesim_py.services.oz.pad import is_in_reach
from mobilesim_py.services.oz.pictures import calibration_packets, posts, stereo_packets
from mobilesim_py.services.oz.report import FEEL_BYTES, SEEING, TURN_BYTES, Packer, odo_bytes
from mobilesim_py.services.oz.routes import told_elsewhere
from mobilesim_py.services.oz.session import IMAGE, OzSession

LIDAR_HZ, SLOW_HZ, GPS_HZ = 20.0, 10.0, 1.0
"""Of the lidar; of magnetometer, tool and status; of GPS."""
MOST_PENDING = 1_500_000
"""Who has so many bytes of pictures still to take loses the next pair [bytes]: two raw pairs may be on their way."""
IMAGE_LIMIT = 8_000_000
"""What a client of the image port can have waiting at the very most [bytes]: three colour pairs on top of that."""
_HALF_FEEL = FEEL_BYTES // 2

Outgoing = list[tuple[Kind, bytes]]


class Telling:
    """Sends what is due to the clients of all robots."""

    image_limit = staticmethod(by_bytes(IMAGE_LIMIT))

    def __init__(self, simulation: Simulation, dialect: Dialect) -> None:
        self._simulation = simulation
        self._dialect = dialect
        self._packer = Packer(dialect)
        self._told: dict[float, int] = {}
        """How many periods of each frequency have passed."""
        self._rows: dict[str, tuple[int, IntArray]] = {}

    def forget(self) -> None:
        """Look up anew which readings belong to whom: clients came or went."""
        self._rows.clear()

    def tell(self, busy: Sequence[Oz], now: float) -> bool:
        """Send what is due to the clients of these robots; whether that was a turn of the lidar."""
        due = {hertz: self._is_due(hertz, now) for hertz in (LIDAR_HZ, SLOW_HZ, GPS_HZ)}
        outgoing: list[Outgoing] = [[] for _ in busy]
        self._feel(busy, outgoing)
        self._tick(busy, outgoing)
        if due[LIDAR_HZ]:
            self._look(busy, outgoing)
            for oz, packets in zip(busy, outgoing, strict=True):
                if oz.pad.on and is_in_reach(oz):
                    packets.append((Kind.HA_DS4_REMOTE, encode(oz.pad.packet(self._dialect), self._dialect)))
        if due[SLOW_HZ]:
            self._tell_slow(busy, outgoing, due[GPS_HZ])
        for oz, packets in zip(busy, outgoing, strict=True):
            if oz.routes:
                elsewhere = told_elsewhere(oz.routes)
                packets = [(kind, data) for kind, data in packets if kind not in elsewhere]
            for session in tuple(oz.sessions):
                hand_over(session, packets)
        if due[LIDAR_HZ]:
            self._show(busy)
        return due[LIDAR_HZ]

    def _is_due(self, hertz: float, now: float) -> bool:
        passed = math.floor(now * hertz + 1e-6)
        if passed == self._told.get(hertz):
            return False
        self._told[hertz] = passed
        return True

    def _feel(self, busy: Sequence[Oz], outgoing: Sequence[Outgoing]) -> None:
        felt = self._simulation.readings(IMU)
        data = self._packer.feel(felt.rates, felt.forces)
        for row, packets in zip(self._rows_of("imu", busy, felt.units), outgoing, strict=True):
            if row >= 0:
                at = FEEL_BYTES * row
                packets.append((Kind.HA_GYRO, data[at : at + _HALF_FEEL]))
                packets.append((Kind.HA_ACCELERO, data[at + _HALF_FEEL : at + FEEL_BYTES]))

    def _tick(self, busy: Sequence[Oz], outgoing: Sequence[Outgoing]) -> None:
        readings = self._simulation.readings(TICKER)
        rows = self._rows_of("ticker", busy, readings.units)
        counts = readings.counts
        for row, oz, packets in zip(rows, busy, outgoing, strict=True):
            if row >= 0:
                mine = counts[row]
                ticks = tuple(mine.tolist())
                if ticks != oz.ticks:
                    oz.ticks = ticks
                    packets.append((Kind.HA_ODO, odo_bytes(mine, self._dialect)))

    def _look(self, busy: Sequence[Oz], outgoing: Sequence[Outgoing]) -> None:
        scans = self._simulation.readings(LASER)
        rows = self._rows_of("laser", busy, scans.units)
        seeing = np.array([row for row in rows if row >= 0], np.int64)
        if not len(seeing):
            return
        reach = busy[0].robot.lasers[0].model.range_max
        data = self._packer.turn(scans.ranges[seeing, :SEEING], reach)
        at = 0
        for row, packets in zip(rows, outgoing, strict=True):
            if row >= 0:
                packets.append((Kind.HA_LIDAR, data[at : at + TURN_BYTES]))
                at += TURN_BYTES

    def _tell_slow(self, busy: Sequence[Oz], outgoing: Sequence[Outgoing], with_gps: bool) -> None:
        dialect, simulation = self._dialect, self._simulation
        for oz, packets in zip(busy, outgoing, strict=True):
            packets.append((Kind.HA_MAGNETO, encode(sensors.magneto(oz, simulation), dialect)))
            packets.append((Kind.API_MOVE_ACTUATOR, encode(ApiMoveActuator(oz.tool_percent), dialect)))
            if oz.wants_status:
                packets.append((Kind.API_STATUS, encode(sensors.status(oz, simulation), dialect)))
            if with_gps:
                oz.work(1.0 / GPS_HZ)
                position = sensors.gps(oz, simulation, dialect)
                if position is not None:
                    packets.append((Kind.HA_GPS, encode(position, dialect)))

    def _rows_of(self, kind: str, busy: Sequence[Oz], units: IntArray) -> list[int]:
        """Return the row of each robot's unit of a kind among readings, -1 for none."""
        columns = []
        for oz in busy:
            unit = oz.senses.get(kind)
            columns.append(unit.column if unit is not None and unit.on else -1)
        if len(units) == len(columns) and units.tolist() == columns:
            return list(range(len(columns)))
        places = {column: row for row, column in enumerate(units.tolist())}
        return [places.get(column, -1) for column in columns]

    def tell_camera(self, session: OzSession, code: CommandCode) -> None:
        """Tell a client what the cameras are like."""
        for packet in calibration_packets(session.robot, code):
            session.send(packet)

    def _show(self, busy: Sequence[Oz]) -> None:
        """Send pictures to those who want them and have read those before."""
        for oz in busy:
            viewer = next((session for session in oz.sessions if session.role is IMAGE), None)
            if viewer is None or not oz.pictures.wanted:
                continue
            if viewer.pending > MOST_PENDING:
                viewer.leave_out(len(oz.pictures.wanted))
                continue
            for packet in stereo_packets(oz):
                viewer.send(packet)
            seen = posts(oz, self._simulation)
            if seen is not None:
                viewer.send(seen)


def hand_over(session: OzSession, packets: Outgoing) -> None:
    """Send a client those of the packets that belong to its port, in one write."""
    told = session.role.told
    if told is None:
        session.write(b"".join([data for _, data in packets]), len(packets))
    elif told:
        mine = [data for kind, data in packets if kind in told]
        if mine:
            session.write(b"".join(mine), len(mine))
