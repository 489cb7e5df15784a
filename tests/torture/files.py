"""Files of every format, mutated, and read by the readers of the program: a row of `FILES` for each format.

Reading may only succeed or say in a sentence what is wrong. It happens in a process of its own with a limit of memory and
time, so that what would hurt the program is seen as what it is.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import resource
import signal
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

from tests.torture.mutate import mutated
from tests.torture.wires import ROOT, VECTORS

CPU_SECONDS = 20.0
"""What reading one file may take; the largest honest map takes a tenth of that."""
MEMORY = 3 << 30
"""Address space of the reading process [bytes]."""
CORPUS_BYTES = 60_000
"""Longer files are cut, lest every mutation costs as much as a large map."""


@dataclass(frozen=True)
class FileKind:
    """A format: what valid files look like, and who reads them."""

    name: str
    ending: str
    corpus: Callable[[], Sequence[bytes]]
    read: Callable[[Path], object]


def _files(*patterns: str) -> Callable[[], Sequence[bytes]]:
    """Return the contents of files of ours."""
    return lambda: [path.read_bytes()[:CORPUS_BYTES] for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def _world(path: Path) -> object:
    from mobilesim_py.formats.format import Settings, load_world
    from mobilesim_py.world.grid import Grid

    return Grid.build(load_world(path, Settings(scale=0.05)).segments).lay_out()


def _models(path: Path) -> object:
    from mobilesim_py.catalogue.worldfile import Worldfile

    return Worldfile(search=(path.parent,)).load(path)


def _parameters(path: Path) -> object:
    from mobilesim_py.catalogue.catalogue import Catalogue

    return Catalogue.load(user_include=path.parent / "none", cwd=path.parent).find(path.stem + ".p")


def _lab(what: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        from mobilesim_py.formats.lab import grid_file, log, parameters_file

        readers: dict[str, Callable[[Path], object]] = {
            "grid": grid_file.read_grid, "param": parameters_file.read_parameters, "log": log.read_log,
        }  # fmt: skip
        return readers[what](path)

    return read


def png(width: int, height: int, rows: bytes) -> bytes:
    """Return a grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _pictures() -> Sequence[bytes]:
    rng = random.Random(1)
    rows = b"".join(b"\0" + bytes(rng.choice((0, 255)) for _ in range(40)) for _ in range(30))
    return [
        png(40, 30, rows),
        b"P5\n# c\n40 30\n255\n" + rng.randbytes(1200),
        b"P1\n4 2\n0 1 1 0 1 0 0 1\n",
        b"P2 2 2 9 0 1 2 3",
    ]


def _drawings() -> Sequence[bytes]:
    shapes = (
        '<line x1="0" y1="0" x2="10" y2="5"/>', '<rect x="1" y="1" width="5" height="2"/>', '<circle cx="3" cy="3" r="2"/>',
        '<polyline points="0,0 1,1 2,0"/>', '<path d="M0 0 L5 5 C1 2 3 4 5 6 A 3 4 0 1 0 9 9 Z"/>',
        '<g transform="translate(2,3) rotate(30) scale(2)"><polygon points="0,0 4,0 4,4"/></g>',
    )  # fmt: skip
    return [f'<svg xmlns="http://www.w3.org/2000/svg" width="20mm" viewBox="0 0 20 20">{"".join(shapes)}</svg>'.encode()]


def _cad() -> Sequence[bytes]:
    pairs = "0 SECTION 2 ENTITIES 0 LINE 8 walls 10 0.0 20 0.0 11 5.0 21 5.0 0 CIRCLE 10 1 20 1 40 2 0 LWPOLYLINE 90 3 70 1"
    return [("\n".join((pairs + " 10 0 20 0 10 4 20 0 10 4 20 4 0 ENDSEC 0 EOF").split()) + "\n").encode()]


def _ros_maps() -> Sequence[bytes]:
    return [
        b"image: room.pgm\nresolution: 0.05\norigin: [-1.0, -2.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n"
    ]


def _runs() -> Sequence[bytes]:
    import gzip

    with gzip.open(VECTORS / "ciber" / "ciber_short.log.gz") as file:
        return [file.read()[:CORPUS_BYTES]]


FILES: tuple[FileKind, ...] = (
    FileKind("ARIA map", ".map", _files("maps/*.map"), _world),
    FileKind("Stage world", ".world", _files("maps/*.world", "models/*.inc"), _world),
    FileKind("Stage models", ".inc", _files("models/*.inc"), _models),
    FileKind("ARIA parameters", ".p", _files("models/*.p"), _parameters),
    FileKind("lines of walls", ".wld", _files("maps/*.wld"), _world),
    FileKind("lab", ".xml", _files("maps/ciber/*_lab.xml"), _world),
    FileKind("starting grid", ".xml", _files("maps/ciber/*_grid.xml"), _lab("grid")),
    FileKind("parameters of a contest", ".xml", _files("maps/ciber/*_param.xml"), _lab("param")),
    FileKind("log of a contest", ".xml", _runs, _lab("log")),
    FileKind("field", ".field", _files("maps/*.field"), _world),
    FileKind("obstacles", ".obs", _files("maps/*.field", "tests/formats/field/*.obs"), _world),
    FileKind("picture", ".png", _pictures, _world),
    FileKind("picture in numbers", ".pgm", _pictures, _world),
    FileKind("ROS map", ".yaml", _ros_maps, _world),
    FileKind("drawing", ".svg", _drawings, _world),
    FileKind("CAD drawing", ".dxf", _cad, _world),
)


@dataclass
class Readings:
    """How reading went."""

    count: Counter[str] = field(default_factory=Counter)
    bytes: int = 0
    accepted: int = 0
    refused: int = 0
    unexpected: Counter[str] = field(default_factory=Counter)
    """Errors that the program turns into a sentence, but a poor one."""
    problems: list[str] = field(default_factory=list)


def read_files(
    folder: Path, count: int, seed: int, *, tell: Callable[[str], None] = lambda text: None, kinds: Iterable[FileKind] = FILES
) -> Readings:  # fmt: skip
    """Read so many mutated files, all kinds in turn."""
    readings = Readings()
    folder.mkdir(parents=True, exist_ok=True)
    rows, next_file = tuple(kinds), 0
    context = multiprocessing.get_context("fork")
    while next_file < count:
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(rows, folder, seed, next_file, count, theirs), daemon=True)
        worker.start()
        theirs.close()
        under_way = None
        with contextlib.suppress(EOFError):
            while True:
                number, what, detail = ours.recv()
                kind = rows[number % len(rows)]
                if what == "begins":
                    under_way = number
                    readings.bytes += detail
                    readings.count[kind.name] += 1
                    continue
                under_way, next_file = None, number + 1
                readings.accepted += what == "accepted"
                readings.refused += what == "refused"
                if what == "unexpected":
                    readings.unexpected[f"{kind.name}: {detail}"] += 1
                if next_file % 1000 == 0:
                    tell(f"files: {next_file} read")
        worker.join()
        if under_way is not None:
            kind, next_file = rows[under_way % len(rows)], under_way + 1
            why = signal.Signals(-worker.exitcode).name if worker.exitcode and worker.exitcode < 0 else worker.exitcode
            kept = folder / f"file-{seed}-{under_way}{kind.ending}"
            os.replace(_path(folder, kind), kept)
            readings.problems.append(f"{kind.name} number {under_way} ended the reader ({why}); kept as {kept}")
        elif next_file < count and worker.exitcode:
            readings.problems.append(f"the reader ended with {worker.exitcode} between two files")
            break
    return readings


def _path(folder: Path, kind: FileKind) -> Path:
    return folder / f"under-test{kind.ending}"


def _work(kinds: Sequence[FileKind], folder: Path, seed: int, first: int, end: int, pipe: Pipe) -> None:
    """Read files until all are read, or one of them ends this process."""
    from mobilesim_py.errors import MobileSimError

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    corpora = [kind.corpus() for kind in kinds]
    beside = folder / "room.pgm"
    beside.write_bytes(b"P5\n40 30\n255\n" + bytes(1200))
    for number in range(first, end):
        kind = kinds[number % len(kinds)]
        rng = random.Random(f"{seed} {number}")
        data = mutated(corpora[number % len(kinds)], rng, valid=0.02)
        path = _path(folder, kind)
        path.write_bytes(data)
        pipe.send((number, "begins", len(data)))
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        try:
            kind.read(path)
            result = ("accepted", "")
        except MobileSimError:
            result = ("refused", "")
        except (Exception, RecursionError) as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            where = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
            result = ("unexpected", f"{type(error).__name__} at {where}")
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        pipe.send((number, *result))
