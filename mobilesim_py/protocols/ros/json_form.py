"""A message in JSON, as rosbridge writes it: NaN and infinities become null, bytes become base64, times are objects.

Out, each type has a function compiled from its definition. In, a message may be partial: what is missing is filled,
headers get the
time of arrival, whole numbers stand for floats, both spellings of times are taken; what does not fit is refused with its
place.
"""

from __future__ import annotations

import binascii
import math
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import numpy as np

from mobilesim_py.protocols.ros.cbor_form import TIME_KEYS
from mobilesim_py.protocols.ros.digest import Lookup
from mobilesim_py.protocols.ros.errors import MessageError
from mobilesim_py.protocols.ros.rows import FLOATS, HEADER, INTEGERS, NUMBERS, OCTETS, TIMES, Definition, Dialect, Field
from mobilesim_py.protocols.ros.source import Source
from mobilesim_py.protocols.ros.stamp import NANOSECONDS, Time
from mobilesim_py.protocols.ros.values import ARRAYS, DTYPES, EMPTY, Message, NumberArray, fixed_array

Plainer = Callable[[Message], dict[str, Any]]

# --- out -----------------------------------------------------------------------------------------------------------------


def compile_plainer(
    definition: Definition, look_up: Lookup, plainer_of: Callable[[str], Plainer], dialect: Dialect
) -> Plainer:
    """Return the function that turns a message into what `json.dumps` takes."""
    making = _Plain(look_up, plainer_of, dialect)
    return making.source.compile("message", making.message(definition, "message"), f"json {definition.name}")


class _Plain:
    def __init__(self, look_up: Lookup, plainer_of: Callable[[str], Plainer], dialect: Dialect) -> None:
        self.source = Source()
        self.source.scope |= {"number": _finite_or_none}
        self.look_up = look_up
        self.plainer_of = plainer_of
        self.keys = TIME_KEYS[dialect]

    def message(self, definition: Definition, holder: str) -> str:
        return "{" + ", ".join(f"{field.name!r}: {self.value(field, holder)}" for field in definition.fields) + "}"

    def value(self, field: Field, holder: str) -> str:
        value = f"{holder}[{field.name!r}]"
        if field.length is not None:
            return self.array(field, value)
        if field.base in FLOATS:
            return f"number({value})"
        if field.base in TIMES:
            return f"{self.source.bind(self.time)}({value})"
        if field.base in NUMBERS or field.base == "string":
            return f"{'bool' if field.base == 'bool' else 'str' if field.base == 'string' else 'int'}({value})"
        name = self.source.name()
        self.source.line(f"{name} = {value}")
        return self.message(self.look_up(field.base), name)

    def time(self, time: Any) -> dict[str, int]:
        secs, nsecs = time
        return {self.keys[0]: secs, self.keys[1]: nsecs}

    def array(self, field: Field, value: str) -> str:
        assert field.length is not None
        if field.base in NUMBERS:
            make = ARRAYS[field.base] if field.length < 0 else fixed_array(field.base, field.length)
            plain = _base64 if field.base in OCTETS else _finite_list if field.base in FLOATS else np.ndarray.tolist
            return f"{self.source.bind(plain)}({self.source.bind(make)}({value}))"
        element: Callable[[Any], Any] = (
            str if field.base == "string" else self.time if field.base in TIMES else self.plainer_of(field.base)
        )
        return f"list(map({self.source.bind(element)}, {value}))"


def _finite_or_none(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _finite_list(array: NumberArray) -> list[float | None]:
    numbers: list[float | None] = array.tolist()
    if not np.isfinite(array).all():
        return [number if number is not None and math.isfinite(number) else None for number in numbers]
    return numbers


def _base64(array: NumberArray) -> str:
    return b64encode(array.tobytes()).decode("ascii")


# --- in ------------------------------------------------------------------------------------------------------------------

_LIMITS = {base: (int(np.iinfo(DTYPES[base]).min), int(np.iinfo(DTYPES[base]).max)) for base in INTEGERS}


class Filler:
    """Makes whole messages of partial ones; `now` is the time that headers without a stamp get."""

    def __init__(self, look_up: Lookup, now: Time) -> None:
        self.look_up = look_up
        self.now = now

    def message(self, definition: Definition, plain: Any, place: str) -> Message:
        """Return the whole message for what JSON or CBOR said at `place`."""
        if not isinstance(plain, dict):
            raise MessageError(f"{place}: {definition.name} needs an object, not {_kind(plain)}")
        fields = {field.name for field in definition.fields}
        for name in plain:
            if name not in fields and name not in definition.elsewhere:
                raise MessageError(f"{place}: {definition.name} has no field '{str(name)[:100]}'")
        whole: Message = {}
        for field in definition.fields:
            if field.name in plain:
                whole[field.name] = self.value(field, plain[field.name], f"{place}.{field.name}")
            elif definition.name == HEADER and field.base == "time":
                whole[field.name] = self.now
            else:
                whole[field.name] = self.default(field)
        return whole

    def default(self, field: Field) -> Any:
        """Return the zero of a field. A header in a message that was left out is a header all the same: it is stamped."""
        if field.length is None:
            return self._default_element(field)
        if field.base in NUMBERS:
            return np.zeros(field.length, DTYPES[field.base]) if field.length > 0 else EMPTY[field.base]
        return [self._default_element(field) for _ in range(field.length)]

    def _default_element(self, field: Field) -> Any:
        if field.is_message:
            return self.message(self.look_up(field.base), {}, field.base)
        if field.base == "bool":
            return False
        return Time() if field.base in TIMES else "" if field.base == "string" else 0.0 if field.base in FLOATS else 0

    def value(self, field: Field, plain: Any, place: str) -> Any:
        """Return what a field becomes."""
        if field.length is None:
            return self._element(field, plain, place)
        if field.base in NUMBERS:
            items: Any = _numbers(field, plain, place)
        elif isinstance(plain, list):
            items = [self._element(field, item, f"{place}[{index}]") for index, item in enumerate(plain)]
        else:
            raise MessageError(f"{place}: a list is needed, not {_kind(plain)}")
        if 0 <= field.length != len(items):
            raise MessageError(f"{place}: {field.length} elements are needed, not {len(items)}")
        return items

    def _element(self, field: Field, plain: Any, place: str) -> Any:
        if field.base in INTEGERS:
            return _integer(field.base, plain, place)
        if field.base in FLOATS:
            return _float(plain, place)
        if field.base in TIMES:
            return self.now if plain == "now" and field.base == "time" else _time(field.base, plain, place)
        if field.base in ("bool", "string"):
            if not isinstance(plain, bool if field.base == "bool" else str):
                raise MessageError(f"{place}: a {field.base} is needed, not {_kind(plain)}")
            return plain
        return self.message(self.look_up(field.base), plain, place)


def _kind(plain: Any) -> str:
    names = {bool: "true or false", type(None): "null", dict: "an object", list: "a list", str: "a text", int: "a number"}
    return names.get(type(plain), f"a {type(plain).__name__}")


def _integer(base: str, plain: Any, place: str) -> int:
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    if not isinstance(plain, int) or isinstance(plain, bool):
        raise MessageError(f"{place}: a whole number is needed, not {_kind(plain)}")
    lowest, highest = _LIMITS[base]
    if not lowest <= plain <= highest:
        raise MessageError(f"{place}: {str(plain)[:30]} does not fit into {base}")
    return plain


def _float(plain: Any, place: str) -> float:
    if plain is None:  # how JSON says NaN and infinity
        return math.nan
    if not isinstance(plain, int | float) or isinstance(plain, bool):
        raise MessageError(f"{place}: a number is needed, not {_kind(plain)}")
    try:
        return float(plain)
    except OverflowError:
        raise MessageError(f"{place}: a number of too many digits") from None


def _time(base: str, plain: Any, place: str) -> Time:
    if not isinstance(plain, dict):
        raise MessageError(f"{place}: a {base} is needed, not {_kind(plain)}")
    known = {key for keys in TIME_KEYS.values() for key in keys}
    if not plain.keys() <= known:
        raise MessageError(f"{place}: a {base} has secs and nsecs (or sec and nanosec), nothing else")
    whole = "uint32" if base == "time" else "int32"
    secs = _integer(whole, plain.get("secs", plain.get("sec", 0)), f"{place}.secs")
    nsecs = _integer("int32", plain.get("nsecs", plain.get("nanosec", 0)), f"{place}.nsecs")
    if abs(nsecs) >= NANOSECONDS or (base == "time" and nsecs < 0):
        raise MessageError(f"{place}: {nsecs} nanoseconds are not within a second")
    return Time(secs, nsecs)


def _numbers(field: Field, plain: Any, place: str) -> NumberArray:
    """Return an array of numbers of a list, of base64, of bytes or of a typed array."""
    if field.base in OCTETS and isinstance(plain, str):
        try:
            plain = b64decode(plain, validate=True)
        except (binascii.Error, ValueError):
            raise MessageError(f"{place}: a text that is not base64") from None
    if isinstance(plain, list):
        if field.base in FLOATS:
            items = [_float(item, place) for item in plain]
        elif field.base == "bool":
            if not all(isinstance(item, bool) for item in plain):
                raise MessageError(f"{place}: only true and false are allowed")
            items = plain
        else:
            items = [_integer(field.base, item, place) for item in plain]
        with np.errstate(over="ignore"):
            return np.array(items, DTYPES[field.base])
    if isinstance(plain, bytes) and DTYPES[field.base].itemsize == 1:
        return np.frombuffer(plain, DTYPES[field.base])
    if isinstance(plain, np.ndarray) and plain.dtype == DTYPES[field.base]:
        return plain
    raise MessageError(f"{place}: a list of {field.base} is needed, not {_kind(plain)}")
