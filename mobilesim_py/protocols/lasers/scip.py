"""SCIP 2.0, the protocol of Hokuyo's URG and UTM: lines of text.

    client  VV                     laser  VV, 00P, VEND:...;sum, PROD:...;sum, ..., empty line
            GD0044072501                  GD0044072501, 00P, time, data in lines of 64 characters, empty line
            MD0044072501000               MD0044072501000, 00P, empty line; then for each scan the same line with the scans
                                          that are left, 99b, time, data, empty line

A status, a time and each line of data end with a sum of one character. Steps are counted counter-clockwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.lasers.scanner import Beams, LaserServer, Measure, millimetres

LONGEST = 128
"""Characters of a line of a client."""
LINE = 64
"""Characters of a line of data."""
OK, DATA, UNKNOWN = "00", "99", "0E"
NO_NUMBER, BEYOND, BACKWARDS = "01", "04", "05"
_REQUEST = re.compile(r"([GM][DS])(\d{4})(\d{4})(\d\d)(?:(\d)(\d\d))?(;.{0,16})?", re.ASCII)


@dataclass(frozen=True)
class ScipModel:
    """A laser that speaks SCIP 2.0."""

    name: str
    least: int
    """DMIN [mm]."""
    most: int
    """DMAX [mm]."""
    steps: int
    """ARES: in a whole turn."""
    first: int
    """AMIN."""
    last: int
    """AMAX."""
    front: int
    """AFRT: the step that points ahead."""
    speed: int
    """SCAN [rpm]."""

    @property
    def reach(self) -> float:
        """The farthest that it measures [m]."""
        return self.most / 1000.0


URG = ScipModel("URG-04LX(Hokuyo Automatic Co.,Ltd.)", 20, 5600, 1024, 44, 725, 384, 600)
# ARIA refuses a laser whose first step is 0.
UTM = ScipModel("UTM-30LX(Hokuyo Automatic Co.,Ltd.)", 23, 60_000, 1440, 1, 1080, 540, 2400)


@dataclass(frozen=True)
class Request:
    """What a client wants to be scanned."""

    kind: str
    """GD or GS, or MD or MS for many; S has two characters for each value and D three."""
    first: int
    last: int
    cluster: int
    """So many neighbours make one value, the least of them."""
    skipped: int
    """Scans that are left out after each."""
    count: int
    """Scans that are left; 0: no end."""
    tail: str
    """What the client wants to be repeated."""

    @property
    def line(self) -> str:
        """The line of it, with the scans that are left."""
        interval = f"{self.skipped}{self.count:02d}" if self.kind[0] == "M" else ""
        return f"{self.kind}{self.first:04d}{self.last:04d}{self.cluster:02d}{interval}{self.tail}"


def checksum(text: str) -> str:
    """Return the character that a line ends with."""
    return chr((sum(text.encode("ascii", "replace")) & 0x3F) + 0x30)


def encode(number: int, characters: int) -> str:
    """Return a number in so many characters of six bits each."""
    return "".join(chr((number >> 6 * place & 0x3F) + 0x30) for place in reversed(range(characters)))


def encode_all(numbers: npt.NDArray[np.int64], characters: int) -> str:
    """Return many numbers, each in so many characters."""
    shifts = 6 * np.arange(characters - 1, -1, -1)
    return ((numbers[:, None] >> shifts & 0x3F) + 0x30).astype(np.uint8).tobytes().decode("ascii")


class ScipServer(LaserServer):
    """A laser that speaks SCIP 2.0 with one client."""

    def __init__(self, model: ScipModel, measure: Measure) -> None:
        super().__init__(measure)
        self.model = model
        self._buffer = b""
        self._is_too_long = False
        self._request: Request | None = None
        """Of a client that wants one scan after the other."""
        self._commands: dict[str, Callable[[], tuple[str, ...]]] = {
            "VV": self._version,
            "PP": self._parameters,
            "II": self._state,
            "TM1": lambda: (self._time(),),
            "QT": self._stop,
            "RS": self._stop,
            **dict.fromkeys(("BM", "TM0", "TM2", "HS0", "HS1"), tuple),
        }

    @property
    def is_scanning(self) -> bool:  # type: ignore[override]
        """Whether the client wants one scan after the other."""
        return self._request is not None

    @property
    def period(self) -> float:
        """Return the time from one scan to the next that is told [s]."""
        return 60.0 / self.model.speed * (1 + (self._request.skipped if self._request is not None else 0))

    def receive_data(self, data: bytes) -> None:
        """Take bytes of the client and answer the lines in them."""
        *lines, rest = (self._buffer + data).replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            if line and len(line) <= LONGEST and not self._is_too_long:
                self._obey(line.decode("ascii", "replace").replace("\ufffd", "?"))
            self._is_too_long = False
        self._is_too_long |= len(rest) > LONGEST
        self._buffer = b"" if self._is_too_long else rest

    def tell(self) -> None:
        """Tell a scan."""
        request = self._request
        if request is None:
            return
        if request.count:
            left = request.count - 1
            request = Request(
                request.kind, request.first, request.last, request.cluster, request.skipped, left, request.tail
            )
            self._request = request if left else None
        self._reply(request.line, DATA, *self._scan(request))

    def _obey(self, line: str) -> None:
        command = self._commands.get(line.partition(";")[0])
        if command is not None:
            self._reply(line, OK, *command())
        elif line[:2] in ("GD", "GS", "MD", "MS"):
            self._measure_for(line)
        elif re.fullmatch(r"(SS\d{6}|CR\d\d)(;.*)?", line, re.ASCII):
            self._reply(line, OK)
        elif line == "SCIP2.0":
            self._say(b"SCIP2.0\n0" + checksum("0").encode("ascii") + b"\n\n")
        else:
            self._reply(line, UNKNOWN)

    def _reply(self, line: str, status: str, *rest: str) -> None:
        lines = (line, status + checksum(status), *rest, "", "")
        self._say("\n".join(lines).encode("ascii"))

    # What it tells of itself

    def _version(self) -> tuple[str, ...]:
        return _facts(
            VEND="Hokuyo Automatic Co.,Ltd.",
            PROD=self.model.name.partition("(")[0],
            FIRM="3.3.00(18/Nov./2026)",
            PROT="SCIP 2.0",
            SERI="H0000001",
        )

    def _parameters(self) -> tuple[str, ...]:
        model = self.model
        return _facts(
            MODL=model.name,
            DMIN=model.least,
            DMAX=model.most,
            ARES=model.steps,
            AMIN=model.first,
            AMAX=model.last,
            AFRT=model.front,
            SCAN=model.speed,
        )

    def _state(self) -> tuple[str, ...]:
        return _facts(
            MODL=self.model.name,
            LASR="ON" if self.is_scanning else "OFF",
            SCSP=f"Initial({self.model.speed}[rpm])",
            MESM="Measuring" if self.is_scanning else "Idle",
            SBPS="Ethernet",
            TIME=self._time()[:-1],
            STAT="Stable 000 no error.",
        )

    def _stop(self) -> tuple[str, ...]:
        self._request = None
        return ()

    # Scans

    def _measure_for(self, line: str) -> None:
        found = _REQUEST.fullmatch(line)
        if found is None or (line[0] == "M") != (found[5] is not None):
            self._reply(line, NO_NUMBER)
            return
        first, last, cluster, skipped, count = (int(found[place] or 0) for place in range(2, 7))
        request = Request(found[1], first, last, cluster, skipped, count, found[7] or "")
        if last < first:
            self._reply(line, BACKWARDS)
        elif last > self.model.last:
            self._reply(line, BEYOND)
        elif line[0] == "G":
            self._reply(line, OK, *self._scan(request))
        else:
            self._request = request
            self._reply(line, OK)

    def _scan(self, request: Request) -> tuple[str, ...]:
        """Return the time and the lines of data of a scan of this moment."""
        turn = 360.0 / self.model.steps
        first = (request.first - self.model.front) * turn
        scan = self._measure(Beams(first, turn, request.last - request.first + 1))
        characters = 2 if request.kind[1] == "S" else 3
        most = min(self.model.most, (1 << 6 * characters) - 1)
        distances = millimetres(scan, self.model.least, most)
        starts = np.arange(0, len(distances), max(1, request.cluster))
        text = encode_all(np.minimum.reduceat(distances, starts), characters)
        lines = (text[start : start + LINE] for start in range(0, len(text), LINE))
        return (_stamp(scan.time), *(line + checksum(line) for line in lines))

    def _time(self) -> str:
        return _stamp(self._measure(Beams(0.0, 1.0, 0)).time)


def _stamp(seconds: float) -> str:
    time = encode(int(seconds * 1000.0), 4)
    return time + checksum(time)


def _facts(**facts: object) -> tuple[str, ...]:
    """Return a line for each fact; its sum leaves the semicolon out."""
    lines = (f"{key}:{value}" for key, value in facts.items())
    return tuple(f"{line};{checksum(line)}" for line in lines)
