"""Readers: turn a word of the command line into a value, or say what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

Reader = Callable[[str], object]
"""Turns a word into a value, or raises ValueError with what was expected."""


def word(text: str) -> str:
    """Read any text but none at all."""
    if not text:
        raise ValueError("something that is not empty")
    return text


def anything(text: str) -> str:
    """Read any text; a map called "" is no map."""
    return text


def whole(low: int, high: int | None = None) -> Reader:
    """Read a whole number within limits."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ValueError("a whole number") from None
        if number < low or (high is not None and number > high):
            raise ValueError(f"a number from {low} to {high}" if high is not None else f"a number not below {low}")
        return number

    return read


def decimal(low: float, high: float = math.inf, *, exclusive: bool = False) -> Reader:
    """Read a finite number within limits; `exclusive` leaves out the lower one."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise ValueError("a number") from None
        if math.isfinite(high) and not low <= number <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        if not math.isfinite(number) or number < low or (exclusive and number == low):
            raise ValueError(f"a number above {low:g}" if exclusive else f"a number not below {low:g}")
        return number

    return read


def speed(text: str) -> float:
    """Read simulated seconds per real second, or `max`."""
    if text == "max":
        return math.inf
    try:
        return float(decimal(0.0, exclusive=True)(text))  # type: ignore[arg-type]
    except ValueError:
        raise ValueError("a number above 0, or max") from None


def one_of(*choices: str) -> Reader:
    """Read one of a few words, whatever their case."""

    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return text.lower()

    return read


def several_of(*choices: str) -> Reader:
    """Read words of a few, separated by commas."""

    def read(text: str) -> tuple[str, ...]:
        words = tuple(word for word in text.split(",") if word)
        if not set(words) <= set(choices):
            raise ValueError("some of " + ",".join(choices))
        return words

    return read


def file_of_kind(*endings: str) -> Reader:
    """Read the name of a file with one of these endings, whatever their case."""

    def read(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in endings:
            raise ValueError(f"a file name that ends with {' or '.join(endings)}")
        return path

    return read


def file(text: str) -> Path:
    """Read the name of a file."""
    return Path(word(text))


def place(text: str) -> tuple[float, float]:
    """Read `X,Y`."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError("X,Y in metres") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("X,Y in metres")
    return x, y


def pair(text: str) -> tuple[float, float]:
    """Read two numbers that are not negative; one alone counts for the first, and the other is 0."""
    expected = "one or two numbers that are not negative, such as 0.05,2"
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(expected) from None
    if len(numbers) > 2 or not all(math.isfinite(number) and number >= 0.0 for number in numbers):
        raise ValueError(expected)
    return numbers[0], numbers[1] if len(numbers) > 1 else 0.0


def shares(text: str) -> tuple[float, float]:
    """Read two shares from -0.5 to 0.5."""
    expected = "two shares from -0.5 to 0.5, such as 0.02,-0.01"
    try:
        left, right = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(expected) from None
    if not (abs(left) <= 0.5 and abs(right) <= 0.5):
        raise ValueError(expected)
    return left, right


def start_place(text: str) -> str:
    """Read `x,y,th`, `outside` or `random`."""
    expected = "x,y,th in mm and degrees (such as 200,4650,90), or one of outside, random"
    if text in ("outside", "random"):
        return text
    parts = text.split(",")
    try:
        if len(parts) == 3 and all(math.isfinite(float(part)) for part in parts):
            return ",".join(part.strip() for part in parts)
    except ValueError:
        pass
    raise ValueError(expected)


NAIO_FEATURES = ("motors", "odo", "lidar", "gyro", "accelero", "magneto", "gps", "actuator", "remote")
"""The features of an Oz that have ports of their own."""


def naio_route(text: str) -> tuple[str, str, int]:
    """Read `FEATURE=HOST:PORT`."""
    feature, _, place = text.partition("=")
    host, _, port = place.rpartition(":")
    if feature not in NAIO_FEATURES or not host or not port.isdigit() or not 0 < int(port) <= 65535:
        raise ValueError(f"FEATURE=HOST:PORT, where FEATURE is one of {', '.join(NAIO_FEATURES)}")
    return feature, host, int(port)


AUX_DEVICES = ("vcc4", "sony", "dpptu", "amptu", "gps", "loop", "none")


def aux(number: int) -> Reader:
    """Read `[ROBOT=]DEVICE`, what hangs on the serial port of this number."""

    def read(text: str) -> tuple[str, int, str]:
        robot, equals, device = text.partition("=")
        if not equals:
            robot, device = "", text
        kind, _, where = device.partition(":")
        host, _, port = where.rpartition(":")
        is_peer = kind == "tcp" and host and port.isdigit() and 0 < int(port) <= 65535
        if device not in AUX_DEVICES and kind != "pty" and not is_peer:
            raise ValueError(f"[ROBOT=]DEVICE, where DEVICE is {', '.join(AUX_DEVICES)}, tcp:HOST:PORT or pty[:LINK]")
        return robot, number, device

    return read


LASER_PROTOCOLS = ("lms1xx", "lms5xx", "tim", "lms2xx", "urg", "utm")


def laser_server(text: str) -> tuple[str, int, str, int]:
    """Read `[ROBOT:]INDEX=PROTOCOL:PORT`."""
    laser, _, where = text.partition("=")
    robot, _, index = laser.rpartition(":")
    protocol, _, port = where.lower().partition(":")
    numbers = index + port
    is_right = numbers.isascii() and index.isdigit() and port.isdigit() and len(numbers) < 10
    if not is_right or protocol not in LASER_PROTOCOLS or int(index) < 1 or int(port) > 65535:
        raise ValueError(f"[ROBOT:]INDEX=PROTOCOL:PORT, such as 1=lms1xx:2111, with {', '.join(LASER_PROTOCOLS)}")
    return robot, int(index), protocol, int(port)


def master(text: str) -> str:
    """Read the URI of a ROS master, or the port of one of our own."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        is_uri = parts.scheme == "http" and bool(parts.hostname) and parts.port is not None
    except ValueError:
        is_uri = False
    if not is_uri and not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise ValueError("a URI such as http://robot:11311, or a port")
    return text
