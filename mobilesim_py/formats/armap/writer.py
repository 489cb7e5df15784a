"""Writing ArMap files, in the order in which ARIA and Mapper3 write them; what was read comes back the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from mobilesim_py.errors import UsageError
from mobilesim_py.formats.armap.armap import CAIRN_KEYWORDS, ArMap, Cairn, Scan
from mobilesim_py.formats.armap.data import IntArray


def write_map(armap: ArMap) -> str:
    """Return the text of a map file."""
    return "\n".join(_text(armap)) + "\n"


def save_map(armap: ArMap, path: str | os.PathLike[str]) -> None:
    """Write a map file; UsageError when that cannot be done."""
    try:
        with open(path, "wb") as file:
            file.write(write_map(armap).encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"{path}: cannot write the map file ({error.strerror})") from None


def _text(armap: ArMap) -> Iterator[str]:
    yield from armap.preamble
    yield armap.category
    if armap.scans[0].source:
        yield "Sources: " + " ".join(armap.sources)
    for scan in armap.scans:
        yield from _scan_header(scan)
    if armap.origin:
        yield "OriginLatLongAlt: " + " ".join(_number(value, 6) for value in armap.origin)
    for is_off in (False, True):
        yield from (f"{info.keyword} {info.text}" for info in armap.infos if info.keyword.startswith("_") is is_off)
        keywords = CAIRN_KEYWORDS[1:] if is_off else CAIRN_KEYWORDS[:1]
        for keyword in keywords:
            yield from (_cairn(cairn) for cairn in armap.cairns if cairn.keyword == keyword)
    yield from armap.remainder
    for scan in armap.scans:
        if len(scan.lines):
            yield scan.lines_keyword
            yield _rows(scan.lines)
    for scan in armap.scans:
        if len(scan.points):
            yield scan.points_keyword
            yield _rows(scan.points)
    if not any(len(scan.lines) or len(scan.points) for scan in armap.scans):
        # Without any such line the map would be rejected.
        yield armap.scans[0].lines_keyword


def _scan_header(scan: Scan) -> Iterator[str]:
    """Return the keyword lines of a source; bounds and counts are those of the data, whatever the file said."""
    prefix = scan.prefix
    if scan.display:
        yield f'{prefix}Display: "{scan.display}"'
    if len(scan.points):
        low, high = scan.points.min(axis=0), scan.points.max(axis=0)
        yield f"{prefix}MinPos: {low[0]} {low[1]}"
        yield f"{prefix}MaxPos: {high[0]} {high[1]}"
        yield f"{prefix}NumPoints: {len(scan.points)}"
        yield f"{prefix}PointsAreSorted: {str(scan.points_are_sorted).lower()}"
    if scan.resolution is not None:
        yield f"{prefix}Resolution: {scan.resolution}"
    if len(scan.lines):
        ends = scan.lines.reshape(-1, 2)
        low, high = ends.min(axis=0), ends.max(axis=0)
        yield f"{prefix}LineMinPos: {low[0]} {low[1]}"
        yield f"{prefix}LineMaxPos: {high[0]} {high[1]}"
        yield f"{prefix}NumLines: {len(scan.lines)}"
        yield f"{prefix}LinesAreSorted: {str(scan.lines_are_sorted).lower()}"


def _cairn(cairn: Cairn) -> str:
    words = [
        *(cairn.keyword, cairn.kind, _number(cairn.x, 0), _number(cairn.y, 0), _number(cairn.heading, 6)),
        *(f'"{cairn.description}"', cairn.icon, f'"{cairn.name}"'),
        *(_number(value, 0) for value in cairn.corners or ()),
    ]
    if cairn.extra:
        # What follows belongs after the second description.
        words += [f'"{cairn.description}"', *cairn.extra]
    return " ".join(words)


def _number(value: float, decimals: int) -> str:
    """Format with a number of decimals, or with as many as a round trip needs."""
    text = f"{value:.{decimals}f}"
    return text if float(text) == value or value != value else repr(value)


def _rows(array: IntArray) -> str:
    """Write rows of numbers, block by block so that no other thread has to wait long."""
    pattern = " ".join(["%d"] * array.shape[1])
    blocks = np.array_split(array, max(1, len(array) // 10_000))
    return "\n".join("\n".join([pattern] * len(block)) % tuple(block.ravel().tolist()) for block in blocks)
