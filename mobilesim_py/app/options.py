"""What the command line can say: the frozen `Options`, and the one table of options that everything else reads.

Parsing (`cli.py`), `--help`, docs/options.md and shell completion (`option_docs.py`, `completion.py`) all come from
`TABLE`, so an option cannot be accepted without being documented.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mobilesim_py.app.option_values import Reader, anything, decimal, one_of, speed, start_place, whole, word

DEFAULT_PORT = 8101
DEFAULT_MODEL = "p3dx"
DEFAULT_WEB_PORT = 8080
UNATTENDED_LOG_SIZE = 5 * 1024 * 1024


class RobotKind(Enum):
    """Where a robot's client comes in."""

    PORT = "port"
    FACTORY = "factory"
    SERIAL = "serial"
    PTY = "pty"


@dataclass(frozen=True, slots=True)
class RobotRequest:
    """One robot, or one factory of robots, as asked for; requests keep the order of the command line."""

    model: str
    name: str
    """Unique; empty for a factory, whose robots are named after their clients."""
    kind: RobotKind = RobotKind.PORT
    device: str = ""
    """SERIAL: the device or url. PTY: the link to make, or empty."""
    baud: int = 9600


@dataclass(frozen=True, slots=True)
class Options:
    """The whole command line, checked, with defaults filled in."""

    help: bool = False
    version: bool = False
    map: str | None = None
    """The map as given; None: the default map (unless `nomap` or `stageworld`)."""
    nomap: bool = False
    stageworld: str | None = None
    robots: tuple[RobotRequest, ...] = (RobotRequest(DEFAULT_MODEL, DEFAULT_MODEL),)
    port: int = DEFAULT_PORT
    bind_to_address: str = ""
    """Empty: all addresses."""
    start: str | None = None
    """`x,y,th` (mm, degrees), `outside`, `random`; None: the map's home."""
    cwd: str | None = None
    network_discovery: bool = True

    interactive: bool = False
    """Somebody sits at a terminal and did not say --noninteractive."""
    noninteractive: bool = False
    daemonize: bool = False
    crash_handler: bool = True
    crash_restart: bool = False
    """Start again after a crash: with --noninteractive or --daemonize, unless refused."""
    restarted_after_crash: bool = False

    update_interval: int = 100
    """Real time of one step [ms]."""
    update_sim_time: int = 100
    """Simulated time of one step [ms]."""
    speed: float = 1.0
    """Simulated seconds per real second; infinite for `max`."""
    lockstep: bool = False
    lockstep_timeout: float = 1.0
    """Longest wait for a silent client [s]."""
    resolution: float = 20.0
    """Size of a map point [mm]."""
    engine: str = "auto"
    seed: int | None = None
    noise: bool = True
    odom_error_mode: str | None = None
    """Overrides the models' own; None leaves it to them."""

    ignore_commands: frozenset[int] = frozenset()
    srisim_compat: bool = False
    srisim_laser_compat: bool = True
    watchdog_stop: bool = False
    warn_unsupported_commands: bool = False

    log_file: str | None = None
    log_file_max_size: int = 0
    """Bytes after which the log rotates; 0: never."""
    html: bool = False
    verbose: bool = False
    less_verbose: bool = False
    log_timing_stats: float = 0.0
    """Seconds between timing reports; 0: none."""
    log_packets_received: bool = False
    log_movement_sent: bool = False

    dashboard: bool = False
    web: bool = False
    """Whether the viewer runs: at a terminal by default, elsewhere when it was asked for."""
    web_port: int = DEFAULT_WEB_PORT
    web_port_given: bool = False
    """The port was asked for, so that it being taken is an error and not a line in the log."""
    web_bind: str = "127.0.0.1"
    record_movie: str | None = None
    movie_interval: int = 100
    """Simulated time between two frames [ms]."""

    nothing_chosen: bool = False
    """Neither map nor robot nor worldfile was given: the viewer may ask for them."""
    notes: tuple[str, ...] = ()
    """Sentences to log once at the start: options without effect here, and how to choose what was not chosen."""


class Group(Enum):
    """The headings of `--help`."""

    WORLD = "World and robots"
    CLIENTS = "Where clients connect"
    TIME = "Time and fidelity"
    PROTOCOL = "Protocol"
    LOG = "Log"
    VIEW = "Looking at it"
    PROCESS = "Process"
    ACCEPTED = "Accepted for compatibility, without effect here"


@dataclass(frozen=True, slots=True)
class Option:
    """One row of the table."""

    names: tuple[str, ...]
    """Long spellings without dashes; the first is the one that the documents use."""
    sets: str
    """The field of `Options`; for ROBOTS the kind of request it adds."""
    group: Group
    text: str
    short: str = ""
    value: str = ""
    """What the help calls the value; empty for a plain switch, in brackets when it may be left out."""
    read: Reader | None = None
    constant: object = True
    """What a switch, or an option without its optional value, stores."""
    also: tuple[tuple[str, object], ...] = ()
    """Other fields that it sets."""
    repeatable: bool = False
    hidden: bool = False
    choices: tuple[str, ...] = ()

    @property
    def spelling(self) -> str:
        """How messages and documents call it."""
        return "--" + self.names[0]

    @property
    def takes_value(self) -> bool:
        """Whether the next word must be its value."""
        return bool(self.value) and not self.value.startswith("[")

    @property
    def may_take_value(self) -> bool:
        """Whether the next word may be its value."""
        return bool(self.value)


ODOMETRY_MODES = ("random_init", "random_each_update", "constant", "none")
ENGINES = ("auto", "compiled", "numpy")
ROBOTS = "robots"
"""Marks the options that add to `Options.robots`; the first name of the option says which kind."""
VIEWER_ASKED, VIEWER_UNWANTED, VIEWER_REFUSED = "viewer asked", "viewer unwanted", "viewer refused"
RESTART_ASKED, RESTART_REFUSED = "restart asked", "restart refused"
"""What `Options.web` and `Options.crash_restart` are decided from; no fields themselves."""


def _ignored(*names: str, value: str = "", read: Reader | None = None, hidden: bool = False, text: str) -> Option:
    return Option(names, "", Group.ACCEPTED, text, value=value, read=read, hidden=hidden)


_W, _C, _T, _P, _L, _V, _X = (
    Group.WORLD,
    Group.CLIENTS,
    Group.TIME,
    Group.PROTOCOL,
    Group.LOG,
    Group.VIEW,
    Group.PROCESS,
)

TABLE: tuple[Option, ...] = (
    Option(
        ("map",),
        "map",
        _W,
        "Load this map file. A last word that is no option is the map, too.",
        short="m",
        value="FILE",
        read=anything,
    ),
    Option(("nomap",), "nomap", _W, "Start in an empty world of 200 x 200 m. Ignored if a map is also given."),
    Option(
        ("robot",),
        ROBOTS,
        _W,
        "Create a robot of this model (`mobilesim models` lists them; an ARIA .p file is a model, too), "
        "on the next TCP port. Repeat it for more robots.",
        short="r",
        value="MODEL[:NAME]",
        read=word,
        repeatable=True,
    ),
    Option(
        ("robot-factory",),
        ROBOTS,
        _W,
        "Accept any number of clients on the next TCP port, and create a robot of this model for each, "
        "which is gone when its client goes.",
        short="R",
        value="MODEL",
        read=word,
        repeatable=True,
    ),
    Option(
        ("stageworld",),
        "stageworld",
        _W,
        "Use this Stage worldfile instead of a map and of our models.",
        short="W",
        value="FILE",
        read=word,
    ),
    Option(
        ("start",),
        "start",
        _W,
        "Start robots at x,y,th (mm, degrees) even if the map has a home, or 2 m outside the map, or at random "
        "places in it.",
        value="X,Y,TH|outside|random",
        read=start_place,
        choices=("outside", "random"),
    ),
    Option(
        ("cwd", "cd"),
        "cwd",
        _W,
        "Change to this directory first; clients' map names are relative to it.",
        value="DIR",
        read=word,
    ),
    Option(
        ("resolution",),
        "resolution",
        _W,
        "Size of a point of the map (default 20 mm).",
        value="MM",
        read=decimal(0.0, exclusive=True),
    ),
    Option(
        ("port",),
        "port",
        _C,
        "First TCP port (default 8101); further robots take the ports after it.",
        short="p",
        value="PORT",
        read=whole(1, 65535),
    ),
    Option(
        ("bind-to-address",),
        "bind_to_address",
        _C,
        "Listen on this address only (default: on all).",
        value="ADDRESS",
        read=word,
    ),
    Option(
        ("serial",),
        ROBOTS,
        _C,
        "Put the robot of the --robot before it (else a p3dx) on this serial line instead of a TCP port; "
        "rfc2217:// and socket:// urls work, too.",
        value="DEVICE[:BAUD]",
        read=word,
        repeatable=True,
    ),
    Option(
        ("pty",),
        ROBOTS,
        _C,
        "Put the robot of the --robot before it (else a p3dx) on a pseudo-terminal, whose path is printed and "
        "linked to LINK if given.",
        value="[LINK]",
        read=word,
        repeatable=True,
    ),
    Option(
        ("no-network-discovery",),
        "network_discovery",
        _C,
        "Do not answer discovery requests on UDP port 30718.",
        constant=False,
    ),
    Option(
        ("update-interval",),
        "update_interval",
        _T,
        "Real time of one simulation step (default 100 ms).",
        value="MS",
        read=whole(1, 60_000),
    ),
    Option(
        ("update-sim-time",),
        "update_sim_time",
        _T,
        "Simulated time of one step (default: the same as --update-interval).",
        value="MS",
        read=whole(1, 60_000),
    ),
    Option(
        ("speed",),
        "speed",
        _T,
        "Simulated seconds per real second; max is as fast as it goes.",
        value="N|max",
        read=speed,
        choices=("max",),
    ),
    Option(
        ("lockstep",),
        "lockstep",
        _T,
        "Advance one step only when every connected client has sent something since its last SIP.",
    ),
    Option(
        ("lockstep-timeout",),
        "lockstep_timeout",
        _T,
        "With --lockstep: go on without a client that was silent for so long (default 1 s; 0 waits for ever).",
        value="SEC",
        read=decimal(0.0),
    ),
    Option(
        ("engine",),
        "engine",
        _T,
        "What computes sensors: auto, compiled or numpy.",
        value="ENGINE",
        read=one_of(*ENGINES),
        choices=ENGINES,
    ),
    Option(
        ("seed",), "seed", _T, "Seed of all noise: the same seed and commands give the same run.", value="N", read=whole(0)
    ),
    Option(("no-noise",), "noise", _T, "No sensor noise and no odometry error.", constant=False),
    Option(
        ("odom-error-mode",),
        "odom_error_mode",
        _T,
        "Odometry error of all models: " + ", ".join(ODOMETRY_MODES) + ".",
        value="MODE",
        read=one_of(*ODOMETRY_MODES),
        choices=ODOMETRY_MODES,
    ),
    Option(("no-error",), "odom_error_mode", _T, "The same as --odom-error-mode none.", constant="none"),
    Option(
        ("ignore-command",),
        "ignore_commands",
        _P,
        "Ignore this command of clients. May be repeated.",
        value="NUM",
        read=whole(0, 255),
        repeatable=True,
    ),
    Option(
        ("warn-unsupported-commands",),
        "warn_unsupported_commands",
        _P,
        "Warn of ignored, unsupported commands again and again, not once in each session.",
    ),
    Option(
        ("watchdog-stop",),
        "watchdog_stop",
        _P,
        "Stop a robot whose client is silent for longer than the watchdog allows, as real robots do.",
    ),
    Option(("srisim-compat",), "srisim_compat", _P, "Accept SRISim's commands 62, 66, 67, 68 and 69."),
    Option(
        ("no-srisim-laser-compat", "disable-srisim-laser-compat"),
        "srisim_laser_compat",
        _P,
        "Do not accept SRISim's laser commands 35 to 38.",
        constant=False,
    ),
    Option(
        ("log-file",),
        "log_file",
        _L,
        "Log to this file instead of the console; older ones become FILE-1 to FILE-5.",
        short="l",
        value="FILE",
        read=word,
    ),
    Option(
        ("log-file-max-size",),
        "log_file_max_size",
        _L,
        "Start a new log file after so many bytes, keeping five old ones (default with --noninteractive: "
        "5242880; otherwise, and with 0: no limit).",
        value="BYTES",
        read=whole(0),
    ),
    Option(("html",), "html", _L, "Log in HTML."),
    Option(("verbose",), "verbose", _L, "Log more, also what happens often."),
    Option(("less-verbose",), "less_verbose", _L, "Log less of what happens often."),
    Option(
        ("log-timing-stats",),
        "log_timing_stats",
        _L,
        "Log step times, real-time factor and packets per client every 30 (or SEC) seconds.",
        value="[SEC]",
        read=decimal(0.0, exclusive=True),
        constant=30.0,
    ),
    Option(("log-packets-received",), "log_packets_received", _L, "Log every packet that clients send."),
    Option(("log-movement-sent",), "log_movement_sent", _L, "Log position and velocity of every SIP."),
    Option(
        ("web-port",),
        "web_port",
        _V,
        f"Port of the viewer in the browser (default {DEFAULT_WEB_PORT}).",
        value="PORT",
        read=whole(0, 65535),
        also=(("web_port_given", True), (VIEWER_ASKED, True)),
    ),
    Option(
        ("web-bind",),
        "web_bind",
        _V,
        "Address on which the viewer listens (default 127.0.0.1).",
        value="ADDRESS",
        read=word,
        also=((VIEWER_ASKED, True),),
    ),
    Option(("web",), VIEWER_ASKED, _V, "Run the viewer also when nobody sits at a terminal."),
    Option(("no-web",), VIEWER_REFUSED, _V, "No viewer."),
    Option(
        ("no-graphics", "nographics", "disable-graphics"),
        VIEWER_UNWANTED,
        _V,
        "No viewer, unless --web-port or --web-bind asks for it.",
    ),
    Option(("dashboard",), "dashboard", _V, "Show robots, clients and the log as a live table in the terminal."),
    Option(("record-movie",), "record_movie", _V, "Record the simulation to this file as a movie.", value="FILE", read=word),
    Option(
        ("movie-interval",),
        "movie_interval",
        _V,
        "Simulated time between two pictures (default 100 ms).",
        value="MS",
        read=whole(1, 3_600_000),
    ),
    Option(("help",), "help", _X, "Show this help and exit.", short="h"),
    Option(("version",), "version", _X, "Show name and version and exit.", short="v"),
    Option(
        ("noninteractive", "non-interactive"),
        "noninteractive",
        _X,
        "Ask nothing, start again after a crash, and limit the size of the log.",
        also=((RESTART_ASKED, True),),
    ),
    Option(
        ("no-gui", "nogui", "disable-gui"),
        "noninteractive",
        _X,
        "No viewer; ask nothing, and limit the size of the log, as with --noninteractive.",
    ),
    Option(
        ("daemonize",),
        "daemonize",
        _X,
        "Run in the background. Implies --noninteractive.",
        also=(("noninteractive", True), (RESTART_ASKED, True)),
    ),
    Option(("no-crash-restart", "disable-crash-restart"), RESTART_REFUSED, _X, "Do not start again after a crash."),
    Option(
        ("disable-crash-handler", "no-crash-handler"),
        "crash_handler",
        _X,
        "Log nothing on a crash and do not start again.",
        constant=False,
        also=((RESTART_REFUSED, True),),
    ),
    Option(
        ("no-crash-debug", "disable-crash-debug"),
        "crash_handler",
        _X,
        "Log nothing on a crash.",
        constant=False,
        hidden=True,
    ),
    Option(("restarting-after-crash",), "restarted_after_crash", _X, "Set when started again after a crash.", hidden=True),
    _ignored(
        "fullscreen-gui", "fullscreen", text="There is no window to fill the screen with; the viewer is in the browser."
    ),
    _ignored("maximize-gui", "maximize", text="There is no window to maximize; the viewer is in the browser."),
    _ignored("minimize-gui", "minimize", text="There is no window to minimize; the viewer is in the browser."),
    _ignored("lite-graphics", "litegraphics", text="The viewer draws in the browser and costs the simulation nothing."),
    _ignored("lines-chunksize", value="N", read=whole(0), text="Maps are loaded beside the simulation, in one piece."),
    _ignored("points-chunksize", value="N", read=whole(1), text="Maps are loaded beside the simulation, in one piece."),
    _ignored("echo-stage-worldfile", hidden=True, text="No worldfile is made to be echoed."),
    _ignored("no-menu", hidden=True, text="There is no window with a menu."),
    _ignored("no-messages", hidden=True, text="There is no window with messages."),
)
