"""The fixture `mobilesim` for pytest: a simulator of its own for every test that asks for one.

    @pytest.mark.mobilesim(map="office.map", robots=["p3dx"])
    def test_my_program(mobilesim):
        mobilesim.run("./wander", seconds=10)
        assert mobilesim.pose().x > 3.0

docs/python.md tells more. pytest reads this module at every start, so it imports nothing before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mobilesim_py.clients.bench import Bench

MARKER = (
    "mobilesim(map=None, robots=[], **options): run this simulator for the test; options are those of mobilesim_py.start()"
)
_BENCH = pytest.StashKey["Bench"]()
_FOLDERS = pytest.StashKey[pytest.TempPathFactory]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def mobilesim(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Run a simulator for this test: the one that its marker asks for, and any that it starts by calling the fixture."""
    from mobilesim_py.clients.bench import Bench

    bench = Bench()
    request.node.stash[_BENCH] = bench
    request.config.stash[_FOLDERS] = tmp_path_factory
    marker = request.node.get_closest_marker("mobilesim")
    try:
        if marker is not None:
            _start(bench, marker)
        yield bench
    finally:
        complaint = bench.close()
    if complaint:
        pytest.fail(complaint, pytrace=False)


def _start(bench: Bench, marker: pytest.Mark) -> None:
    """Start what a marker asks for; what is wrong with it is told in the program's words, and nothing else."""
    from mobilesim_py.errors import MobileSimError

    problem = ""
    try:
        bench(*marker.args, **marker.kwargs)
    except MobileSimError as error:
        problem = f"MobileSim: {error}"
    if problem:
        pytest.fail(problem, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the log, a picture and the packets to the report of a failure; there is no picture of what has ended."""
    report = yield
    bench = item.stash.get(_BENCH, None)
    if bench is not None and report.failed:
        report.sections += bench.evidence(item.config.stash[_FOLDERS].mktemp("mobilesim"))
    return report
