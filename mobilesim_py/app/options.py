"""What the command line asked for: `Options`, frozen and checked, with the defaults of all options."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from mobilesim_py.app.reality_words import PatchWish, RealityWish
from mobilesim_py.net.faults import WireFault
from mobilesim_py.services.permissions import Permission

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
    port_given: bool = False
    """The port was asked for."""
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
    step_given: bool = False
    """One of the two was asked for, so that the step is not chosen from the robots that are there."""
    speed: float = 1.0
    """Simulated seconds per real second; infinite for `max`."""
    lockstep: bool = False
    lockstep_timeout: float = 1.0
    """Longest wait for a silent client [s]."""
    slow_client_timeout: float = 10.0
    """How long time waits for one client that does not read or speak, with --speed max or --lockstep [s]; 0: for ever."""
    resolution: float = 20.0
    """Size of a map point [mm]."""
    engine: str = "auto"
    seed: int | None = None
    noise: bool = True
    odom_error_mode: str | None = None
    """Overrides the models' own; None leaves it to them."""

    reality: tuple[RealityWish, ...] = ()
    patches: tuple[PatchWish, ...] = ()
    """What disturbs robots, in the order of the command line."""
    faults: tuple[WireFault, ...] = ()
    """What goes wrong on the wire."""

    naio_port: int | None = None
    """Main port of the first Oz; None: 5559, or as --port says."""
    naio_dialect: str = "simulatoz"
    naio_idle: float = 1.0
    """After how many seconds without a packet an Oz's client is hung up on; 0: never."""
    naio_keep: bool = False
    """Leave an Oz and its field as they are when the next client comes."""
    naio_sockets: bool = False
    """Each feature of an Oz has a port of its own."""
    naio_routes: tuple[tuple[str, str, int], ...] = ()
    """Features of an Oz whose packets come from other programs: feature, host, port."""

    slam: str = "seen"
    """Whether the grid of a garden robot is what it has seen, or known from the start."""
    slam_noise: tuple[float, float] = (0.0, 0.0)
    """Standard deviations of its fixes: place [m] and heading [degrees]."""
    slam_delay: float = 0.0
    """Age of its fixes [s]."""
    slam_outage: tuple[float, float] = (0.0, 0.0)
    """How often [s] and for how long [s] it has none."""
    encoder_slip: tuple[float, float] = (0.0, 0.0)
    """Shares of the way that its left and right encoders count too much."""
    trim_time: float = 0.0
    """How long trimming takes [s]."""

    ignore_commands: frozenset[int] = frozenset()
    denied: frozenset[Permission] = frozenset()
    """What clients must not do."""
    allowed: frozenset[Permission] = frozenset()
    """What they were allowed by name, so that nobody needs a warning of it."""
    map_dirs: tuple[str, ...] = ()
    """Folders from which clients may load maps; empty: the usual ones."""
    max_robots: int = 250
    """How many robots the clients of factories may have, all together."""
    idle_limit: float = 0.0
    """Seconds of silence after which a client is disconnected; 0: never."""
    srisim_compat: bool = False
    srisim_laser_compat: bool = True
    watchdog_stop: bool = False
    aux: tuple[tuple[str, int, str], ...] = ()
    """What hangs on the serial ports of robots: robot (all, if empty), number of the port, what it is."""
    laser_servers: tuple[tuple[str, int, str, int], ...] = ()
    """Lasers of robots at ports of their own: robot (the first with so many, if empty), number, protocol, port."""
    gps_port: int | None = None
    """The first robot's port for clients of its GPS receiver; None: there is none."""
    battery_drain: float = 0.0
    """In how many hours a full battery is empty; 0: never."""
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
    record: Path | None = None
    """The MCAP file to record to."""
    record_interval: int = 100
    """Simulated time between two records of poses and scans [ms]."""
    record_max_size: int = 1024
    """How large a file of a recording may become [MB]."""

    ros1: str | None = None
    """The URI of a ROS 1 master, the port of our own, or empty for our own on its usual port; None: no ROS 1."""
    rosbridge: int | None = None
    """The port of rosbridge; None: only below the viewer's, if there is one."""
    rosbridge_origin: str = ""
    """A page elsewhere that may use rosbridge, such as https://app.foxglove.dev."""
    ros2: bool = False
    """Whether there is a node of ROS 2."""
    foxglove: int | None = None
    """The port for Foxglove; None: no Foxglove."""
    mcap: str | None = None
    """The file in which everything that ROS would tell is recorded."""
    ros_bind: str = "127.0.0.1"
    ros_names: str = "default"
    ros_time: str = "auto"
    ros_version: int = 1
    """Whose spelling rosbridge uses: that of ROS 1 or 2."""

    navigate: bool = False
    """Whether robots can be sent to goals."""
    goal_slack: float = 1.0
    """How far from a goal without room robots may stop instead [m]."""
    clearance: float = 0.05
    """How far robots on their way to goals keep from obstacles [m]."""
    navigate_speed: float = 0.4
    """How fast robots drive to goals at most [m/s]."""

    nothing_chosen: bool = False
    """Neither map nor robot nor worldfile was given: the viewer may ask for them."""
    words: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The command line itself, which recordings keep."""
    notes: tuple[str, ...] = ()
    """Sentences to log once at the start: options without effect here, and how to choose what was not chosen."""
