"""What all robots tell: SIPs and scans in one stretch for each, the same bytes from the array code and the compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobilesim_py.native.build import Recorder
from mobilesim_py.protocols.arcos import report as in_numpy
from mobilesim_py.protocols.arcos.compiled_packing import CompiledPacker
from mobilesim_py.protocols.arcos.laser import Scan, pack_scan
from mobilesim_py.protocols.arcos.packet import PacketReader
from mobilesim_py.protocols.arcos.report import Factor, Report, State
from mobilesim_py.protocols.arcos.sip import SipBatch, pack_sips, unpack_sip

Pack = Callable[[Report], list[bytes]]


@pytest.fixture(params=["numpy", "compiled"])
def pack(request: pytest.FixtureRequest) -> Pack:
    if request.param == "numpy":
        return in_numpy.pack_reports
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    from mobilesim_py.protocols.arcos import compiled_report

    return CompiledPacker(compiled_report.pack)


def report(seed: int, robots: int, lasers: int, beams: int = 181, wild: bool = False) -> Report:
    """Robots of all kinds, doing all sorts of things."""
    rng = np.random.default_rng(seed)
    state = rng.normal(0.0, 3.0, (len(State), robots))
    state[State.X] *= rng.choice([1.0, 100.0])
    state[[State.STALLED, State.MOTORS_ON, State.SONAR_ON, State.OVERHEATED]] = rng.integers(0, 2, (4, robots))
    state[[State.DIGITAL_IN, State.DIGITAL_OUT]] = rng.integers(0, 256, (2, robots))
    state[[State.BATTERY, State.TEMPERATURE]] *= 20.0
    state[State.CHARGE] = rng.uniform(0, 100, robots)
    state[State.FORWARD : State.ROTATION + 1, rng.random(robots) < 0.3] = 0.0
    state[State.HEADING, rng.random(robots) < 0.3] *= 1e-4
    factors = rng.uniform(0.4, 1.1, (len(Factor), robots))
    factors[Factor.ANGLE] = 0.001534
    factors[Factor.DIFFERENCE] = rng.choice([0.0, 0.0056], robots)
    echoes = rng.uniform(0.0, 5.0, (3, 60))
    ranges = rng.uniform(0.0, 40.0, (4, beams))
    if wild:
        state[:, rng.random(robots) < 0.3] = rng.choice([np.nan, 1e12, -1e12])
        state[[State.DIGITAL_IN, State.DIGITAL_OUT]] = 7.0
        state[[State.X, State.Y, State.HEADING]] = np.nan_to_num(state[[State.X, State.Y, State.HEADING]])
        echoes[rng.random(echoes.shape) < 0.1] = np.nan
        ranges[rng.random(ranges.shape) < 0.1] = rng.choice([np.nan, np.inf, -1.0, 1e9])
    return Report(
        state=state,
        factors=factors,
        wants_sip=rng.random(robots) < 0.8,
        tells_motion=rng.random(robots) < 0.8,
        echoes=echoes,
        echo_row=rng.integers(0, 3, robots),
        sonar_first=rng.integers(0, 9, robots),
        sonar_count=rng.choice([0, 8, 16, 51], robots),
        laser_robot=np.sort(rng.integers(0, robots, lasers if robots else 0)),
        ranges=ranges,
        reflectance=rng.integers(0, 256, ranges.shape).astype(np.uint8),
        scan_row=rng.integers(0, 4, lasers),
        scan_count=rng.integers(0, beams + 1, lasers),
        extended=rng.random(lasers) < 0.7,
        moved=rng.random(lasers) < 0.5,
        device=rng.integers(0, 4, lasers),
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**31),
    robots=st.integers(1, 30),
    lasers=st.integers(0, 40),
    beams=st.sampled_from([1, 32, 181, 400]),
    wild=st.booleans(),
)
def test_both_ways_give_the_same_bytes(seed: int, robots: int, lasers: int, beams: int, wild: bool) -> None:
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    from mobilesim_py.protocols.arcos import compiled_report

    told = report(seed, robots, lasers, beams, wild)
    with np.errstate(invalid="ignore"):
        assert CompiledPacker(compiled_report.pack)(told) == in_numpy.pack_reports(told)


def test_a_robot_gets_its_sip_and_then_its_scans_as_if_it_were_alone(pack: Pack) -> None:
    told = report(7, 12, 15)
    for n, packets in enumerate(pack(told)):
        expected = b""
        if told.wants_sip[n]:
            (expected,) = pack_sips(
                SipBatch(
                    state=told.state[:, [n]],
                    factors=told.factors[:, [n]],
                    tells_motion=told.tells_motion[[n]],
                    sonar_ranges=told.echoes[told.echo_row[[n]]],
                    sonar_first=told.sonar_first[[n]],
                    sonar_count=told.sonar_count[[n]],
                )
            )
        for laser in np.flatnonzero(told.laser_robot == n):
            row, count = told.scan_row[laser], told.scan_count[laser]
            expected += pack_scan(
                Scan(
                    told.ranges[row, :count],
                    told.reflectance[row, :count],
                    bool(told.extended[laser]),
                    bool(told.moved[laser]),
                    *told.state[[State.X, State.Y, State.HEADING], n].tolist(),
                    int(told.device[laser]),
                )
            )
        assert packets == expected


def test_robots_that_want_no_sip_and_have_no_scan_get_nothing(pack: Pack) -> None:
    told = report(1, 3, 0)
    told.wants_sip[:] = [False, True, False]
    nothing, sip, again = pack(told)
    assert nothing == again == b""
    (packet,) = PacketReader().feed(sip)
    assert unpack_sip(packet).digital_in == told.state[State.DIGITAL_IN, 1]


def test_nobody_there_is_no_packet(pack: Pack) -> None:
    assert pack(report(1, 0, 0)) == []


def test_every_report_has_arguments_such_as_the_exercise_has() -> None:
    asked = Recorder()
    packer = CompiledPacker(asked("pack"))
    packer.exercise()
    told = report(3, 4, 3)
    packer(told)
    packer(told._replace(state=np.asfortranarray(told.state), ranges=told.ranges[:, ::2], scan_count=told.scan_count // 2))
