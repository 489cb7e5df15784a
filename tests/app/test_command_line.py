"""The command line: every spelling that scripts use, and a sentence for every mistake."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.app.command_line import parse
from mobilesim_py.app.option_table import TABLE
from mobilesim_py.app.options import Options, RobotKind, RobotRequest
from mobilesim_py.app.words import OptionTable
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.services.permissions import Permission

KNOWN = OptionTable(TABLE)


@pytest.fixture(autouse=True)
def home_without_a_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def complaint(*words: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse(list(words))
    assert caught.value.exit_code == ExitCode.USAGE
    return str(caught.value)


@pytest.mark.parametrize(
    "words",
    [["-m", "a.map"], ["-map", "a.map"], ["--map", "a.map"], ["--map=a.map"], ["-map=a.map"], ["-m=a.map"], ["a.map"]],
)
def test_a_map_may_be_spelled(words: list[str]) -> None:
    assert parse(words).map == "a.map"


@pytest.mark.parametrize("words", [["-p", "8105"], ["-p8105"], ["-port", "8105"], ["--port=8105"]])
def test_a_port_may_be_spelled(words: list[str]) -> None:
    assert parse(words).port == 8105


@pytest.mark.parametrize("name", [name for option in TABLE for name in option.names])
def test_every_long_name_works_with_one_dash_and_two(name: str) -> None:
    assert KNOWN.recognise("-" + name) is not None
    assert KNOWN.recognise("-" + name) == KNOWN.recognise("--" + name)


def test_no_two_options_share_a_name() -> None:
    names = [name for option in TABLE for name in option.names] + [o.short for o in TABLE if o.short]
    assert len(names) == len(set(names))


def test_every_option_sets_a_field_that_exists() -> None:
    fields = set(Options.__dataclass_fields__)
    odd = {option.sets for option in TABLE if option.sets} - fields
    assert odd == {"viewer asked", "viewer unwanted", "viewer refused", "restart refused"}


MANUAL = [
    *("help", "version", "map", "nomap", "robot", "robot-factory", "port", "stageworld", "fullscreen-gui"),
    *("maximize-gui", "minimize-gui", "noninteractive", "lite-graphics", "no-graphics", "no-gui", "html", "cwd"),
    *("log-file", "log-file-max-size", "update-interval", "update-sim-time", "start", "resolution", "ignore-command"),
    *("less-verbose", "verbose", "log-timing-stats", "bind-to-address", "disable-crash-handler", "no-crash-restart"),
    *("srisim-compat", "no-srisim-laser-compat", "warn-unsupported-commands", "lines-chunksize", "points-chunksize"),
    *("no-network-discovery", "odom-error-mode", "no-error", "daemonize", "log-packets-received", "log-movement-sent"),
]


@pytest.mark.parametrize("name", MANUAL)
def test_the_manuals_option_is_known(name: str) -> None:
    assert KNOWN.recognise("--" + name) is not None


@pytest.mark.parametrize("short", list("hvmrRpWl"))
def test_the_manuals_letter_is_known(short: str) -> None:
    assert KNOWN.recognise("-" + short) is not None


def test_robots_keep_the_order_of_the_command_line() -> None:
    options = parse(["-r", "p3dx:zoe", "-R", "amigo", "-r", "seekur", "--nomap"])
    assert options.robots == (
        RobotRequest("p3dx", "zoe"),
        RobotRequest("amigo", "", RobotKind.FACTORY),
        RobotRequest("seekur", "seekur"),
    )


def test_without_a_robot_it_is_a_p3dx() -> None:
    assert parse(["--nomap"]).robots == (RobotRequest("p3dx", "p3dx"),)


def test_a_stage_world_brings_its_own_robots() -> None:
    assert parse(["-W", "simple.world"]).robots == ()


def test_robots_of_the_same_name_get_names_of_their_own() -> None:
    options = parse(["-r", "p3dx", "-r", "p3dx", "-r", "amigo:p3dx", "-r", "custom.p"])
    assert [robot.name for robot in options.robots] == ["p3dx", "p3dx_002", "p3dx_003", "custom"]


def test_a_line_belongs_to_the_robot_before_it() -> None:
    options = parse(["-r", "amigo:a", "-r", "p3dx:b", "--serial", "/dev/ttyUSB0:57600", "--pty", "/run/robot", "--nomap"])
    assert options.robots == (
        RobotRequest("amigo", "a"),
        RobotRequest("p3dx", "b", RobotKind.SERIAL, "/dev/ttyUSB0", 57600),
        RobotRequest("p3dx", "p3dx", RobotKind.PTY, "/run/robot"),
    )


@pytest.mark.parametrize(
    ("text", "device", "baud"),
    [
        ("/dev/ttyS0", "/dev/ttyS0", 9600),
        ("/dev/ttyS0:115200", "/dev/ttyS0", 115200),
        ("socket://localhost:4000", "socket://localhost:4000", 9600),
        ("rfc2217://host:2217", "rfc2217://host:2217", 9600),
    ],
)
def test_a_serial_device_has_a_speed_unless_it_is_a_url(text: str, device: str, baud: int) -> None:
    (robot,) = parse(["--serial", text]).robots
    assert (robot.device, robot.baud) == (device, baud)


def test_a_pty_needs_no_link() -> None:
    options = parse(["-r", "p3dx", "--pty", "office.map"])
    assert (options.robots[0].kind, options.robots[0].device, options.map) == (RobotKind.PTY, "", "office.map")


def test_a_start_may_be_negative() -> None:
    assert parse(["--start", "-1000,2000,90"]).start == "-1000,2000,90"


@pytest.mark.parametrize("place", ["outside", "random", "0,0,0", "1.5,-2e3,359"])
def test_a_start_place(place: str) -> None:
    assert parse(["--start", place]).start == place


@pytest.mark.parametrize("place", ["here", "1,2", "1,2,3,4", "1,2,x", "nan,0,0", ""])
def test_a_start_that_is_none(place: str) -> None:
    assert "--start wants x,y,th" in complaint("--start", place)


def test_a_map_without_a_name_is_no_map() -> None:
    options = parse(["-map", ""])
    assert (options.map, options.nomap) == (None, True)


def test_no_map_is_ignored_if_a_map_is_given() -> None:
    assert parse(["-nomap", "-m", "a.map"]).nomap is False


def test_the_last_word_goes_before_an_earlier_map() -> None:
    assert parse(["-m", "a.map", "b.map"]).map == "b.map"


def test_a_word_in_the_middle_is_a_mistake() -> None:
    assert '"office.map"' in complaint("office.map", "-r", "p3dx")


def test_options_are_never_abbreviated() -> None:
    assert 'There is no option "-n"' in complaint("-n")
    assert 'There is no option "--verb". Did you mean --verbose?' in complaint("--verb")


@pytest.mark.parametrize(("wrong", "right"), [("--mpa", "--map"), ("-robt", "--robot"), ("--no-guy", "--no-gui")])
def test_a_wrong_option_is_told_the_nearest(wrong: str, right: str) -> None:
    assert f"Did you mean {right}?" in complaint(wrong, "x")


def test_a_letter_with_a_word_stuck_to_it_is_a_mistake() -> None:
    assert "Did you mean --map?" in complaint("-mapp", "x")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port"], "--port needs a value"),
        (["--map", "--robot", "p3dx"], 'the option "--robot" follows it'),
        (["--port", "many"], '--port wants a whole number, not "many".'),
        (["--port", "65536"], "--port wants a number from 0 to 65535"),
        (["--update-interval", "-5"], "--update-interval wants a number from 1"),
        (["--odom-error-mode", "constand"], "Did you mean constant?"),
        (["--engine", "gpu"], "--engine wants one of auto, compiled, numpy"),
        (["--speed", "0"], "--speed wants a number above 0, or max"),
        (["--speed", "nan"], "--speed wants a number above 0, or max"),
        (["--nomap=yes"], "--nomap takes no value"),
        (["--ignore-command", "256"], "--ignore-command wants a number from 0 to 255"),
        (["-r", ":name"], "--robot wants a model"),
        (["--serial", "/dev/ttyS0:7"], "--serial wants DEVICE[:BAUD]"),
        (["---map", "x"], 'There is no option "---map"'),
    ],
)
def test_a_mistake_is_told_in_a_sentence(words: list[str], said: str) -> None:
    assert said in complaint(*words)


def test_speed_may_be_max() -> None:
    assert parse(["--speed", "max"]).speed == float("inf")


def test_simulated_time_follows_the_interval_unless_given() -> None:
    assert parse(["--update-interval", "50"]).update_sim_time == 50
    assert parse(["--update-interval", "50", "--update-sim-time", "200"]).update_sim_time == 200


def test_commands_to_ignore_add_up() -> None:
    assert parse(["--ignore-command", "224", "--ignore-command", "62"]).ignore_commands == {62, 224}


@pytest.mark.parametrize(
    ("words", "seconds"),
    [([], 0.0), (["--log-timing-stats"], 30.0), (["--log-timing-stats", "5"], 5.0), (["--log-timing-stats", "-v"], 0)],
)
def test_timing_statistics_every_so_often(words: list[str], seconds: float) -> None:
    assert parse(words).log_timing_stats == seconds


def test_an_option_with_an_optional_number_leaves_the_map_alone() -> None:
    options = parse(["--log-timing-stats", "3rooms.map"])
    assert (options.log_timing_stats, options.map) == (30.0, "3rooms.map")


def test_no_noise_means_no_odometry_error_either() -> None:
    assert parse(["--no-noise"]).odom_error_mode == "none"
    assert parse(["--no-error"]).odom_error_mode == "none"


@pytest.mark.parametrize("word", ["--noninteractive", "--no-gui", "--daemonize"])
def test_unattended_logs_are_limited(word: str) -> None:
    options = parse([word, "--nomap"], interactive=True)
    assert (options.log_file_max_size, options.interactive, options.noninteractive) == (5 * 1024 * 1024, False, True)


def test_attended_logs_are_not_limited() -> None:
    assert parse([], interactive=True).log_file_max_size == 0


def test_unattended_it_wants_a_map() -> None:
    assert "No map given in noninteractive mode" in complaint("--noninteractive")


def test_unattended_the_users_default_map_will_do(home_without_a_map: Path) -> None:
    (home_without_a_map / ".MobileSim").mkdir()
    (home_without_a_map / ".MobileSim" / "init.map").write_text("2D-Map\n")
    assert parse(["--noninteractive"]).map is None


def test_with_nothing_at_all_it_says_how_to_choose() -> None:
    options = parse([], interactive=True)
    assert options.nothing_chosen
    assert any("--map FILE" in note for note in options.notes)
    assert any("--robot MODEL" in note for note in options.notes)


def test_an_option_without_effect_says_so_once() -> None:
    options = parse(["--lines-chunksize", "5", "--lines-chunksize", "6", "--nomap", "-r", "p3dx"])
    assert len(options.notes) == 1
    assert options.notes[0].startswith("--lines-chunksize has no effect")


@pytest.mark.parametrize(
    ("words", "interactive", "viewer"),
    [
        ([], True, True),
        ([], False, False),
        (["--web"], False, True),
        (["--web-port", "8090"], False, True),
        (["--no-graphics"], True, False),
        (["--no-graphics", "--web-port", "8090"], True, True),
        (["--no-gui", "--nomap"], True, False),
        (["--web-bind", "0.0.0.0", "--no-web"], True, False),
    ],
)
def test_the_viewer_runs_when_somebody_looks_or_asks(words: list[str], interactive: bool, viewer: bool) -> None:
    assert parse(words, interactive).web is viewer


def test_help_goes_before_what_follows_it() -> None:
    assert parse(["--help", "--nonsense"]).help


@pytest.mark.parametrize(
    ("words", "restarts"),
    [
        (["--nomap"], False),
        (["--nomap", "--no-gui"], False),
        (["--nomap", "--noninteractive"], True),
        (["--nomap", "--daemonize", "--no-gui"], True),
        (["--nomap", "--no-crash-restart", "--noninteractive"], False),
        (["--nomap", "--noninteractive", "--disable-crash-handler"], False),
    ],
)
def test_it_restarts_after_a_crash_when_it_runs_unattended(words: list[str], restarts: bool) -> None:
    assert parse(words).crash_restart is restarts


WORDS = st.one_of(
    st.sampled_from([spelling for option in TABLE for spelling in ("--" + option.names[0], "-" + option.short)]),
    st.sampled_from(["p3dx", "a.map", "1", "-5", "max", "1,2,3", "", "-", "--", "-p8105", "--map=x", "p3dx:a", "0.5"]),
    st.text(max_size=8),
)


@given(st.lists(WORDS, max_size=8), st.booleans())
def test_any_words_are_options_or_a_usage_error(words: list[str], interactive: bool) -> None:
    try:
        options = parse(words, interactive)
    except UsageError:
        return
    assert options.help or options.version or options.robots or options.stageworld
    names = [robot.name for robot in options.robots if robot.kind is not RobotKind.FACTORY]
    assert len(names) == len(set(names))
    assert 1 <= options.port <= 65535


@given(st.lists(WORDS, max_size=5))
def test_parsing_leaves_the_words_alone(words: list[str]) -> None:
    before = list(words)
    with contextlib.suppress(UsageError):
        parse(words)
    assert words == before


def test_nothing_heavy_is_imported_to_parse() -> None:
    heavy = ("asyncio", "numpy", "argparse", "rich", "socket", "ctypes", "logging")
    code = f"import sys, mobilesim_py.app.command_line; print([name for name in {heavy!r} if name in sys.modules])"
    root = Path(__file__).parents[2]
    out = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_what_is_allowed_by_name_is_not_denied() -> None:
    options = parse(["--nomap", "--deny", "all", "--allow", "maps,log", "--allow", "pose"])
    assert options.denied == {Permission.EXIT, Permission.ABORT}
    assert parse(["--nomap"]).denied == frozenset()


def test_folders_of_maps_add_up() -> None:
    assert parse(["--nomap", "--map-dir", "a", "--map-dir", "b"]).map_dirs == ("a", "b")


def test_a_group_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="some of exit,abort,maps,pose,log,all"):
        parse(["--nomap", "--deny", "exits"])


@pytest.mark.parametrize(
    ("words", "ros1", "rosbridge"),
    [
        ([], None, None),
        (["--ros1"], "", None),
        (["--ros1", "http://robot:11311"], "http://robot:11311", None),
        (["--ros1", "11411", "--rosbridge"], "11411", 9090),
        (["--rosbridge", "9191"], None, 9191),
        (["--ros1", "hall.map"], "", None),
    ],
)
def test_ros_takes_a_master_or_a_port_and_leaves_the_map_alone(
    words: list[str], ros1: str | None, rosbridge: int | None
) -> None:
    options = parse(words, interactive=False)
    assert (options.ros1, options.rosbridge) == (ros1, rosbridge)
    assert options.map == ("hall.map" if "hall.map" in words else None)


def test_a_master_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="--ros1 wants a URI such as http://robot:11311, or a port"):
        parse(["--ros1=robot"], interactive=False)
