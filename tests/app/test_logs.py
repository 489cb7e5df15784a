"""The log: the original's wording, files that rotate, and nothing that a client sends can spoil."""

from __future__ import annotations

import io
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py import messages
from mobilesim_py.app.command_line import parse
from mobilesim_py.app.log_sinks import ConsoleSink, FileSink, html
from mobilesim_py.app.logs import Level, Log, LogLine, clean, open_log
from mobilesim_py.errors import ExitCode, UsageError

NOVEMBER = time.mktime((2026, 11, 8, 5, 6, 7, 0, 0, 0))


class Clock:
    def __init__(self) -> None:
        self.now = NOVEMBER

    def __call__(self) -> float:
        return self.now


def printed(log: Callable[[Log], None], **settings: bool) -> str:
    stream = io.StringIO()
    log(Log(ConsoleSink(stream), clock=Clock(), **settings))
    return stream.getvalue()


def test_a_line_about_a_robot() -> None:
    assert printed(lambda log: log.info("Starting new session", "robot1")) == (
        "Sun Nov  8 05:06:07 2026 robot1: Starting new session\n"
    )


def test_a_warning_is_logged_once() -> None:
    assert printed(lambda log: log.warning("Odd.", "robot1")) == "Sun Nov  8 05:06:07 2026 Warning: robot1: Odd.\n"


def test_an_error_of_the_simulator_itself() -> None:
    assert printed(lambda log: log.error("Bad.")) == "Sun Nov  8 05:06:07 2026 Error: Bad.\n"


def test_details_are_for_the_verbose() -> None:
    assert printed(lambda log: log.detail("Sonar on")) == ""
    assert "Sonar on" in printed(lambda log: log.detail("Sonar on"), verbose=True)


def test_a_client_cannot_forge_a_line() -> None:
    out = printed(lambda log: log.info("hello\nSun Nov  8 05:06:07 2026 Error: forged\r\x1b[31m\u2028x", "a\nb"))
    assert out.count("\n") == 1
    assert "a\\nb: hello\\nSun" in out
    assert "\\r\\x1b[31m\\u2028x" in out


@given(st.text())
def test_no_text_breaks_a_line_or_moves_the_cursor(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned.splitlines()) <= 1
    assert all(ord(letter) >= 32 and not 127 <= ord(letter) < 160 for letter in cleaned)
    cleaned.encode("utf-8")


def test_html_has_the_originals_classes_and_shows_text_as_text() -> None:
    line = html(LogLine(NOVEMBER, Level.WARNING, "robot1", "<b>&"))
    assert line == (
        '<span class="stage-log-Warning"><span class="stage-log-time">Sun Nov  8 05:06:07 2026</span> '
        '<span class="stage-log-Warning-tag">Warning</span>: '
        '<span class="stage-log-msg">robot1: &lt;b&gt;&amp;</span></span><br/>'
    )


def test_html_of_a_plain_line() -> None:
    assert html(LogLine(NOVEMBER, Level.INFO, "", "x")) == (
        '<span class="stage-log"><span class="stage-log-time">Sun Nov  8 05:06:07 2026</span> '
        '<span class="stage-log-msg">x</span></span><br/>'
    )


def test_repeated_faults_are_counted_not_repeated() -> None:
    clock, stream = Clock(), io.StringIO()
    log = Log(ConsoleSink(stream), clock=clock)
    for _ in range(1000):
        log.occasionally("checksum", "Bad checksum.", "robot1")
        clock.now += 0.001
    log.occasionally("checksum", "Bad checksum.", "robot2")
    clock.now += 10.0
    log.occasionally("checksum", "Bad checksum.", "robot1")
    lines = [line.partition("Warning: ")[2] for line in stream.getvalue().splitlines()]
    assert lines == [
        "robot1: Bad checksum.",
        "robot2: Bad checksum.",
        "robot1: Bad checksum. (999 more since the last message)",
    ]


def test_a_clock_that_is_set_back_does_not_silence_a_fault() -> None:
    clock, stream = Clock(), io.StringIO()
    log = Log(ConsoleSink(stream), clock=clock)
    log.occasionally("x", "Fault.")
    clock.now -= 3600.0
    log.occasionally("x", "Fault.")
    assert stream.getvalue().count("Fault.") == 2


def test_faults_of_ever_new_clients_do_not_pile_up() -> None:
    log = Log(clock=Clock())
    for number in range(5000):
        log.occasionally("x", "Fault.", f"robot{number}")
    assert len(log._repeats) <= 512


def test_the_ring_remembers_and_subscribers_follow() -> None:
    log = Log(clock=Clock())
    log.info("before")
    heard: list[str] = []
    unsubscribe = log.subscribe(lambda line: heard.append(line.text))
    log.info("during")
    unsubscribe()
    unsubscribe()
    log.info("after")
    assert heard == ["during"]
    assert [line.text for line in log.recent(2)] == ["during", "after"]
    assert len(log.recent()) == 3


def test_the_ring_is_bounded() -> None:
    log = Log(clock=Clock())
    for number in range(3000):
        log.info(str(number))
    assert len(log.recent()) == 2000


def test_a_subscriber_that_fails_is_dropped_and_the_log_goes_on() -> None:
    stream = io.StringIO()
    log = Log(ConsoleSink(stream), clock=Clock())

    def fail(line: LogLine) -> None:
        raise RuntimeError(line.text)

    log.subscribe(fail)
    log.info("one")
    log.info("two")
    assert stream.getvalue().count("RuntimeError: one") == 1
    assert "two" in stream.getvalue()


def test_an_exception_is_logged_line_by_line() -> None:
    out = printed(lambda log: log.exception("Broken:", ValueError("why\nnot")))
    assert all(re.match(r"Sun Nov  8 05:06:07 2026 Error: ", line) for line in out.splitlines())
    assert "ValueError: why" in out


class Files:
    """A log that goes to a file, and what stands in the files."""

    def __init__(self, folder: Path, max_size: int = 0) -> None:
        self.path = folder / "sim.log"
        self.console = io.StringIO()
        self.sink = FileSink(str(self.path), max_size=max_size)
        self.sink.open()
        self.log = Log(ConsoleSink(self.console), self.sink, clock=Clock())

    def text(self, number: int = 0) -> str:
        return Path(f"{self.path}-{number}" if number else self.path).read_text()


def test_a_file_has_the_lines_instead_of_the_console(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.log.info("one")
    assert files.text() == "Sun Nov  8 05:06:07 2026 one\n"
    assert files.console.getvalue() == ""


def test_an_announcement_reaches_the_terminal_too(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.log.announce("on /dev/pts/3")
    assert "on /dev/pts/3" in files.text()
    assert "on /dev/pts/3" in files.console.getvalue()


def test_starting_keeps_five_old_files(tmp_path: Path) -> None:
    for number in range(8):
        files = Files(tmp_path)
        files.log.info(f"run {number}")
        files.log.close()
    assert [re.findall(r"run (\d)", files.text(number)) for number in range(6)] == [[c] for c in "765432"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sim.log"] + [f"sim.log-{n}" for n in range(1, 6)]


def test_rotating_when_asked(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.log.info("before")
    assert files.log.rotate("robot1")
    files.log.info("new")
    assert "before" in files.text(1)
    assert "before" not in files.text()
    assert f'robot1: Saved copies of old log files and started a new log in "{files.path}".' in files.text()
    assert "new" in files.text()


def test_clients_cannot_rotate_all_that_is_old_away(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.log.info("worth keeping")
    assert [files.log.rotate("robot1") for _ in range(20)] == [True] * 3 + [False] * 17
    assert "worth keeping" in files.text(3)
    assert "too often" in files.text()


def test_rotating_without_a_file_is_explained() -> None:
    out = printed(lambda log: log.rotate("robot1"))  # type: ignore[arg-type, return-value]
    assert f"Warning: robot1: {messages.NO_LOG_TO_ROTATE}" in out


def test_a_full_file_rotates_by_itself(tmp_path: Path) -> None:
    files = Files(tmp_path, max_size=2000)
    for number in range(400):
        files.log.info(f"line {number:04d}")
    assert files.text(1).endswith(
        "This log file is full (maximum size 2000 bytes). Rotating logs and starting a new one...\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sim.log"] + [f"sim.log-{n}" for n in range(1, 5)]


@pytest.mark.parametrize("length", [1, 300, 999, 1900])
def test_all_files_together_stay_under_five_times_the_limit(tmp_path: Path, length: int) -> None:
    files = Files(tmp_path, max_size=2000)
    for _ in range(200):
        files.log.info("x" * length)
        sizes = [path.stat().st_size for path in tmp_path.iterdir()]
        assert max(sizes) <= 2000
        assert sum(sizes) < 5 * 2000


def test_a_line_beyond_the_limit_has_a_file_to_itself(tmp_path: Path) -> None:
    files = Files(tmp_path, max_size=200)
    for text in ("short", "x" * 500, "after"):
        files.log.info(text)
    assert ["x" * 500 in files.text(number) for number in range(3)] == [False, True, False]


def test_files_of_a_run_without_limit_make_room_from_the_oldest_on(tmp_path: Path) -> None:
    for number in range(1, 6):
        (tmp_path / f"sim.log-{number}").write_text("x" * 3000)
    (tmp_path / "sim.log").write_text("the last run" + "x" * 3000)
    files = Files(tmp_path, max_size=2000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sim.log", "sim.log-1", "sim.log-2"]
    assert files.text(1).startswith("the last run")


def test_the_log_of_the_last_run_is_kept_however_long_it_is(tmp_path: Path) -> None:
    (tmp_path / "sim.log").write_text("x" * 50_000)
    files = Files(tmp_path, max_size=2000)
    assert len(files.text(1)) == 50_000


def test_no_line_is_lost_when_a_file_rotates(tmp_path: Path) -> None:
    files = Files(tmp_path, max_size=1500)
    for number in range(100):
        files.log.info(f"line {number:04d}")
    seen = "".join(files.text(n) for n in range(5, -1, -1) if n == 0 or Path(f"{files.path}-{n}").exists())
    assert re.findall(r"line (\d{4})", seen) == [f"{n:04d}" for n in range(100)]


def test_a_reader_that_follows_the_name_sees_the_new_file(tmp_path: Path) -> None:
    files = Files(tmp_path)
    before = files.path.stat().st_ino
    files.log.rotate()
    assert files.path.stat().st_ino != before
    assert Path(f"{files.path}-1").stat().st_ino == before


def test_the_log_stays_where_it_was_when_the_directory_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sink = FileSink("sim.log")
    sink.open()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert sink.rotate()
    assert (tmp_path / "sim.log-1").exists()
    sink.close()


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_a_device_is_not_renamed(device: str) -> None:
    sink = FileSink(device)
    sink.open()
    assert sink.rotate()
    sink.close()
    assert Path(device).is_char_device()
    assert not Path(device + "-1").exists()


def test_a_full_disk_is_told_once_and_the_console_goes_on() -> None:
    console = io.StringIO()
    sink = FileSink("/dev/full")
    sink.open()
    log = Log(ConsoleSink(console), sink, clock=Clock())
    log.info("one")
    log.info("two")
    lines = console.getvalue().splitlines()
    assert 'Error: Cannot write to log file "/dev/full" (No space left on device)' in lines[0]
    assert [line.split()[-1] for line in lines[1:]] == ["one", "two"]


def test_a_disk_with_room_again_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(tmp_path)
    monkeypatch.setattr("mobilesim_py.app.log_sinks.RETRY_SECONDS", 0.0)
    real_write = os.write

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    files.log.info("lost")
    monkeypatch.setattr(os, "write", real_write)
    files.log.info("back")
    assert files.text() == "Sun Nov  8 05:06:07 2026 back\n"


def test_a_file_that_cannot_be_begun_anew_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    files = Files(tmp_path / "logs")
    files.log.info("one")
    shutil.rmtree(tmp_path / "logs")
    assert not files.log.rotate("robot1")
    files.log.info("two")
    console = files.console.getvalue()
    assert console.count("Cannot write to log file") == 1
    assert "Warning: robot1: Error opening new log file" in console
    assert "two" in console


def test_a_file_that_cannot_be_opened_is_a_usage_error(tmp_path: Path) -> None:
    options = parse(["--nomap", "--log-file", str(tmp_path / "missing" / "sim.log")])
    with pytest.raises(UsageError, match="Could not open log file") as caught:
        open_log(options)
    assert caught.value.exit_code == ExitCode.USAGE


def test_the_options_make_the_log(tmp_path: Path) -> None:
    path = tmp_path / "sim.log"
    log = open_log(parse(["--nomap", "-l", str(path), "--html", "--verbose", "--restarting-after-crash"]))
    log.detail("x")
    log.close()
    assert messages.RESTARTED_AFTER_CRASH in path.read_text()
    assert path.read_text().startswith('<span class="stage-log-Warning">')
    assert "x</span>" in path.read_text()


def test_nobody_who_reads_a_pipe_does_not_stop_the_log() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream, os.fdopen(reader, "rb") as pipe:
        console = ConsoleSink(stream)
        log = Log(console, clock=Clock())
        for number in range(5000):
            log.info(f"line {number}")
        os.set_blocking(reader, False)
        while pipe.read(65536):
            pass
        log.info("at last")
        assert re.search(
            r"Warning: \d+ lines were left out because nobody read them.\n.* at last\n", pipe.read(65536).decode()
        )


def test_a_reader_who_leaves_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w")
    console = ConsoleSink(stream)
    assert console.write(LogLine(NOVEMBER, Level.INFO, "", "x")) is False
    assert console.write(LogLine(NOVEMBER, Level.INFO, "", "y")) is False
    console.close()


def test_a_terminal_gets_colour_and_a_pipe_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        Log(ConsoleSink(stream), clock=Clock()).warning("Odd.")
    assert "\x1b[" in terminal.getvalue()
    assert "\x1b" not in pipe.getvalue()


def test_rich_prints_what_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("mobilesim_py.app.log_sinks.RICH_AFTER_SECONDS", 0.0)
    terminal = Terminal()
    Log(ConsoleSink(terminal), clock=Clock()).warning("[bold]not markup[/bold]", "robot1")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert plain == "Sun Nov  8 05:06:07 2026 Warning: robot1: [bold]not markup[/bold]\n"


def test_a_muted_console_is_silent_but_the_ring_hears() -> None:
    stream = io.StringIO()
    log = Log(ConsoleSink(stream), clock=Clock())
    log.console_muted = True
    log.info("x")
    assert stream.getvalue() == ""
    assert log.recent()[-1].text == "x"


def test_a_log_file_that_was_deleted_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mobilesim_py.app.log_sinks.LOOK_SECONDS", 0.0)
    path = tmp_path / "sim.log"
    sink = FileSink(str(path))
    sink.open()
    log = Log(None, sink)
    log.info("before")
    path.unlink()
    log.info("after")
    log.close()
    assert path.read_text().endswith("after\n")
    assert "before" not in path.read_text()
