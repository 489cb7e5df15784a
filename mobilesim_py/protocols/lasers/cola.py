"""CoLa-A, the protocol of SICK's LMS1xx, LMS5xx and TiM: telegrams of words between STX and ETX.

    client  STX sMN SetAccessMode 03 F4724744 ETX      laser  STX sAN SetAccessMode 1 ETX
            STX sRN LMPscancfg ETX                            STX sRA LMPscancfg 1388 1 1388 FFF92230 225510 ETX
            STX sEN LMDscandata 1 ETX                         STX sEA LMDscandata 1 ETX, then sSN LMDscandata ... per scan

Numbers are hexadecimal, or decimal with a sign. Frequencies are 1/100 Hz, angles 1/10000 degrees; 0 points to the right and
90 degrees ahead. Whatever is not between STX and ETX is skipped; a telegram that is longer than any is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from mobilesim_py.protocols.lasers.scanner import Beams, LaserServer, Measure, Scan, millimetres

STX, ETX = b"\x02", b"\x03"
LONGEST = 1024
"""Bytes of a telegram of a client."""
ANGLE = 10_000
"""Units of a degree."""
AHEAD = 90
"""Where the laser looks [degrees]."""
PASSWORD = "F4724744"
VERSION = "V1.40-01.01.2026"
DAY = 86_400_000_000
"""[us]."""
_ONE, _TWO = "3F800000", "40000000"
_WORD32 = 0xFFFFFFFF
_REFLECTOR = 255


class Fault(IntEnum):
    """Why a telegram is refused (sFA)."""

    METHOD = 2
    """A method that the laser does not have."""
    VARIABLE = 3
    DATA = 5
    """Words that are missing or no numbers."""
    COMMAND = 0xC
    EVENT = 0xF


@dataclass(frozen=True)
class ColaModel:
    """A laser that speaks CoLa-A, as it is when it is switched on. Angles in 1/10000 degrees, frequencies in 1/100 Hz."""

    name: str
    first: int
    last: int
    resolution: int
    frequency: int
    resolutions: tuple[int, ...]
    frequencies: tuple[int, ...]
    reach: float
    """The farthest that it measures [m]."""
    unit: int = 1
    """Millimetres of one unit of distance."""


LMS1XX = ColaModel("LMS10x_FieldEval", -450_000, 2_250_000, 5000, 5000, (2500, 5000, 10_000), (2500, 5000), 20.0)
LMS5XX = ColaModel(
    "LMS5xx",
    -50_000,
    1_850_000,
    10_000,
    7500,
    (1667, 2500, 3333, 5000, 6667, 10_000),
    (2500, 3500, 5000, 7500, 10_000),
    80.0,
    2,
)
TIM = ColaModel("TiM561", -450_000, 2_250_000, 3333, 1500, (3333, 5000, 10_000), (1500,), 10.0)

_FIXED = {
    ("sRN", "STlms"): "7 0 8 12:00:00 8 01.01.26 0 0 0",
    ("sRN", "SerialNumber"): "8 16010001",
    ("sRN", "FirmwareVersion"): f"{len(VERSION):X} {VERSION}",
    ("sRN", "SCdevicestate"): "1",
    ("sWN", "FREchoFilter"): "",
    ("sMN", "mEEwriteall"): "1",
    ("sMN", "Run"): "1",
    ("sMN", "LSPsetdatetime"): "1",
    ("sMN", "LMCstartmeas"): "0",
    ("sMN", "LMCstopmeas"): "0",
}
"""What is answered to what changes nothing here."""
_ANSWERS = {"sMN": "sAN", "sRN": "sRA", "sWN": "sWA", "sEN": "sEA"}
_UNKNOWN = {"sMN": Fault.METHOD, "sRN": Fault.VARIABLE, "sWN": Fault.VARIABLE, "sEN": Fault.EVENT}


class ColaServer(LaserServer):
    """A laser that speaks CoLa-A with one client."""

    def __init__(self, model: ColaModel, measure: Measure) -> None:
        super().__init__(measure)
        self.model = model
        self._buffer = b""
        self._frequency, self._resolution = model.frequency, model.resolution
        self._first, self._last = model.first, model.last
        self._remission = 0
        """Bits of a value of RSSI1; 0: it is not wanted."""
        self._says_time = False
        self._interval = 1
        """Every so manieth scan is told."""
        self._telegrams = 0
        self._commands: dict[tuple[str, str], Callable[[list[str]], str]] = {
            ("sMN", "SetAccessMode"): lambda words: f"{int(words[1:] == [PASSWORD])}",
            ("sMN", "mLMPsetscancfg"): self._configure,
            ("sRN", "LMPscancfg"): lambda words: self._configuration(),
            ("sRN", "LMPoutputRange"): lambda words: f"1 {self._area()}",
            ("sWN", "LMPoutputRange"): self._set_area,
            ("sWN", "LMDscandatacfg"): self._set_content,
            ("sRN", "DeviceIdent"): lambda words: f"{_text(model.name)} {_text(VERSION)}",
            ("sRN", "LMDscandata"): lambda words: self._scan(),
            ("sEN", "LMDscandata"): self._set_scanning,
        }

    @property
    def period(self) -> float:
        """Return the time from one scan to the next [s]."""
        return 100.0 / self._frequency * self._interval

    @property
    def beams(self) -> Beams:
        """Return the beams as they are configured; where the resolution is a third of a degree, it really is."""
        step = {1667: 10_000 / 6, 3333: 10_000 / 3, 6667: 20_000 / 3}.get(self._resolution, float(self._resolution))
        count = int((self._last - self._first) / step + 1e-6) + 1
        return Beams(self._first / ANGLE - AHEAD, step / ANGLE, count)

    def receive_data(self, data: bytes) -> None:
        """Take bytes of the client and answer the telegrams in them."""
        *telegrams, rest = (self._buffer + data).split(ETX)
        for telegram in telegrams:
            _, started, text = telegram.rpartition(STX)
            if started and len(text) <= LONGEST:
                self._obey(text.decode("ascii", "replace").split())
        # Only what follows the last STX can become a telegram.
        start = rest.rfind(STX)
        self._buffer = rest[start:] if start >= 0 and len(rest) - start <= LONGEST + 1 else b""

    def tell(self) -> None:
        """Tell a scan."""
        self._reply(f"sSN LMDscandata {self._scan()}")

    def _obey(self, words: list[str]) -> None:
        kind, name = (*words[:2], "", "")[:2]
        if kind not in _ANSWERS:
            self._refuse(Fault.COMMAND)
            return
        fixed = _FIXED.get((kind, name))
        command = self._commands.get((kind, name))
        if fixed is not None:
            answer = fixed
        elif command is not None:
            try:
                answer = command(words[2:])
            except ValueError:
                self._refuse(Fault.DATA)
                return
        else:
            self._refuse(_UNKNOWN[kind])
            return
        self._reply(f"{_ANSWERS[kind]} {name} {answer}".rstrip())

    def _reply(self, text: str) -> None:
        self._say(STX + text.encode("ascii") + ETX)

    def _refuse(self, fault: Fault) -> None:
        self._reply(f"sFA {fault:X}")

    # Settings

    def _configuration(self) -> str:
        return f"{self._frequency:X} 1 {self._area()}"

    def _area(self) -> str:
        return f"{self._resolution:X} {_signed(self._first)} {_signed(self._last)}"

    def _configure(self, words: list[str]) -> str:
        """Set frequency, resolution and area; the answer begins with what is wrong, 0 if nothing is."""
        frequency, _, resolution, first, last = _numbers(words, 5)
        wrong = int(frequency not in self.model.frequencies) + 2 * int(resolution not in self.model.resolutions)
        if not wrong and not self._fits(first, last):
            wrong = 4
        if not wrong:
            self._frequency, self._resolution, self._first, self._last = frequency, resolution, first, last
        return f"{wrong} {self._configuration()}"

    def _set_area(self, words: list[str]) -> str:
        _, resolution, first, last = _numbers(words, 4)
        if resolution not in self.model.resolutions or not self._fits(first, last):
            raise ValueError
        self._resolution, self._first, self._last = resolution, first, last
        return ""

    def _fits(self, first: int, last: int) -> bool:
        return self.model.first <= first < last <= self.model.last

    def _set_content(self, words: list[str]) -> str:
        """Set what a scan tells.

        Words: channels, 1 or 2 of them, remission or not, its bits (0: 8, 1: 16), unit, encoder, 1 or 2, then position,
        name, comment, time, and every how manieth scan. The longer form is that of the manual.
        """
        numbers = _numbers(words, 9)
        if len(numbers) >= 11:
            del numbers[1]
        self._remission = (16 if numbers[2] else 8) if numbers[1] else 0
        self._says_time = bool(numbers[-2])
        self._interval = max(1, min(numbers[-1], 50_000))
        return ""

    def _set_scanning(self, words: list[str]) -> str:
        self.is_scanning = bool(_numbers(words, 1)[0])
        return f"{int(self.is_scanning)}"

    # Scans

    def _scan(self) -> str:
        beams = self.beams
        scan = self._measure(beams)
        self._telegrams = self._telegrams + 1 & 0xFFFF
        now = int(scan.time * 1e6)
        frequency = self._frequency * 360 // self._resolution
        head = f"1 1 F45EF5 0 0 {self._telegrams:X} {scan.number & 0xFFFF:X} {now & _WORD32:X} {now & _WORD32:X} 0 0 7 0 0"
        step = f"{_signed(self._first)} {self._resolution:X} {beams.count:X}"
        scale = _ONE if self.model.unit == 1 else _TWO
        distances = millimetres(scan, 0, round(self.model.reach * 1000.0)) // self.model.unit
        wide = [f"DIST1 {scale} 00000000 {step} {_values(distances)}"]
        narrow: list[str] = []
        if self._remission:
            bright = _brightness(scan) * (255 if self._remission == 16 else 1)
            (wide if self._remission == 16 else narrow).append(f"RSSI1 {_ONE} 00000000 {step} {_values(bright)}")
        channels = f"{' '.join((f'{len(wide):X}', *wide))} {' '.join((f'{len(narrow):X}', *narrow))}"
        return f"{head} {self._frequency:X} {frequency:X} 0 {channels} 0 0 0 {_clock(now) if self._says_time else 0} 0"


def _brightness(scan: Scan) -> npt.NDArray[np.int64]:
    """Return 0 where nothing is met, 100 for what is ordinary, 255 for reflectors."""
    value = scan.reflectance.astype(np.int64)
    return np.where(value > 1, _REFLECTOR, value * 100)


def _values(numbers: npt.NDArray[np.int64]) -> str:
    return " ".join([f"{number:X}" for number in numbers.tolist()])


def _clock(now: int) -> str:
    """Return date and time of day; time begins on the first of January 2026. `now` [us]."""
    seconds, micro = divmod(now % DAY, 1_000_000)
    return f"1 7EA 1 {1 + now // DAY % 28:X} {seconds // 3600:X} {seconds // 60 % 60:X} {seconds % 60:X} {micro:X}"


def _signed(number: int) -> str:
    return f"{number & _WORD32:X}"


def _text(text: str) -> str:
    return f"{len(text):X} {text}"


def _numbers(words: list[str], least: int) -> list[int]:
    """Read at least so many numbers; ValueError if they are too few, no numbers, or too large."""
    if len(words) < least:
        raise ValueError
    return [_number(word) for word in words]


def _number(word: str) -> int:
    if len(word) > 12 or not word.isascii() or "_" in word:
        raise ValueError
    if word[0] in "+-":
        return int(word)
    number = int(word, 16)
    return number - (1 << 32) if 0x7FFFFFFF < number <= _WORD32 else number
