"""The figures that are measured, one row each, with the original's value and the target."""

from __future__ import annotations

from dataclasses import dataclass, field

COMPILED, NUMPY = "compiled", "numpy"
ENGINES = (COMPILED, NUMPY)
Figures = dict[str, dict[str, float]]
"""Measured values by row and engine."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    key: str
    text: str
    unit: str = ""
    original: str = ""
    targets: dict[str, float] = field(default_factory=dict)
    more_is_better: bool = False
    digits: int = 1

    def shown(self, value: float | None) -> str:
        """Format a value as it is printed."""
        if value is None:
            return ""
        return f"{value:,.{self.digits}f}".replace(",", " ")

    def reached(self, engine: str, value: float) -> bool | None:
        """Tell whether a value is as good as its target; None if it has none."""
        target = self.targets.get(engine)
        if target is None:
            return None
        return value >= target if self.more_is_better else value <= target

    def distance(self, engine: str, value: float) -> float:
        """Return the factor by which a value misses its target (1 or less if it does not)."""
        target = self.targets[engine]
        worse, better = (target, value) if self.more_is_better else (value, target)
        return worse / better if better > 0.0 else float("inf")


def _both(compiled: float, numpy: float | None = None) -> dict[str, float]:
    return {COMPILED: compiled, NUMPY: compiled if numpy is None else numpy}


ROWS = (
    Row("laser25", "CPU per robot and second, 25 robots with laser", "ms", "9.6-11", _both(0.9, 7.0), digits=2),
    Row("laser100", "the same, 100 robots", "ms", "7.4-8.2", _both(0.5, 4.0), digits=2),
    Row("held", "robots with laser held at 10 Hz", "", "110", _both(1000, 150), more_is_better=True, digits=0),
    Row("bare100", "CPU per robot and second without laser, 100 robots", "ms", "1.3", _both(0.4, 0.8), digits=2),
    Row("one", "one robot in process, without laser", "s/s", "92", _both(2000, 800), more_is_better=True, digits=0),
    Row("one_sonar", "the same, its 16 sonar read at every step", "s/s", "92", more_is_better=True, digits=0),
    Row("one_laser", "one robot in process, with laser", "s/s", "85", _both(4000, 25), more_is_better=True, digits=0),
    Row("ten_laser", "ten robots in process, with laser", "s/s", "21", _both(200, 15), more_is_better=True, digits=0),
    Row("start", "process start to port open", "s", "0.14-0.20", _both(0.25, 0.6), digits=2),
    Row("start100", "the same, 100 robots", "s", "0.22", _both(0.35, 0.6), digits=2),
    Row("memory", "memory, 100 robots with laser", "MB", "82", _both(110, 120), digits=0),
    Row("reply", "reply to SIM_STAT, median", "ms", "46", _both(2.0), digits=2),
    Row("reply_most", "reply to SIM_STAT, longest", "ms", "142", _both(20.0), digits=1),
    Row("reply100", "reply to SIM_STAT among 100 robots with laser, median", "ms", "", digits=2),
    Row("map", "loading a map of 60 000 points", "s", "0.45", _both(0.5), digits=2),
    Row("map_gap", "longest interval between SIPs meanwhile", "ms", "", _both(200.0), digits=0),
    Row("crowd", "cost of 100 robots in one crowd against spread out", "x", "", _both(2.0), digits=2),
    Row("growth", "cost per robot of 200 robots against 50", "x", "", _both(1.1), digits=2),
    Row("laser_off", "cost of lasers that are off against none", "x", "", _both(1.1), digits=2),
    Row("first_gap", "longest interval between SIPs while compiling", "ms", "", {COMPILED: 200.0}, digits=0),
    Row("first_ready", "compiled engine ready after the first start", "s", "", digits=0),
    Row("ciber_cycle", "CiberRato: a cycle of five robots and a viewer", "ms", "", {NUMPY: 1.0}, digits=2),
    Row(
        *("ciber_lockstep", "CiberRato: lockstep with a trivial agent in one process", "cycles/s", "", {NUMPY: 3000.0}),
        more_is_better=True,
        digits=0,
    ),
    Row("ciber_udp", "CiberRato: the same, the agent a process of its own", "cycles/s", "", more_is_better=True, digits=0),
    Row("oz", "Oz: CPU per simulated second, all sensors but pictures", "ms", "", {COMPILED: 4.0}, digits=2),
    Row("oz50", "Oz: the same of each of 50", "ms", "", {COMPILED: 2.0}, digits=2),
    Row("oz_stereo", "Oz: a pair of pictures of the leek field", "ms", "", {COMPILED: 15.0}),
    Row("oz_plants", "loading a field of 100 000 plants", "s", "", _both(1.0), digits=2),
    Row(
        *("gym181", "256 robots learn, 181 beams, one core", "steps/s", "", {COMPILED: 40_000.0}),
        more_is_better=True,
        digits=0,
    ),
    Row("gym36", "the same, 36 beams", "steps/s", "", {COMPILED: 150_000.0}, more_is_better=True, digits=0),
    Row("ros_idle", "ROS: added to a step of ten robots, nobody subscribes", "ms", "", _both(0.05), digits=3),
    Row("ros1_tick", "ROS 1: the same, odom, scan of 181 beams and tf listened to", "ms", "", {COMPILED: 1.0}, digits=2),
    Row("rosbridge_tick", "rosbridge: the same, with cbor", "ms", "", {COMPILED: 2.0}, digits=2),
    Row("foxglove_tick", "Foxglove: the same", "ms", "", {COMPILED: 2.0}, digits=2),
    Row(
        "garden_tick",
        "garden robot: a tick of its computers, 30 x 20 m, cells of 5 cm",
        "ms",
        "",
        _both(3.0),
        digits=2,
    ),
    Row("garden_tick99", "garden robot: 99 of 100 ticks take no longer", "ms", "", _both(3.0), digits=2),
    Row("navigation_plan", "navigation: a plan through 400 x 400 cells, the costmap made anew", "ms", "", {COMPILED: 30.0}),
    Row("navigation_tick", "navigation: added to a step by twenty robots under way", "ms", "", digits=2),
    Row("grown", "memory gained by 100 robots in the run", "MB", "", _both(2.0), digits=1),
)
BY_KEY = {row.key: row for row in ROWS}


@dataclass(frozen=True)
class RayRate:
    """The rate at which one engine casts the laser beams of some robots on one map."""

    engine: str
    ground: str
    robots: int
    rays_per_second: float
    worst_error: float
    """Largest difference from the independent brute force [m]."""


@dataclass(frozen=True)
class Part:
    """A part of the work of a tick, for one engine and so many robots."""

    engine: str
    robots: int
    name: str
    microseconds_per_robot: float
