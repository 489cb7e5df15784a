r"""An agent for the CiberRato contest under the rules of Explorer 2022: finds the target, maps the maze, returns.

    mobilesim ciber --rules explorer-2022 --lockstep --autostart --noninteractive \
        --agent "python3 examples/ciber_explorer.py"

It goes from the middle of one cell to the middle of the next. Its pose is what the motors should have done, corrected by
the compass (which is four cycles late) and, in the middle of a cell, by the walls beside it. Until it has found the
target it goes to the nearest cell that it has not seen; back it takes the shortest way through what it knows. With a file
name as argument it writes the map there.
"""

from __future__ import annotations

import math
import sys
from collections import deque

from mobilesim_py import Mouse

CELL = 2.0
TO_WALL = 0.45
"""Distance from the rim to a wall, from the middle of a cell."""
WALL_NEAR = 1.2
"""An obstacle measure above this is the wall of this cell."""
FASTEST = 0.15
COMPASS_LATENCY = 4
COMPASS_SHARE = 0.06
"""How much of what the compass contradicts is believed."""
SIDES = (0, 90, -90, 180)
"""Where the obstacle sensors sit [degrees]."""
LOOKS = 2
"""Cycles in which the walls of a new cell are measured."""

Cell = tuple[int, int]
DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


def wrapped(angle: float) -> float:
    """Return an angle within half a turn [rad]."""
    return math.remainder(angle, math.tau)


class Explorer:
    """The robot, its pose (from the middle of the cell where it started) and its map."""

    def __init__(self) -> None:
        self.mouse = Mouse("explorer", angles_deg=SIDES)
        self.x = self.y = self.heading = 0.0
        self.left = self.right = 0.0
        self.orders = (0.0, 0.0)
        self.headings: deque[float] = deque(maxlen=COMPASS_LATENCY + 1)
        self.is_open: dict[tuple[Cell, Cell], bool] = {}
        self.seen: set[Cell] = set()
        self.cell: Cell = (0, 0)
        self.alive = True

    # One cycle

    def cycle(self, left: float, right: float, *requests: str) -> None:
        """Drive for a cycle, follow the pose, and hear what the sensors say."""
        left, right = (round(max(-FASTEST, min(FASTEST, power)), 3) for power in (left, right))
        self.mouse.drive(left, right)
        self.mouse.request(*requests)
        self.alive = self.mouse.read()
        if not self.alive or self.mouse.measures.stop:
            return
        self.left, self.right = (self.left + left) / 2.0, (self.right + right) / 2.0
        ahead = (self.left + self.right) / 2.0
        if not self.mouse.measures.collision:
            self.x += ahead * math.cos(self.heading)
            self.y += ahead * math.sin(self.heading)
        self.heading = wrapped(self.heading + self.right - self.left)
        self.headings.append(self.heading)
        compass = self.mouse.measures.compass
        if compass is not None and len(self.headings) > COMPASS_LATENCY:
            error = COMPASS_SHARE * wrapped(math.radians(compass) - self.headings[0])
            self.heading = wrapped(self.heading + error)
            self.headings = deque((wrapped(known + error) for known in self.headings), maxlen=COMPASS_LATENCY + 1)

    def await_start(self) -> None:
        """Wait until the run begins; which way the robot looks is known from the compass then."""
        while self.alive:
            self.mouse.request("Compass")
            self.alive = self.mouse.read()
            if self.alive and self.mouse.measures.compass is not None:
                # The rules say 0 or 180 degrees at the start.
                self.heading = 0.0 if abs(self.mouse.measures.compass) < 90 else math.pi
            if self.alive and self.mouse.measures.start:
                return

    # Moves

    def turn(self, heading: float) -> None:
        """Turn on the spot."""
        while self.alive:
            # What the motors still have in them goes on after the order ends.
            error = wrapped(heading - self.heading)
            rest = self.right - self.left
            if abs(error) < 0.02 and abs(rest) < 0.02:
                return
            power = (error - rest / 2.0) * 0.5
            self.cycle(-power, power, "Compass")

    def go(self, cell: Cell) -> None:
        """Drive to the middle of a cell beside this one."""
        goal_x, goal_y = cell[0] * CELL, cell[1] * CELL
        way = math.atan2(cell[1] - self.cell[1], cell[0] - self.cell[0])
        self.turn(way)
        while self.alive:
            ahead = (goal_x - self.x) * math.cos(way) + (goal_y - self.y) * math.sin(way)
            aside = -(goal_x - self.x) * math.sin(way) + (goal_y - self.y) * math.cos(way)
            speed = (self.left + self.right) / 2.0
            if ahead - speed < 0.03:
                break
            front = self.mouse.obstacle(0)
            if front is not None and front > 3.2 and ahead < 0.6:
                break
            steer = max(-0.04, min(0.04, 0.6 * wrapped(way + max(-0.5, min(0.5, 1.2 * aside)) - self.heading)))
            power = max(0.03, min(FASTEST - abs(steer), ahead - speed))
            self.cycle(power - steer, power + steer, "Compass", "IRSensor0", "Ground")
        self.cycle(0.0, 0.0, "IRSensor0", "IRSensor1", "IRSensor2", "Compass")
        self.cell = cell

    def look(self) -> bool:
        """Measure the walls around the cell, correct the pose by them; return whether this is the target."""
        way = round(self.heading / (math.pi / 2.0))
        self.turn(way * math.pi / 2.0)
        sums = [0.0] * len(SIDES)
        for _ in range(LOOKS):
            self.cycle(0.0, 0.0, *(f"IRSensor{sensor}" for sensor in range(4)))
            if not self.alive:
                return False
            for sensor in range(4):
                sums[sensor] += (self.mouse.obstacle(sensor) or 0.0) / LOOKS
        for sensor, angle in enumerate(SIDES):
            side = DIRECTIONS[(way + angle // 90) % 4]
            self._note(side, sums[sensor])
        self.seen.add(self.cell)
        self.cycle(0.0, 0.0, "Ground", "Compass")
        return self.alive and self.mouse.measures.ground is not None and self.mouse.measures.ground >= 0

    def _note(self, side: Cell, value: float) -> None:
        """Remember whether there is a wall on a side, and how far it should be away."""
        beside = (self.cell[0] + side[0], self.cell[1] + side[1])
        is_open = value < WALL_NEAR
        if self.cell not in self.seen:
            self.is_open[self.cell, beside] = self.is_open[beside, self.cell] = is_open
        if not is_open:
            off = max(-0.3, min(0.3, 1.0 / value - TO_WALL))
            if side[0]:
                self.x = self.cell[0] * CELL - side[0] * off
            else:
                self.y = self.cell[1] * CELL - side[1] * off

    # Plans

    def way_to(self, wanted: set[Cell] | None) -> list[Cell]:
        """Return the shortest known way to one of some cells, or (None) to the nearest cell that was not seen."""
        came: dict[Cell, Cell] = {self.cell: self.cell}
        queue = deque([self.cell])
        while queue:
            cell = queue.popleft()
            if cell in wanted if wanted is not None else cell not in self.seen:
                way = []
                while cell != self.cell:
                    way.append(cell)
                    cell = came[cell]
                return way[::-1]
            # Straight on first: turning takes time.
            for side in sorted(DIRECTIONS, key=lambda side: -self._straightness(came, cell, side)):
                beside = (cell[0] + side[0], cell[1] + side[1])
                if self.is_open.get((cell, beside)) and beside not in came:
                    came[beside] = cell
                    queue.append(beside)
        return []

    def _straightness(self, came: dict[Cell, Cell], cell: Cell, side: Cell) -> float:
        before = came[cell]
        if before == cell:
            return math.cos(self.heading) * side[0] + math.sin(self.heading) * side[1]
        return (cell[0] - before[0]) * side[0] + (cell[1] - before[1]) * side[1]

    def explore(self) -> bool:
        """Go from unseen cell to unseen cell until the target is found."""
        while self.alive:
            if self.look():
                return True
            way = self.way_to(None)
            if not way:
                return False
            for cell in way:
                self.go(cell)
        return False

    def play(self) -> None:
        """Play the whole run."""
        self.await_start()
        if self.explore():
            self.mouse.set_leds(visiting=True)
            self.cycle(0.0, 0.0, "Ground")
            self.mouse.set_leds(visiting=False, returning=True)
            self.cycle(0.0, 0.0, "Ground")
            self.cycle(0.0, 0.0, "Ground")
            for cell in self.way_to({(0, 0)}):
                self.go(cell)
                self.look()
        self.mouse.set_leds(end=True)
        for _ in range(3):
            self.cycle(0.0, 0.0)

    def drawing(self) -> str:
        """Draw the map: X for cells that were seen, I for the start, | and - for walls."""
        if not self.seen:
            return ""
        columns, rows = zip(*self.seen, strict=True)
        left, low = min(columns), min(rows)
        canvas = [[" "] * (2 * (max(columns) - left) + 3) for _ in range(2 * (max(rows) - low) + 3)]
        for (column, row), (other_column, other_row) in self.is_open:
            wall = "|" if other_row == row else "-"
            at = 2 * (row - low) + 1 + other_row - row, 2 * (column - left) + 1 + other_column - column
            if 0 <= at[0] < len(canvas) and 0 <= at[1] < len(canvas[0]):
                canvas[at[0]][at[1]] = "X" if self.is_open[(column, row), (other_column, other_row)] else wall
        for column, row in self.seen:
            canvas[2 * (row - low) + 1][2 * (column - left) + 1] = "I" if (column, row) == (0, 0) else "X"
        return "\n".join("".join(line).rstrip() for line in reversed(canvas)) + "\n"


def main() -> None:
    """Play, then write the map where the first argument says."""
    explorer = Explorer()
    explorer.play()
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="ascii") as file:
            file.write(explorer.drawing())


if __name__ == "__main__":
    main()
