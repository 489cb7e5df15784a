# mypy: allow-untyped-defs, allow-untyped-decorators, allow-untyped-calls
"""The function behind `compiled_packing`, which Numba compiles: the bytes of `report.pack_reports` in a tenth of the time.

The fields of a SIP are written by the formulas of the table in `sip`. Importing this module imports Numba. Coverage cannot
see into compiled functions; a test compares their bytes instead.
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Sequence

import numba
import numpy as np
from numba.extending import register_jitable

from mobilesim_py.protocols.arcos import quantities
from mobilesim_py.protocols.arcos.laser import (
    EXTENDED_FIELDS,
    EXTENDED_READING,
    EXTENDED_TAIL,
    FIELDS,
    LASER,
    LASER_EXTENDED,
    READINGS_PER_PACKET,
)
from mobilesim_py.protocols.arcos.laser import READING as PLAIN_READING
from mobilesim_py.protocols.arcos.layout import Field, structure
from mobilesim_py.protocols.arcos.packet import HEADER
from mobilesim_py.protocols.arcos.quantities import Factor, State, moves, range_units, whole
from mobilesim_py.protocols.arcos.report import Report
from mobilesim_py.protocols.arcos.sip import HEAD, MAX_READINGS, READING, SIP_MOVING, SIP_STOPPED, TAIL

_compiled = register_jitable(nogil=True, error_model="numpy")
_HEADER_1, _HEADER_2 = HEADER
_BEFORE_DATA = 4
"""Header, length and id."""
_CHECKSUM = 2
_DEGREES = 180.0 / np.pi


def _places(fields: Sequence[Field]) -> list[int]:
    """Return where in the data each field begins."""
    return [struct.calcsize("<" + "".join(field.code for field in fields[:k])) for k in range(len(fields))]


_SONAR_COUNT = _places(HEAD)[-1]
_INDEX, _RANGE = _places(READING)
_HEAD_SIZE, _ECHO_SIZE, _TAIL_SIZE = structure(HEAD).size, structure(READING).size, structure(TAIL).size
_SCAN_X, _SCAN_Y, _SCAN_HEADING, *_PLAIN_SPAN = _places(FIELDS)
_TOTAL, _FIRST, _COUNT = _places(EXTENDED_FIELDS)
_POSE_SIZE = _PLAIN_SPAN[0]
_SPAN_SIZE = structure(EXTENDED_FIELDS).size
_PLAIN_SIZE, _EXTENDED_SIZE = structure(PLAIN_READING).size, structure(EXTENDED_READING).size
_EXTENDED_TAIL_SIZE = structure(EXTENDED_TAIL).size
_DEVICE, _SCAN_FLAGS = _places(EXTENDED_TAIL)


@numba.njit(nogil=True, error_model="numpy")
def _put(out, at, word):  # pragma: no cover
    """Write 16 bits, low byte first."""
    out[at] = word & 0xFF
    out[at + 1] = (word >> 8) & 0xFF


@numba.njit(nogil=True, error_model="numpy")
def _frame(out, at, end, number):  # pragma: no cover
    """Write header, length, id and checksum of a packet whose bytes are `at` to `end`."""
    out[at] = _HEADER_1
    out[at + 1] = _HEADER_2
    out[at + 2] = end - at - 3
    out[at + 3] = number
    last = end - _CHECKSUM
    high = 0
    low = 0
    for k in range(at + 3, last - 1, 2):
        high += out[k]
        low += out[k + 1]
    total = (high << 8) + low
    if (last - at - 3) % 2:
        total ^= out[last - 1]
    out[last] = (total >> 8) & 0xFF
    out[last + 1] = total & 0xFF
    return end


def _writer(fields):
    """Return a compiled function that writes the fields of a block which have a formula, one after another."""

    @_compiled
    def write(out, at, s, f):  # pragma: no cover
        pass

    for field, place in reversed(list(zip(fields, _places(fields), strict=True))):
        if field.formula is not None:
            write = _one_more(_compiled(field.formula), place, struct.calcsize(field.code), write)
    return write


def _one_more(formula, place, size, rest):
    """Return a compiled function that writes a field of `size` bytes and then the rest."""

    @_compiled
    def write(out, at, s, f):  # pragma: no cover
        value = formula(s, f)
        for k in range(size):
            out[at + place + k] = (value >> (8 * k)) & 0xFF
        rest(out, at, s, f)

    return write


for _function in vars(quantities).values():
    if inspect.isfunction(_function):
        _compiled(_function)
_write_head, _write_tail = _writer(HEAD), _writer(TAIL)


@numba.njit(nogil=True, error_model="numpy")
def _sip(out, at, s, f, tells_motion, echoes, first, count):  # pragma: no cover
    """Write the SIP of a robot with state `s` and factors `f`; return where it ends."""
    head = at + _BEFORE_DATA
    _write_head(out, head, s, f)
    out[head + _SONAR_COUNT] = count
    for k in range(count):
        place = head + _HEAD_SIZE + k * _ECHO_SIZE
        out[place + _INDEX] = (first + k) & 0xFF
        _put(out, place + _RANGE, range_units(echoes[first + k], f[Factor.RANGE]))
    tail = head + _HEAD_SIZE + count * _ECHO_SIZE
    _write_tail(out, tail, s, f)
    number = SIP_MOVING if tells_motion and moves(s, f) else SIP_STOPPED
    return _frame(out, at, tail + _TAIL_SIZE + _CHECKSUM, number)


@numba.njit(nogil=True, error_model="numpy")
def _scan(out, at, s, ranges, reflectance, total, extended, moved, device):  # pragma: no cover
    """Write all packets of a scan of a robot with state `s`; return where they end."""
    degrees = s[State.HEADING] * _DEGREES
    for first in range(0, total, READINGS_PER_PACKET):
        count = min(READINGS_PER_PACKET, total - first)
        span = at + _BEFORE_DATA
        if not extended:
            _put(out, span + _SCAN_X, np.int64(np.rint(s[State.X] * 1000.0)))
            _put(out, span + _SCAN_Y, np.int64(np.rint(s[State.Y] * 1000.0)))
            _put(out, span + _SCAN_HEADING, np.int64(np.rint(degrees - 360.0 * np.rint(degrees / 360.0))))
            span += _POSE_SIZE
        _put(out, span + _TOTAL, total)
        _put(out, span + _FIRST, first)
        out[span + _COUNT] = count
        place = span + _SPAN_SIZE
        size = _EXTENDED_SIZE if extended else _PLAIN_SIZE
        for k in range(count):
            _put(out, place + k * size, whole(ranges[first + k] * 1000.0, 0, 0xFFFF))
        if extended:
            for k in range(count):
                out[place + k * size + _PLAIN_SIZE] = reflectance[first + k]
        place += count * size
        if extended:
            out[place + _DEVICE] = device & 0xFF
            out[place + _SCAN_FLAGS] = 1 if moved and first == 0 else 0
            place += _EXTENDED_TAIL_SIZE
        at = _frame(out, at, place + _CHECKSUM, LASER_EXTENDED if extended else LASER)
    return at


@numba.njit(nogil=True, error_model="numpy")
def pack(out, ends, *tables):  # pragma: no cover
    """Write the packets of all robots into `out`, which is zero, and where those of each end into `ends[1:]`.

    The report comes as its tables: they cross from Python in half the time of the tuple.
    """
    report = Report(*tables)
    at = 0
    laser = 0
    for n in range(len(report.wants_sip)):
        s = report.state[:, n]
        if report.wants_sip[n]:
            echoes, first = report.echoes[report.echo_row[n]], report.sonar_first[n]
            # Whatever the report says, nothing beyond the ends of its arrays is read.
            count = max(0, min(report.sonar_count[n], MAX_READINGS, len(echoes) - first))
            at = _sip(out, at, s, report.factors[:, n], report.tells_motion[n], echoes, first, count)
        while laser < len(report.laser_robot) and report.laser_robot[laser] == n:
            ranges, reflectance = report.ranges[report.scan_row[laser]], report.reflectance[report.scan_row[laser]]
            total, extended = min(report.scan_count[laser], len(ranges)), report.extended[laser]
            at = _scan(out, at, s, ranges, reflectance, total, extended, report.moved[laser], report.device[laser])
            laser += 1
        ends[n + 1] = at
