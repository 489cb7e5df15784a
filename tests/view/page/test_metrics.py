"""Metrics for Prometheus."""

from __future__ import annotations

from mobilesim_py.app.program import Program
from tests.view.conftest import run, visiting


def test_metrics_are_in_prometheus_format(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            _, text = await visitor.ask("GET", "/metrics")
            lines = text.decode().splitlines()
            assert "mobilesim_robots 2" in lines
            names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
            assert len(names) == len(set(names))
            values = [line for line in lines if not line.startswith("#")]
            assert all(float(line.rpartition(" ")[2]) >= 0 for line in values)

    run(test)
