"""Comparing two recorded runs: what their clients said and heard, and where their robots truly were."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from mobilesim_py.geometry import Pose
from mobilesim_py.lab.recordings import Bytes, Item, Poses, Recording

SAME_PLACE = 1e-9
"""Poses that are nearer than this are the same [m, rad]."""


@dataclass
class Apart:
    """How far apart a thing was in two runs."""

    since: float | None = None
    """When its poses first differed [s]; None: never."""
    most: float = 0.0
    """The largest distance [m],"""
    last: float = 0.0
    """and that of the last moment which both runs have [m]."""


@dataclass
class Comparison:
    """What is different between two runs."""

    wire: list[str] = field(default_factory=list)
    """A line for each client and direction that differ."""
    things: dict[str, Apart] = field(default_factory=dict)
    only: tuple[set[str], set[str]] = (set(), set())
    """Things that only one of the runs has."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """How long the runs are [s]."""
    packets: int = 0
    """How many packets are the same."""

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        apart = any(one.since is not None for one in self.things.values())
        return not (self.wire or apart or any(self.only)) and self.seconds[0] == self.seconds[1]

    def lines(self) -> list[str]:
        """Tell it."""
        lines = [
            f"{self.seconds[0]:.1f} s and {self.seconds[1]:.1f} s of simulated time; {self.packets} packets are the same."
        ]
        lines += self.wire
        for name, apart in sorted(self.things.items()):
            if apart.since is not None:
                place = f"at most {apart.most:.3f} m, {apart.last:.3f} m at the end"
                lines.append(f"{name} is elsewhere since {apart.since:.3f} s: {place}.")
        for which, names in zip(("first", "second"), self.only, strict=True):
            lines += [f"{name} is only in the {which}." for name in sorted(names)]
        return lines if len(lines) > 1 or not self.is_same else [*lines, "No difference."]


def compare(first: Recording, second: Recording) -> Comparison:
    """Compare two recordings; clients are matched in the order in which they came."""
    found = Comparison()
    runs = [_Run(recording) for recording in (first, second)]
    for a, b in itertools.zip_longest(runs[0].moments(), runs[1].moments()):
        if a is not None and b is not None:
            _compare_moment(found, a, b)
    found.seconds = runs[0].time, runs[1].time
    for key in sorted(runs[0].said.keys() | runs[1].said.keys()):
        _compare_wire(found, key, *(run.said.get(key, []) for run in runs))
    names = [run.names for run in runs]
    found.only = names[0] - names[1], names[1] - names[0]
    return found


class _Run:
    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.time = 0.0
        self.names: set[str] = set()
        self.said: dict[tuple[int, bool], list[tuple[float, int]]] = {}
        """Times and hashes of packets, by the client's number in the order of arrival and by direction."""
        self._order: dict[int, int] = {}

    def moments(self) -> Iterator[Poses]:
        for item in self._recording.items():
            self.time = max(self.time, item.time)
            if isinstance(item, Poses):
                self.names |= item.poses.keys()
                yield item
            else:
                self._note(item)

    def _note(self, item: Item) -> None:
        if isinstance(item, Bytes):
            number = self._order.setdefault(item.client, len(self._order) + 1)
            self.said.setdefault((number, item.incoming), []).append((item.time, hash(item.data)))


def _compare_moment(found: Comparison, a: Poses, b: Poses) -> None:
    for name in a.poses.keys() & b.poses.keys():
        one, other = a.poses[name], b.poses[name]
        apart = found.things.setdefault(name, Apart())
        apart.last = math.hypot(one.x - other.x, one.y - other.y)
        apart.most = max(apart.most, apart.last)
        if apart.since is None and (_differ(one, other) or a.time != b.time):
            apart.since = a.time


def _differ(a: Pose, b: Pose) -> bool:
    turned = math.remainder(a.heading - b.heading, math.tau)
    return max(abs(a.x - b.x), abs(a.y - b.y), abs(turned)) > SAME_PLACE


def _compare_wire(
    found: Comparison, key: tuple[int, bool], first: list[tuple[float, int]], second: list[tuple[float, int]]
) -> None:
    same = next((index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    number, incoming = key
    who = f"{'from' if incoming else 'to'} client {number}"
    if same is not None:
        found.packets += same
        found.wire.append(f"Packet {same + 1} {who} differs, at {first[same][0]:.3f} s.")
        return
    found.packets += min(len(first), len(second))
    if len(first) != len(second):
        found.wire.append(f"{len(first)} packets {who} in the first, {len(second)} in the second.")
