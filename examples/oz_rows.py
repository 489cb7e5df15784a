"""Drive an Oz up and down all aisles of a field, without touching a plant: rows by lidar, turns by gyroscope.

    MobileSim -m leeks.field -r oz
    python oz_rows.py [HOST [PORT]]

Nothing but Python is needed. docs/oz.md walks through this program.
"""

from __future__ import annotations

import math
import socket
import struct
import sys
from collections.abc import Iterator

# --- Packets: NAIO01, id, size of the payload, payload, four bytes of CRC that nobody looks at.

HEADER = b"NAIO01"
MOTORS, ODO, LIDAR, GYRO = 0x01, 0x06, 0x07, 0x0A


def packet(number: int, payload: bytes) -> bytes:
    """Return a packet as it goes over the wire."""
    return HEADER + struct.pack(">BI", number, len(payload)) + payload + bytes(4)


def packets(stream: bytearray) -> Iterator[tuple[int, bytes]]:
    """Take the complete packets from the front of a stream: id and payload."""
    while (start := stream.find(HEADER)) >= 0:
        del stream[:start]
        if len(stream) < 11:
            return
        number, size = struct.unpack_from(">BI", stream, 6)
        if len(stream) < size + 15:
            return
        yield number, bytes(stream[11 : 11 + size])
        del stream[: size + 15]


# --- The robot. Everything is in metres and radians, x ahead, y to the left, seen from its middle.

TICK = 0.06465  # way between two ticks of a wheel
TRACK = 0.3076  # from the left wheels to the right ones
LIDAR_AHEAD = 0.3715
REAR = 0.34
GYRO_PERIOD = 0.02
FULL = 127

AISLE_LOOK = 2.2  # how far ahead rows are looked at
AIM = 0.7  # where the middle of the aisle is steered for
CLEAR = 0.25  # between the last stakes and the robot's rear when it turns

LEFT, RIGHT = 1, -1
Powers = tuple[int, int]


class Oz:
    """What the robot has felt and seen, and where it drives: `hear` takes bytes, and returns what is to be sent."""

    def __init__(self) -> None:
        self.stream = bytearray()
        self.heading = 0.0  # by the gyroscope
        self.way = 0.0  # by the ticks of four wheels
        self.ticks: bytes | None = None
        self.points: list[tuple[float, float]] = []
        self.half = 0.0  # half the width of an aisle
        self.aside = self.slope = 0.0  # the middle of the aisle is at y = aside + slope * x
        self.aisles = 0
        self.done = False
        self.plan = self.work()

    def hear(self, data: bytes) -> bytes:
        """Take what came in; after every turn of the lidar there are new powers for the motors."""
        self.stream += data
        answer = b""
        for number, payload in packets(self.stream):
            if number == GYRO:
                # Clockwise is positive; one unit is 30.5 thousandths of a degree per second.
                turned = -math.radians(struct.unpack_from(">h", payload, 4)[0] * 30.5 / 1000.0) * GYRO_PERIOD
                self.heading += turned
                self.slope -= turned
            elif number == ODO:
                if self.ticks is not None:
                    changed = sum(old != new for old, new in zip(self.ticks, payload, strict=False))
                    self.way += changed * TICK / 4.0
                self.ticks = payload[:4]
            elif number == LIDAR:
                self.points = look(payload)
                powers = next(self.plan, None)
                self.done = powers is None
                answer = packet(MOTORS, struct.pack(">bb", *(powers or (0, 0))))
        return answer

    # --- The plan: each `yield` lets the motors run until the lidar has turned once more.

    def work(self) -> Iterator[Powers]:
        """Go along every aisle, and turn into the next one: right, left, right ..."""
        yield 0, 0
        near = [(x, abs(y)) for x, y in self.points if abs(y) < 0.75]
        if not near:
            return
        # Leaves reach into the aisle; the stakes, which come first, stand in the rows themselves.
        self.half = median([y for _, y in near])
        width = 2.0 * median([y for x, y in near if x < 1.3] or [self.half])
        side = RIGHT
        while True:
            self.estimate()
            if not all(self.sees_row(side) for side in (LEFT, RIGHT)):
                return  # there is no row on one side: that was the last aisle
            yield from self.follow()
            self.aisles += 1
            row = self.heading + math.atan(self.slope)
            yield from self.straight(LIDAR_AHEAD + REAR + CLEAR, row)
            across = row + side * math.pi / 2
            yield from self.turn(across)
            yield from self.straight(width + side * self.aside, across)
            yield from self.turn(row + side * math.pi)
            self.aside, self.slope = 0.0, row + side * math.pi - self.heading
            side = -side

    def follow(self) -> Iterator[Powers]:
        """Stay in the middle of the aisle until its rows end."""
        nothing = 0
        before = self.way
        while nothing < 4:
            self.aside += self.slope * (self.way - before)
            before = self.way
            nothing = 0 if self.estimate() else nothing + 1
            error = self.aside + self.slope * AIM
            curve = max(-1.5, min(1.5, 2.0 * error / (AIM * AIM + error * error)))
            yield wheels(0.95, curve)

    def straight(self, way: float, heading: float) -> Iterator[Powers]:
        """Go straight on in a direction."""
        end = self.way + way - 0.02
        while self.way < end:
            yield wheels(0.7, max(-1.0, min(1.0, 3.0 * (heading - self.heading))))

    def turn(self, heading: float) -> Iterator[Powers]:
        """Turn on the spot."""
        while abs(left := heading - self.heading) > 0.01:
            power = round(max(12.0, min(60.0, 90.0 * abs(left)))) * (1 if left > 0 else -1)
            yield -power, power
        yield 0, 0
        yield 0, 0

    # --- Seeing rows

    def samples(self) -> list[tuple[float, float, int]]:
        """Return where plants of either row say that the middle of the aisle is: x, y, side."""
        found = []
        for x, y in self.points:
            beside = y - self.aside - self.slope * x
            side = LEFT if beside > 0 else RIGHT
            if x < AISLE_LOOK and abs(beside - side * self.half) < 0.5 * self.half:
                found.append((x, y - side * self.half, side))
        return found

    def sees_row(self, side: int) -> bool:
        """Tell whether there is a row on one side."""
        return sum(seen == side for _, _, seen in self.samples()) >= 3

    def estimate(self) -> bool:
        """Fit the middle of the aisle through the plants on both sides; whether there were any ahead."""
        # What is far from the line of before counts less: grass and leaves.
        n = sx = sy = sxx = sxy = 0.0
        seen = self.samples()
        for x, y, _ in seen:
            weight = 1.0 / (1.0 + ((y - self.aside - self.slope * x) / 0.06) ** 2)
            n, sx, sy, sxx, sxy = n + weight, sx + weight * x, sy + weight * y, sxx + weight * x * x, sxy + weight * x * y
        # The direction of before counts as one more observation: few plants shall not turn it.
        sxx, sxy = sxx + 1.0, sxy + self.slope
        determinant = n * sxx - sx * sx
        if n > 0.5 and determinant > 1e-6:
            aside, slope = (sy * sxx - sx * sxy) / determinant, (n * sxy - sx * sy) / determinant
            self.aside += 0.4 * (aside - self.aside)
            self.slope += 0.4 * (slope - self.slope)
        return any(x > LIDAR_AHEAD + 0.05 for x, _, _ in seen)


def look(payload: bytes) -> list[tuple[float, float]]:
    """Return what the lidar has met: index 45 is left, 135 ahead, 225 right; 0 is nothing."""
    points = []
    for k, millimetres in enumerate(struct.unpack_from(">271H", payload)):
        if 0 < millimetres < 3400:
            angle = math.radians(135 - k)
            points.append((LIDAR_AHEAD + millimetres / 1000 * math.cos(angle), millimetres / 1000 * math.sin(angle)))
    return points


def median(values: list[float]) -> float:
    """Return the middle one."""
    return sorted(values)[len(values) // 2]


def wheels(share: float, curve: float) -> Powers:
    """Return the powers for a share of the full speed along a curve [1/m], left positive."""
    left, right = (share * FULL * (1.0 + side * curve * TRACK / 2.0) for side in (RIGHT, LEFT))
    return round(max(-FULL, min(FULL, left))), round(max(-FULL, min(FULL, right)))


def main(host: str = "127.0.0.1", port: str = "5559") -> int:
    """Drive until all aisles are done."""
    oz = Oz()
    with socket.create_connection((host, int(port))) as robot:
        while not oz.done:
            data = robot.recv(65536)
            if not data:
                print("The robot has closed the connection.")
                return 1
            robot.sendall(oz.hear(data))
    print(f"{oz.aisles} aisles done, {oz.way:.1f} m.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
