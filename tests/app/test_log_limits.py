"""A client cannot fill the log, and what was left out is counted."""

from __future__ import annotations

import logging

from mobilesim_py import messages
from mobilesim_py.app.log_limits import KIND, ROBOT
from mobilesim_py.app.logs import Log, PythonRecords


class Bench:
    """A log and its clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.log = Log(clock=lambda: self.now)

    def texts(self, robot: str = "r1") -> list[str]:
        return [line.text for line in self.log.recent() if line.robot == robot]


def test_a_flood_of_one_kind_is_cut_and_counted() -> None:
    bench = Bench()
    for _ in range(10_000):
        bench.log.info("hello, hello, hello, here I am", "r1")
    assert len(bench.texts()) == KIND.burst
    bench.now += 1.0
    bench.log.info("hello, hello, hello, here I am", "r1")
    assert bench.texts()[-1].endswith(f"({10_000 - int(KIND.burst)} more lines like this were left out)")


def test_a_flood_of_ever_other_lines_is_cut_too() -> None:
    bench = Bench()
    for number in range(10_000):
        bench.log.info(f"{number:08d} is a number that nobody needs", "r1")
    assert len(bench.texts()) == ROBOT.burst


def test_the_flood_of_one_hides_neither_others_nor_comings_and_goings() -> None:
    bench = Bench()
    for number in range(10_000):
        bench.log.info(f"{number:08d}", "r1")
    bench.log.info("hello", "r2")
    bench.log.info(messages.CLIENT_DISCONNECTED, "r1")
    assert bench.texts("r2") == ["hello"]
    assert bench.texts()[-1] == messages.CLIENT_DISCONNECTED


def test_a_thousand_robots_may_say_where_they_are() -> None:
    bench = Bench()
    for number in range(1500):
        bench.log.info(f'MobileSim: Robot named "r{number}" will be a "p3dx"')
    assert len(bench.texts("")) == 1500


def test_what_an_option_asked_to_have_all_of_is_not_cut() -> None:
    bench = Bench()
    for _ in range(1500):
        bench.log.record("< PULSE", "r1")
    assert len(bench.texts()) == 1500


def test_at_the_end_the_log_says_what_is_missing() -> None:
    bench = Bench()
    for _ in range(1000):
        bench.log.info("hello", "r1")
    bench.log.close()
    assert bench.texts("") == ["900 lines were left out because there were too many of a kind."]


def test_what_libraries_say_comes_into_the_log_as_one_line_now_and_then() -> None:
    bench = Bench()
    records = PythonRecords(bench.log)
    for _ in range(100):
        try:
            raise ValueError("no such thing")
        except ValueError as error:
            record = logging.LogRecord("aiohttp.server", logging.ERROR, "", 0, "Error handling request", None, None)
            record.exc_info = (type(error), error, error.__traceback__)
            records.handle(record)
    assert bench.texts("") == ["aiohttp.server: Error handling request (ValueError: no such thing)"]
