"""The lasers whose protocols are spoken, by the names under which they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mobilesim_py.protocols.lasers import lms2xx
from mobilesim_py.protocols.lasers.cola import LMS1XX, LMS5XX, TIM, ColaModel, ColaServer
from mobilesim_py.protocols.lasers.scanner import LaserServer, Measure
from mobilesim_py.protocols.lasers.scip import URG, UTM, ScipModel, ScipServer


@dataclass(frozen=True)
class LaserProtocol:
    """How to speak as one kind of laser."""

    title: str
    reach: float
    """The farthest that it measures [m]."""
    make: Callable[[Measure], LaserServer]


def _cola(title: str, model: ColaModel) -> LaserProtocol:
    return LaserProtocol(title, model.reach, lambda measure: ColaServer(model, measure))


def _scip(title: str, model: ScipModel) -> LaserProtocol:
    return LaserProtocol(title, model.reach, lambda measure: ScipServer(model, measure))


PROTOCOLS: dict[str, LaserProtocol] = {
    "lms1xx": _cola("SICK LMS1xx", LMS1XX),
    "lms5xx": _cola("SICK LMS5xx", LMS5XX),
    "tim": _cola("SICK TiM561", TIM),
    "lms2xx": LaserProtocol("SICK LMS2xx", lms2xx.REACH, lms2xx.Lms2xxServer),
    "urg": _scip("Hokuyo URG-04LX", URG),
    "utm": _scip("Hokuyo UTM-30LX", UTM),
}
