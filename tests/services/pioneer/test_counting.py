"""How many packets there are in what is sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.protocols.arcos import client
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import encode
from mobilesim_py.services.pioneer.counting import count_packets
from mobilesim_py.services.service import driver_of

from .conftest import Stand


def test_packets_are_counted_by_their_lengths_and_not_by_what_looks_like_a_header() -> None:
    assert count_packets(b"") == 0
    assert count_packets(encode(0x20, b"\xfa\xfb\x03\xfa\xfb") + encode(0)) == 2


@pytest.mark.parametrize("model", ["p3dx-sh", "seekurjr", "amigo", "p3dx-nolaser"])
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_what_a_report_holds_is_counted_right_for_every_robot(model: str, engine: str, stand: Callable[..., Stand]) -> None:
    bench = stand("--nomap", *["-r", model] * 3, "-r", "p3dx")
    if engine == "compiled":
        pytest.importorskip("numba", reason="Numba does not exist for this Python")
        from mobilesim_py.app.compiling import load_compiled

        bench.program.use_engine(load_compiled())
    modems = [bench.connect(robot) for robot in bench.robots]
    for modem in modems[1:]:
        modem.send(client.command(Command.SIM_LRF_ENABLE, 2))
    before = [driver_of(bench.program, robot).packets_sent for robot in bench.robots]  # type: ignore[union-attr]
    bench.step(7)
    after = [driver_of(bench.program, robot).packets_sent for robot in bench.robots]  # type: ignore[union-attr]
    assert [b - a for a, b in zip(before, after, strict=True)] == [len(modem.take()) for modem in modems]
