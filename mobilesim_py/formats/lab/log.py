"""Logs of a run: the file is playable at any time while it is written, and readable even if it is truncated.

<Log Date="..." >  Parameters  Lab  Grid  { <LogInfo Time="n"> { <Robot ...> ... </Robot> } </LogInfo> }  </Log>
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from mobilesim_py.formats.lab.elements import Element, LabFileError
from mobilesim_py.formats.lab.facts import Grid, Lab, Parameters
from mobilesim_py.formats.lab.grid_file import grid_of
from mobilesim_py.formats.lab.lab_file import lab_of
from mobilesim_py.formats.lab.parameters_file import parameters_of
from mobilesim_py.formats.lab.writing import grid_text, lab_text, parameters_text

END = b"</Log>\n"
ENCODING = "latin-1"
CHUNK = 1 << 16
MAX_DEPTH = 8


class LogFile:
    """Writes a log to a seekable stream; the closing tag is always present, so the file on disk is playable."""

    def __init__(self, stream: BinaryIO, parameters: Parameters, lab: Lab, grid: Grid, date: str) -> None:
        """Write the head; the date is the text of `ctime` without its newline."""
        self._stream = stream
        head = f'<Log Date="{date}" >\n' + parameters_text(parameters, len(lab.beacons)) + lab_text(lab) + grid_text(grid)
        self._put(head)

    def write(self, entry: str) -> None:
        """Add one `<LogInfo>`."""
        self._stream.seek(-len(END), 1)
        self._put(entry)

    def _put(self, text: str) -> None:
        self._stream.write(text.encode(ENCODING, "replace") + END)
        self._stream.flush()


@dataclass(frozen=True, slots=True)
class LoggedRobot:
    """A robot in one step of a log: pose (heading in degrees), score, leds and the measures it was sent."""

    name: str
    id: int
    state: str
    x: float
    y: float
    heading_deg: float
    score: int
    arrival_time: int
    returning_time: int
    collisions: int
    collision: bool
    visited_mask: str
    end_led: bool
    returning_led: bool
    visiting_led: bool


@dataclass(frozen=True, slots=True)
class LogStep:
    """All robots at one time, in cycles."""

    time: int
    robots: tuple[LoggedRobot, ...]


@dataclass(frozen=True, slots=True)
class RunLog:
    """A log read back; `complete` is False where the file ends in the middle, then the steps before that are here."""

    parameters: Parameters
    lab: Lab
    grid: Grid
    steps: tuple[LogStep, ...]
    complete: bool


def read_log(path: str | Path) -> RunLog:
    """Read a log file."""
    try:
        with open(path, "rb") as stream:
            return _Reader(str(path)).read(iter(lambda: stream.read(CHUNK), b""))
    except OSError as problem:
        advice = "check the name and the permissions of the file"
        raise LabFileError(str(path), 1, f"cannot be read ({problem.strerror})", advice) from None


def parse_log(data: bytes, source: str = "log") -> RunLog:
    """Return the run in the bytes of a log."""
    return _Reader(source).read(iter([data]))


class _Reader:
    """Builds the run while parsing; each step is built when its element ends, and the element is discarded."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.stack: list[Element] = []
        self.parameters, self.lab, self.grid = Parameters(), Lab(), Grid()
        self.steps: list[LogStep] = []
        self.closed = False
        # logs are written in Latin-1 and do not say so
        self.parser = expat.ParserCreate("iso-8859-1")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse

    def read(self, chunks: Iterator[bytes]) -> RunLog:
        try:
            for chunk in chunks:
                self.parser.Parse(chunk, False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as problem:
            if not self.steps:
                what = f"holds no step of a run ({expat.ErrorString(problem.code)})"
                raise LabFileError(self.source, problem.lineno, what, "give a log that was written with --log") from None
        return RunLog(self.parameters, self.lab, self.grid, tuple(self.steps), self.closed)

    def _refuse(self, *_details: object) -> None:
        line = self.parser.CurrentLineNumber
        raise LabFileError(self.source, line, "document types and entities are not read", "remove <!DOCTYPE ...>")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(self.source, self.parser.CurrentLineNumber, tag, attributes)
        if not self.stack and tag != "Log":
            raise element.error(f"the outermost element is <{tag}>, not <Log>", "give a log that was written with --log")
        if len(self.stack) == MAX_DEPTH:
            raise element.error(f"elements are nested more than {MAX_DEPTH} deep", f"close the elements before <{tag}>")
        if len(self.stack) > 1:
            self.stack[-1].children.append(element)
        self.stack.append(element)

    def _end(self, tag: str) -> None:
        element = self.stack.pop()
        if len(self.stack) == 1:
            keep = _SECTIONS.get(tag)
            if keep is not None:
                keep(self, element)
        elif not self.stack:
            self.closed = True

    def _keep_parameters(self, element: Element) -> None:
        self.parameters = parameters_of(element, Parameters())

    def _keep_lab(self, element: Element) -> None:
        self.lab = lab_of(element)

    def _keep_grid(self, element: Element) -> None:
        self.grid = grid_of(element)

    def _keep_step(self, element: Element) -> None:
        robots = tuple(_robot(child) for child in element.children if child.tag == "Robot")
        self.steps.append(LogStep(element.whole("Time"), robots))


_SECTIONS: dict[str, Callable[[_Reader, Element], None]] = {
    "Parameters": _Reader._keep_parameters,
    "Lab": _Reader._keep_lab,
    "Grid": _Reader._keep_grid,
    "LogInfo": _Reader._keep_step,
}


def _robot(element: Element) -> LoggedRobot:
    pose, scores = _child(element, "Pos"), _child(element, "Scores")
    measures = _child(element, "Measures")
    leds = _child(measures, "Leds")
    score = scores.whole("Score")
    return LoggedRobot(
        name=element.attributes.get("Name", ""),
        id=element.whole("Id"),
        state=element.attributes.get("State", "Stopped"),
        x=pose.number("X"),
        y=pose.number("Y"),
        heading_deg=pose.number("Dir"),
        score=score - (1 << 32) if score >= 1 << 31 else score,
        arrival_time=scores.whole("ArrivalTime"),
        returning_time=scores.whole("ReturningTime"),
        collisions=scores.whole("Collisions"),
        collision=scores.attributes.get("Collision") == "True",
        visited_mask=scores.attributes.get("VisitedMask", ""),
        end_led=leds.attributes.get("EndLed") == "On",
        returning_led=leds.attributes.get("ReturningLed") == "On",
        visiting_led=leds.attributes.get("VisitingLed") == "On",
    )


def _child(element: Element, tag: str) -> Element:
    for child in element.children:
        if child.tag == tag:
            return child
    raise element.error(f"<{element.tag}> has no <{tag}>", "give a log that was written with --log")
