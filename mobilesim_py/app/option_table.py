"""The one table of the simulator's options, which parsing, --help, docs/options.md and shell completion read.

An option cannot be accepted without being documented.
"""

from __future__ import annotations

from enum import Enum

from mobilesim_py.app.fault_words import wire_fault
from mobilesim_py.app.option_values import (
    Reader,
    anything,
    aux,
    decimal,
    file_of_kind,
    laser_server,
    master,
    naio_route,
    one_of,
    pair,
    several_of,
    shares,
    speed,
    start_place,
    whole,
    word,
)
from mobilesim_py.app.options import DEFAULT_WEB_PORT
from mobilesim_py.app.reality_words import patch, reality_wish
from mobilesim_py.app.words import Option
from mobilesim_py.services.permissions import EVERYTHING, MEANINGS, Permission

ODOMETRY_MODES = ("random_init", "random_each_update", "constant", "none")
NAIO_DIALECTS = ("simulatoz", "manual")
SLAMS = ("seen", "known")
ROS_NAMES = ("default", "stage", "rosaria", "p2os", "trimbot")
ROS_TIMES = ("auto", "sim", "wall")
ENGINES = ("auto", "compiled", "numpy")
DENIED, ALLOWED, MAP_DIRS = "denied", "allowed", "map_dirs"
"""Options that may be repeated, and add up."""
ROBOTS = "robots"
"""Marks the options that add to `Options.robots`; the first name of the option says which kind."""
VIEWER_ASKED, VIEWER_UNWANTED, VIEWER_REFUSED = "viewer asked", "viewer unwanted", "viewer refused"
RESTART_ASKED, RESTART_REFUSED = "restart asked", "restart refused"
"""What `Options.web` and `Options.crash_restart` are decided from; no fields themselves."""


class Group(Enum):
    """The headings of `--help`."""

    WORLD = "World and robots"
    CLIENTS = "Where clients connect"
    TIME = "Time and fidelity"
    PROTOCOL = "Protocol"
    DEVICES = "Devices"
    NAIO = "Oz"
    GARDEN = "TrimBot"
    ROS = "ROS"
    NAVIGATION = "Navigation"
    LOG = "Log"
    VIEW = "Looking at it"
    PROCESS = "Process"
    ACCEPTED = "Accepted for compatibility, without effect here"


def _ignored(*names: str, value: str = "", read: Reader | None = None, hidden: bool = False, text: str) -> Option:
    return Option(names, "", text, value=value, read=read, hidden=hidden)


ROWS: dict[Group, tuple[Option, ...]] = {
    Group.WORLD: (
        Option(
            ("map",),
            "map",
            "Load this map file. A last word that is no option is the map, too.",
            short="m",
            value="FILE",
            read=anything,
        ),
        Option(("nomap",), "nomap", "Start in an empty world without an edge. Ignored if a map is also given."),
        Option(
            ("robot",),
            ROBOTS,
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
            "Use this Stage worldfile instead of a map and of our models.",
            short="W",
            value="FILE",
            read=word,
        ),
        Option(
            ("start",),
            "start",
            "Start robots at x,y,th (mm, degrees) even if the map has a home, or 2 m outside the map, or at random "
            "places in it.",
            value="X,Y,TH|outside|random",
            read=start_place,
            choices=("outside", "random"),
        ),
        Option(
            ("cwd", "cd"),
            "cwd",
            "Change to this directory first; clients' map names are relative to it.",
            value="DIR",
            read=word,
        ),
        Option(
            ("resolution",),
            "resolution",
            "Size of a point of the map (default 20 mm).",
            value="MM",
            read=decimal(0.0, exclusive=True),
        ),
    ),
    Group.CLIENTS: (
        Option(
            ("port",),
            "port",
            "First TCP port (default 8101); further robots take the ports after it. With 0 the system chooses a free port "
            "for each, and the log says which.",
            short="p",
            value="PORT",
            read=whole(0, 65535),
            also=(("port_given", True),),
        ),
        Option(
            ("bind-to-address",),
            "bind_to_address",
            "Listen on this address only (default: on all).",
            value="ADDRESS",
            read=word,
        ),
        Option(
            ("serial",),
            ROBOTS,
            "Put the robot of the --robot before it (else a p3dx) on this serial line instead of a TCP port; "
            "rfc2217:// and socket:// urls work, too.",
            value="DEVICE[:BAUD]",
            read=word,
            repeatable=True,
        ),
        Option(
            ("pty",),
            ROBOTS,
            "Put the robot of the --robot before it (else a p3dx) on a pseudo-terminal, whose path is printed and "
            "linked to LINK if given.",
            value="[LINK]",
            read=word,
            repeatable=True,
        ),
        Option(
            ("max-robots",),
            "max_robots",
            "Let the clients of factories have at most so many robots, all together (default 250).",
            value="N",
            read=whole(1),
        ),
        Option(
            ("idle-limit",),
            "idle_limit",
            "Disconnect a client that has sent nothing for so long (default 0: never).",
            value="SEC",
            read=decimal(0.0),
        ),
        Option(
            ("no-network-discovery",),
            "network_discovery",
            "Do not answer discovery requests on UDP port 30718.",
            constant=False,
        ),
    ),
    Group.TIME: (
        Option(
            ("update-interval",),
            "update_interval",
            "Real time of one simulation step (default 100 ms).",
            value="MS",
            read=whole(1, 60_000),
        ),
        Option(
            ("update-sim-time",),
            "update_sim_time",
            "Simulated time of one step (default: the same as --update-interval).",
            value="MS",
            read=whole(1, 60_000),
        ),
        Option(
            ("speed",),
            "speed",
            "Simulated seconds per real second; max is as fast as it goes.",
            value="N|max",
            read=speed,
            choices=("max",),
        ),
        Option(
            ("lockstep",),
            "lockstep",
            "Advance one step only when every connected client has sent something since its last SIP.",
        ),
        Option(
            ("lockstep-timeout",),
            "lockstep_timeout",
            "With --lockstep: go on without a client that was silent for so long (default 1 s; 0 waits for ever).",
            value="SEC",
            read=decimal(0.0),
        ),
        Option(
            ("slow-client-timeout",),
            "slow_client_timeout",
            "With --speed max and --lockstep: go on without a client that has not read, or not spoken, for so long, until "
            "it does (default 10 s; 0 waits for ever).",
            value="SEC",
            read=decimal(0.0),
        ),
        Option(
            ("engine",),
            "engine",
            "What computes sensors: auto, compiled or numpy.",
            value="ENGINE",
            read=one_of(*ENGINES),
            choices=ENGINES,
        ),
        Option(
            ("seed",),
            "seed",
            "Seed of all noise: the same seed and commands give the same run.",
            value="N",
            read=whole(0, 2**64 - 1),
        ),
        Option(("no-noise",), "noise", "No sensor noise and no odometry error.", constant=False),
        Option(
            ("odom-error-mode",),
            "odom_error_mode",
            "Odometry error of all models: " + ", ".join(ODOMETRY_MODES) + ".",
            value="MODE",
            read=one_of(*ODOMETRY_MODES),
            choices=ODOMETRY_MODES,
        ),
        Option(
            ("reality",),
            "reality",
            "How hard reality strikes: 0 (default: nothing but the sensors' noise) to 1 for everything, or single switches "
            "such as slip=0.2,gps_offset=1 (see docs/oz.md); ROBOT:SHARE and so on for one robot alone. May be repeated.",
            value="SHARE|NAME=SIZE",
            read=reality_wish,
            repeatable=True,
        ),
        Option(
            ("patch",),
            "patches",
            "Bad ground for all robots, a rectangle of the map at the start: X1,Y1,X2,Y2:NAME=SIZE,..., in metres and with "
            "names of --reality, such as 2,-1,6,1:slip=0.5,mud=0.1. May be repeated.",
            value="RECTANGLE:NAME=SIZE",
            read=patch,
            repeatable=True,
        ),
        Option(
            ("fault",),
            "faults",
            "Let the wire fail: drop, duplicate, corrupt, split, delay, freeze or close, with ,p=CHANCE ,from=SEC ,for=SEC "
            ",delay=SEC ,way=in|out, such as drop,p=0.1,from=5,for=10; ROBOT:KIND... for one robot alone. May be repeated.",
            value="KIND,NAME=VALUE",
            read=wire_fault,
            repeatable=True,
        ),
        Option(("no-error",), "odom_error_mode", "The same as --odom-error-mode none.", constant="none"),
    ),
    Group.PROTOCOL: (
        Option(
            ("ignore-command",),
            "ignore_commands",
            "Ignore this command of clients. May be repeated.",
            value="NUM",
            read=whole(0, 255),
            repeatable=True,
        ),
        Option(
            ("deny",),
            DENIED,
            "Do not let clients: " + "; ".join(f"{group} ({text})" for group, text in MEANINGS.items()) + "; all. "
            "Several are separated by commas.",
            value="GROUPS",
            read=several_of(*Permission, EVERYTHING),
            choices=(*Permission, EVERYTHING),
            repeatable=True,
        ),
        Option(
            ("allow",),
            ALLOWED,
            "Let clients do this, whatever --deny says: the same groups. Everything is allowed by default.",
            value="GROUPS",
            read=several_of(*Permission, EVERYTHING),
            choices=(*Permission, EVERYTHING),
            repeatable=True,
        ),
        Option(
            ("map-dir",),
            MAP_DIRS,
            "Let clients load maps from this folder only, and those below it (default: the directory of the start, the "
            "shipped maps, $MOBILESIM and the folder of --map). May be repeated.",
            value="DIR",
            read=word,
            repeatable=True,
        ),
        Option(
            ("warn-unsupported-commands",),
            "warn_unsupported_commands",
            "Warn of ignored, unsupported commands again and again, not once in each session.",
        ),
        Option(
            ("watchdog-stop",),
            "watchdog_stop",
            "Stop a robot whose client is silent for longer than the watchdog allows, as real robots do.",
        ),
        Option(("srisim-compat",), "srisim_compat", "Accept SRISim's commands 62, 66, 67, 68 and 69."),
        Option(
            ("no-srisim-laser-compat", "disable-srisim-laser-compat"),
            "srisim_laser_compat",
            "Do not accept SRISim's laser commands 35 to 38.",
            constant=False,
        ),
    ),
    Group.DEVICES: (
        *(
            Option(
                (f"aux{number}",),
                "aux",
                f"What hangs on the serial port AUX{number} of a robot, or of all: a camera (vcc4, sony), a pan-tilt "
                "unit (dpptu, amptu), a GPS receiver (gps), a plug that sends back what comes (loop), a program that "
                "listens at tcp:HOST:PORT or opens a pseudo-terminal (pty or pty:LINK), or none. "
                f"Default {'vcc4' if number == 1 else 'none'}. May be repeated.",
                value="DEVICE|ROBOT=DEVICE",
                read=aux(number),
                repeatable=True,
            )
            for number in (1, 2, 3)
        ),
        Option(
            ("gps-port",),
            "gps_port",
            "Say where the first robot is as a GPS receiver does (NMEA sentences, 5 a second) at this TCP port of "
            "127.0.0.1 or of --bind-to-address, of the next robots at the next ones. With 0 the system chooses.",
            value="PORT",
            read=whole(0, 65535),
        ),
        Option(
            ("laser-server",),
            "laser_servers",
            "Speak the protocol of a real laser at this TCP port of 127.0.0.1 or of --bind-to-address, with what laser "
            "INDEX (1 is the first) of the first robot that has so many would see, or ROBOT:INDEX=PROTOCOL:PORT of a "
            "certain one: lms1xx, lms5xx and tim speak CoLa-A as those of SICK do, urg and utm SCIP 2.0 as those of Hokuyo "
            "do, lms2xx its telegrams. With port 0 the system chooses. May be repeated; see docs/lasers.md.",
            value="INDEX=PROTOCOL:PORT",
            read=laser_server,
            repeatable=True,
        ),
        Option(
            ("battery-drain",),
            "battery_drain",
            "Let full batteries be empty after so many simulated hours (default 0: never); robots charge at docks.",
            value="HOURS",
            read=decimal(0.0),
        ),
    ),
    Group.NAIO: (
        Option(
            ("naio-port",),
            "naio_port",
            "Main port of the first Oz (default 5559, or --port where there are only Oz robots); its image port is 2 lower, "
            "the ports of the next Oz are 10 higher. With 0 the system chooses.",
            value="PORT",
            read=whole(0, 65535),
        ),
        Option(
            ("naio-dialect",),
            "naio_dialect",
            "What an Oz sends: simulatoz as real clients decode it (default), or manual, to the letter of the manuals.",
            value="DIALECT",
            read=one_of(*NAIO_DIALECTS),
            choices=NAIO_DIALECTS,
        ),
        Option(
            ("naio-idle",),
            "naio_idle",
            "Hang up on an Oz's client that has sent nothing for so long (default 1 s; 0 never).",
            value="SEC",
            read=decimal(0.0),
        ),
        Option(("naio-keep",), "naio_keep", "Leave an Oz and its field as they are when the next client connects."),
        Option(
            ("naio-sockets",),
            "naio_sockets",
            "Give each feature of an Oz a port of its own, from 5601 on, instead of one main port.",
        ),
        Option(
            ("naio-route",),
            "naio_routes",
            "Connect to another program and pass its packets on in place of an Oz's own. May be repeated.",
            value="FEATURE=HOST:PORT",
            read=naio_route,
            repeatable=True,
        ),
    ),
    Group.GARDEN: (
        Option(
            ("slam",),
            "slam",
            "What a garden robot knows of the garden: what it has seen (default), or all of it from the start. See "
            "docs/trimbot.md.",
            value="seen|known",
            read=one_of(*SLAMS),
            choices=SLAMS,
        ),
        Option(
            ("slam-noise",),
            "slam_noise",
            "Standard deviations of its localisation: place in metres, heading in degrees (default none).",
            value="M,DEG",
            read=pair,
        ),
        Option(
            ("slam-delay",),
            "slam_delay",
            "Age of what its localisation tells (default 0 s).",
            value="SEC",
            read=decimal(0.0),
        ),
        Option(
            ("slam-outage",),
            "slam_outage",
            "Let its localisation fail every so many seconds, for so many (default never).",
            value="EVERY,FOR",
            read=pair,
        ),
        Option(
            ("encoder-slip",),
            "encoder_slip",
            "Shares of the way that its left and right wheel encoders count too much, such as 0.02,-0.01 (default none).",
            value="LEFT,RIGHT",
            read=shares,
        ),
        Option(
            ("trim-time",), "trim_time", "How long it trims an object (default 0 s).", value="SEC", read=decimal(0.0, 3600.0)
        ),
    ),
    Group.ROS: (
        Option(
            ("ros1",),
            "ros1",
            "Be a ROS 1 node, without ROS being installed: at the master with this URI, or with a master of our own on this "
            "port (default 11311).",
            value="[URI|PORT]",
            read=master,
            constant="",
        ),
        Option(
            ("rosbridge",),
            "rosbridge",
            "Serve rosbridge on this port (default 9090). Below the viewer's port it is at /rosbridge in any case.",
            value="[PORT]",
            read=whole(0, 65535),
            constant=9090,
        ),
        Option(
            ("rosbridge-origin",),
            "rosbridge_origin",
            "Let pages from here use rosbridge, too, such as https://app.foxglove.dev.",
            value="URL",
            read=word,
        ),
        Option(
            ("ros2",),
            "ros2",
            "Be a node of ROS 2, where rclpy can be imported (`source /opt/ros/jazzy/setup.bash` first).",
        ),
        Option(
            ("foxglove",),
            "foxglove",
            "Serve Foxglove on this port (default 8765); needs `pip install 'mobilesim-py[foxglove]'`.",
            value="[PORT]",
            read=whole(0, 65535),
            constant=8765,
        ),
        Option(
            ("mcap",),
            "mcap",
            "Record all topics but pictures in this file, which Foxglove opens; needs `pip install "
            "'mobilesim-py[foxglove]'`.",
            value="FILE",
            read=word,
        ),
        Option(
            ("ros-bind",),
            "ros_bind",
            "Address on which ROS listens (default 127.0.0.1). ROS 1 has no passwords: whoever reaches it drives.",
            value="ADDRESS",
            read=word,
        ),
        Option(
            ("ros-names",),
            "ros_names",
            "Whose names topics have: " + ", ".join(ROS_NAMES) + ".",
            value="SET",
            read=one_of(*ROS_NAMES),
            choices=ROS_NAMES,
        ),
        Option(
            ("ros-time",),
            "ros_time",
            "Stamps are of simulated time with /clock (sim), of the wall clock (wall), or simulated with --speed or "
            "--lockstep and else of the wall clock (auto).",
            value="TIME",
            read=one_of(*ROS_TIMES),
            choices=ROS_TIMES,
        ),
        Option(
            ("ros-version",),
            "ros_version",
            "Whose spelling of types and times rosbridge uses (default 1).",
            value="1|2",
            read=whole(1, 2),
            choices=("1", "2"),
        ),
    ),
    Group.NAVIGATION: (
        Option(
            ("navigate",),
            "navigate",
            "Let robots be sent to goals: by a click on the page, by the HTTP API, by ROS. They find their way around "
            "walls and each other. See docs/navigation.md.",
        ),
        Option(
            ("goal-slack",),
            "goal_slack",
            "How far from a goal without room a robot may stop instead (default 1 m).",
            value="M",
            read=decimal(0.0, 100.0),
        ),
        Option(
            ("clearance",),
            "clearance",
            "How far robots on their way to goals keep from obstacles (default 0.05 m).",
            value="M",
            read=decimal(0.0, 10.0),
        ),
        Option(
            ("navigate-speed",),
            "navigate_speed",
            "How fast robots drive to goals at most (default 0.4 m/s).",
            value="M/S",
            read=decimal(0.05, 10.0),
        ),
    ),
    Group.LOG: (
        Option(
            ("log-file",),
            "log_file",
            "Log to this file instead of the console; older ones become FILE-1 to FILE-5.",
            short="l",
            value="FILE",
            read=word,
        ),
        Option(
            ("log-file-max-size",),
            "log_file_max_size",
            "Start a new log file before this one exceeds so many bytes; all log files together stay under five times "
            "as much (default with --noninteractive: 5242880; otherwise, and with 0: no limit).",
            value="BYTES",
            read=whole(0),
        ),
        Option(("html",), "html", "Log in HTML."),
        Option(("verbose",), "verbose", "Log more, also what happens often."),
        Option(("less-verbose",), "less_verbose", "Log less of what happens often."),
        Option(
            ("log-timing-stats",),
            "log_timing_stats",
            "Log step times, real-time factor and packets per client every 30 (or SEC) seconds.",
            value="[SEC]",
            read=decimal(0.0, exclusive=True),
            constant=30.0,
        ),
        Option(("log-packets-received",), "log_packets_received", "Log every packet that clients send."),
        Option(("log-movement-sent",), "log_movement_sent", "Log position and velocity of every SIP."),
    ),
    Group.VIEW: (
        Option(
            ("web-port",),
            "web_port",
            f"Port of the viewer in the browser (default {DEFAULT_WEB_PORT}).",
            value="PORT",
            read=whole(0, 65535),
            also=(("web_port_given", True), (VIEWER_ASKED, True)),
        ),
        Option(
            ("web-bind",),
            "web_bind",
            "Address on which the viewer listens (default 127.0.0.1).",
            value="ADDRESS",
            read=word,
            also=((VIEWER_ASKED, True),),
        ),
        Option(("web",), VIEWER_ASKED, "Run the viewer also when nobody sits at a terminal."),
        Option(("no-web",), VIEWER_REFUSED, "No viewer."),
        Option(
            ("no-graphics", "nographics", "disable-graphics"),
            VIEWER_UNWANTED,
            "No viewer, unless --web-port or --web-bind asks for it.",
        ),
        Option(("dashboard",), "dashboard", "Show robots, clients and the log as a live table in the terminal."),
        Option(("record-movie",), "record_movie", "Record the simulation to this file as a movie.", value="FILE", read=word),
        Option(
            ("movie-interval",),
            "movie_interval",
            "Simulated time between two pictures (default 100 ms).",
            value="MS",
            read=whole(1, 3_600_000),
        ),
        Option(
            ("record",),
            "record",
            "Record packets, true poses, odometry, scans, map and log to this file, for Foxglove and `mobilesim rerun`.",
            value="FILE.mcap",
            read=file_of_kind(".mcap"),
        ),
        Option(
            ("record-interval",),
            "record_interval",
            "Simulated time between two records of poses and scans (default 100 ms); packets are always recorded.",
            value="MS",
            read=whole(1, 3_600_000),
        ),
        Option(
            ("record-max-size",),
            "record_max_size",
            "Go on in another file (FILE-2.mcap, ...) when one is so large (default 1024 MB).",
            value="MB",
            read=whole(1, 1_000_000),
        ),
    ),
    Group.PROCESS: (
        Option(("help",), "help", "Show this help and exit.", short="h"),
        Option(("version",), "version", "Show name and version and exit.", short="v"),
        Option(
            ("noninteractive", "non-interactive"),
            "noninteractive",
            "Ask nothing, start again after a crash, and limit the size of the log.",
            also=((RESTART_ASKED, True),),
        ),
        Option(
            ("no-gui", "nogui", "disable-gui"),
            "noninteractive",
            "No viewer; ask nothing, and limit the size of the log, as with --noninteractive.",
        ),
        Option(
            ("daemonize",),
            "daemonize",
            "Run in the background. Implies --noninteractive.",
            also=(("noninteractive", True), (RESTART_ASKED, True)),
        ),
        Option(("no-crash-restart", "disable-crash-restart"), RESTART_REFUSED, "Do not start again after a crash."),
        Option(
            ("disable-crash-handler", "no-crash-handler"),
            "crash_handler",
            "Just abort on a crash (SIGABRT, or the fatal signal): log nothing and do not start again.",
            constant=False,
            also=((RESTART_REFUSED, True),),
        ),
        Option(
            ("no-crash-debug", "disable-crash-debug"),
            "crash_handler",
            "Log nothing on a crash.",
            constant=False,
            hidden=True,
        ),
        Option(("restarting-after-crash",), "restarted_after_crash", "Set when started again after a crash.", hidden=True),
    ),
    Group.ACCEPTED: (
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
    ),
}
"""The options under their headings; those that are accepted without effect set nothing."""
TABLE: tuple[Option, ...] = tuple(option for rows in ROWS.values() for option in rows)
