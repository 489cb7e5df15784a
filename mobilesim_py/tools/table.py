"""The tools beside the simulator and their words: the one table that parsing, help, documents and completion read.

`mobilesim TOOL ...` runs `main(argv)` of the tool's module. This module is read at every start, so it imports nothing heavy.
"""

from __future__ import annotations

from dataclasses import dataclass

from mobilesim_py.app.option_values import Reader, decimal, file, file_of_kind, one_of, place, several_of, speed, whole, word
from mobilesim_py.app.options import DEFAULT_PORT, DEFAULT_WEB_PORT
from mobilesim_py.app.words import Argument, Option
from mobilesim_py.view.pictures.sizes import MAP_PICTURE, SNAPSHOT

HELP = Option(("help",), "help", "Show this help and exit.", short="h")
LAYERS = ("laser", "sonar", "labels")
"""What a snapshot can show beside the world and its robots."""
SHELLS = ("bash", "zsh", "fish")
_PORT = whole(1, 65535)
_PICTURE = file_of_kind(".png", ".svg")


@dataclass(frozen=True, slots=True)
class Verb:
    """One thing that a tool does, and the words it takes."""

    name: str
    """The word after the tool; empty for the only verb of a tool."""
    about: str
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    takes_world: bool = False
    """It also takes the options of the simulator, which say what world to build."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its module and what it can do."""

    name: str
    about: str
    verbs: tuple[Verb, ...]
    default: str = ""
    """The verb that is meant when none is named."""
    reads_resources: bool = False
    """It reads models or maps, and so tells when $MOBILESIM is wrong."""
    notes: str = ""
    """The end of its help: examples, and what else to know."""

    @property
    def module(self) -> str:
        """The module that runs it."""
        return f"mobilesim_py.tools.{self.name}"


def command_of(tool: Tool, verb: Verb) -> str:
    """Return how a verb is called, such as `mobilesim map info`."""
    return " ".join(filter(None, ("mobilesim", tool.name, verb.name if verb.name != tool.default else "")))


def line_of(tool: Tool, verb: Verb) -> str:
    """Return how a verb is called with its arguments, such as `mobilesim map check FILE ...`."""
    words = (argument.shown for argument in verb.arguments)
    return " ".join([command_of(tool, verb), *words])


def _json(text: str) -> Option:
    return Option(("json",), "json", text)


def _size(limits: tuple[int, int, int]) -> Option:
    default, smallest, largest = limits
    text = f"Longer side, {smallest} to {largest} pixels (default {default})."
    return Option(("size",), "size", text, value="PIXELS", read=whole(smallest, largest), default=default)


def _field_number(name: str, value: str, text: str, read: Reader) -> Option:
    return Option((name,), name, text, value=value, read=read)


def _field_choice(name: str, value: str, choices: tuple[str, ...], text: str) -> Option:
    about = f"{text}: {', '.join(choices)}."
    return Option((name,), name, about, value=value, read=one_of(*choices), choices=choices)


_MODELS = Tool(
    "models",
    "list and draw robot models",
    (
        Verb(
            "list",
            "List the robot models that -r takes.",
            options=(
                _json("Print all facts as JSON."),
                Option(("docs",), "docs", "Write the documentation page and its pictures.", value="DIR", read=file),
            ),
        ),
        Verb(
            "show",
            "Tell about one model, and draw it with --out.",
            (Argument("MODEL", "model", "A model, or an ARIA parameter file NAME.p."),),
            (
                _json("Print its facts as JSON."),
                Option(("out",), "out", "Draw it to this file, .svg or .png.", value="FILE", read=_PICTURE),
            ),
        ),
    ),
    default="list",
    reads_resources=True,
    notes="Your own models go into ~/.MobileSim/include/; MOBILESIM names another resource directory.",
)

_MAP_FILE = Argument("FILE", "file", "A map file, or the name of a shipped map.")
_MAP = Tool(
    "map",
    "inspect, draw and convert maps",
    (
        Verb("list", "List the maps here, in $MOBILESIM and among the shipped ones.", (), (_json("As JSON."),)),
        Verb("info", "Say what is in a map.", (_MAP_FILE,), (_json("As JSON, in the map's units (mm, degrees)."),)),
        Verb(
            "check",
            "Read maps as strictly as ARIA does; exit code 0 or 253.",
            (Argument("FILE", "files", "Map files, or names of shipped maps.", many=True),),
            (
                Option(("strict",), "strict", "Let skipped lines and other problems fail the check, too."),
                _json("Problems as JSON."),
            ),
        ),
        Verb(
            "render",
            "Draw a map.",
            (_MAP_FILE, Argument("OUT", "out", "The picture, .png or .svg.", _PICTURE)),
            (_size(MAP_PICTURE),),
        ),
        Verb(
            "convert",
            "Convert from and to .map, .yaml, .world, pictures, .svg, .dxf; from .wld, .field, .garden, too.",
            (
                Argument("IN", "source", "The file to read, or the name of a shipped map."),
                Argument("OUT", "target", "The file to write.", file),
            ),
            (
                Option(
                    ("resolution",),
                    "resolution",
                    "Metres per pixel, or per unit of a drawing.",
                    value="M",
                    read=decimal(0.0, exclusive=True),
                ),
                Option(
                    ("origin",),
                    "origin",
                    "Lower left corner of a picture in metres (default 0,0).",
                    value="X,Y",
                    read=place,
                    default=(0.0, 0.0),
                ),
                Option(
                    ("threshold",),
                    "threshold",
                    "How dark a wall is, 0 to 1 (default 0.5).",
                    value="SHARE",
                    read=decimal(0.0, 1.0),
                    default=0.5,
                ),
                Option(("drop-specks",), "drop_specks", "Leave out spots of up to three pixels."),
                Option(
                    ("add-to",),
                    "add_to",
                    "Add the lines and points to those of this map, which keeps the rest of what it has.",
                    value="FILE",
                    read=word,
                ),
            ),
        ),
    ),
    reads_resources=True,
    notes="""\
Examples:
  mobilesim map list
  mobilesim map info office.map
  mobilesim map check mymap.map                       (for CI)
  mobilesim map render mymap.map mymap.png
  mobilesim map convert floor.png floor.map --resolution 0.05
  mobilesim map convert ros_map.yaml building.map
  mobilesim map convert building.map ros_map.yaml
  mobilesim map convert simple.wld both.map --add-to office.map
  mobilesim map convert sketch.xml mine.garden        (and back: gardens have two forms)""",
)

_SNAPSHOT = Tool(
    "snapshot",
    "save a picture of a running simulator or of a world",
    (
        Verb(
            "",
            "Save a picture of a running simulator, or of a world that is built for it. No browser is needed.",
            (Argument("OUT", "out", "The picture, .png or .svg.", _PICTURE),),
            (
                Option(
                    ("port",),
                    "port",
                    f"A robot's port of the running simulator (default {DEFAULT_PORT}).",
                    short="p",
                    value="PORT",
                    read=_PORT,
                ),
                Option(
                    ("web-port",),
                    "web_port",
                    "The port of its viewer, if it is not found by itself.",
                    value="PORT",
                    read=_PORT,
                ),
                Option(
                    ("host",), "host", "Where it runs (default 127.0.0.1).", value="HOST", read=word, default="127.0.0.1"
                ),
                Option(
                    ("token",), "token", "The token of its viewer, if it needs one.", value="TEXT", read=word, default=""
                ),
                _size(SNAPSHOT),
                Option(
                    ("show",),
                    "show",
                    "Some of laser,sonar,labels (default laser,labels).",
                    value="LAYERS",
                    read=several_of(*LAYERS),
                    default=("laser", "labels"),
                ),
                Option(
                    ("after",),
                    "after",
                    "Of a world: after so much simulated time.",
                    value="SEC",
                    read=decimal(0.0),
                    default=0.0,
                ),
            ),
            takes_world=True,
        ),
    ),
    notes="""\
All options of the simulator that say what is simulated (-m, -r, -W, --start, --seed ...) work, too.

Examples:
  mobilesim snapshot now.png                              (of the simulator whose robot is on port 8101)
  mobilesim snapshot now.svg --port 8105
  mobilesim snapshot office.png -m office.map -r p3dx -r p3at --show laser,sonar,labels
  mobilesim snapshot later.png -m office.map -r p3dx --after 5""",
)

_WAIT = Tool(
    "wait",
    "wait until a robot answers on its port",
    (
        Verb(
            "",
            "Wait until a robot answers; exit code 0 when it does, 1 when none does in time.",
            options=(
                Option(
                    ("port",),
                    "port",
                    f"The robot's TCP port (default {DEFAULT_PORT}).",
                    short="p",
                    value="PORT",
                    read=_PORT,
                    default=DEFAULT_PORT,
                ),
                Option(
                    ("host",), "host", "Where it runs (default 127.0.0.1).", value="HOST", read=word, default="127.0.0.1"
                ),
                Option(
                    ("timeout",), "timeout", "How long to wait (default 5 s).", value="SEC", read=decimal(0.0), default=5.0
                ),
            ),
        ),
    ),
)

_DOCTOR = Tool(
    "doctor",
    "show versions, engine, places and ports",
    (
        Verb(
            "",
            "Show versions, the engine in use, places of files and which ports are free.",
            options=(_json("Print it as JSON."),),
        ),
    ),
)

_COMPLETION = Tool(
    "completion",
    "print completion for your shell",
    (
        Verb(
            "",
            "Print the script that completes words in a shell.",
            (Argument("|".join(SHELLS), "shell", "The shell.", one_of(*SHELLS), choices=SHELLS),),
        ),
    ),
    notes="For example: source <(mobilesim completion bash)",
)

_WARM = Tool(
    "warm",
    "compile the engine now, for images, services and CI",
    (
        Verb(
            "",
            "Fill the cache of compiled code, so that every later start has the compiled engine within a second.",
        ),
    ),
    notes="Where there is no Numba, there is nothing to compile: the NumPy engine serves, and the exit code is 0.",
)

_HELP = Tool("help", "list the tools", (Verb("", "List the tools; `mobilesim` alone does the same."),))

_CIBER_PORT = 6000
CIBER_RULES = ("ciberrato", "explorer-2022")


def _file_option(name: str, text: str) -> Option:
    return Option((name,), name.replace("-", "_"), text, value="FILE", read=file)


_CIBER_PLACE = (
    Option(
        ("port",),
        "port",
        f"The UDP port where clients register (default {_CIBER_PORT}).",
        short="p",
        value="PORT",
        read=_PORT,
        default=_CIBER_PORT,
    ),
    Option(
        ("bind-to-address",),
        "host",
        "Listen on this address (default 127.0.0.1). 0.0.0.0 lets agents on other computers in.",
        value="ADDRESS",
        read=word,
        default="127.0.0.1",
    ),
    Option(
        ("speed",), "speed", "Simulated seconds per second, or max (default 1).", value="FACTOR", read=speed, default=1.0
    ),
    Option(("log-file",), "log_file", "Write what happens to this file.", short="l", value="FILE", read=word),
    Option(("verbose",), "verbose", "Say more."),
    Option(("web",), "web", "Run the page also when nobody sits at a terminal."),
    Option(("no-web",), "no_web", "No page."),
    Option(
        ("web-port",),
        "web_port",
        f"The page's TCP port (default {DEFAULT_WEB_PORT}); 0: any.",
        value="PORT",
        read=whole(0, 65535),
    ),
    Option(
        ("web-bind",), "web_bind", "The page's address (default 127.0.0.1).", value="ADDRESS", read=word, default="127.0.0.1"
    ),
    Option(("record-movie",), "record_movie", "Record what is seen to this file as a movie.", value="FILE", read=word),
)
CIBER_ORDERS = ("start", "stop", "reset", "remove", "disqualify", "show")
_CIBER = Tool(
    "ciber",
    "play the CiberRato maze contest",
    (
        Verb(
            "run",
            "Serve a maze to agents and viewers of the CiberRato contest.",
            options=(
                _file_option("lab", "The maze (default: the contest's own)."),
                _file_option("grid", "Where robots start."),
                _file_option("param", "Parameters of the run; it may name lab and grid, and options override it."),
                _file_option("log", "Write a log of the run, for log players."),
                Option(("gps",), "gps", "Switch the GPS on."),
                Option(("beacon",), "beacon", "Switch the beacon sensors on."),
                Option(("compass",), "compass", "Switch the compass on."),
                Option(("showactions",), "showactions", "Let viewers show actions (always on here)."),
                Option(
                    ("showgraph",),
                    "showgraph",
                    "Accepted for compatibility, without effect here.",
                    value="ID",
                    read=whole(0),
                ),
                Option(("scoring",), "scoring", "Scoring mode, 0 to 7 (default 0).", value="N", read=whole(0), default=0),
                Option(
                    ("rules",),
                    "rules",
                    "ciberrato (default, as the contest's program) or explorer-2022 (as the written rules).",
                    value="RULES",
                    read=one_of(*CIBER_RULES),
                    default=CIBER_RULES[0],
                    choices=CIBER_RULES,
                ),
                *_CIBER_PLACE,
                Option(("seed",), "seed", "Draw the noise from this number.", value="N", read=whole(0)),
                Option(("lockstep",), "lockstep", "Play a cycle as soon as every agent has answered."),
                Option(
                    ("lockstep-timeout",),
                    "lockstep_timeout",
                    "Longest wait for a silent agent (default 1 s; 0: for ever).",
                    value="SEC",
                    read=decimal(0.0),
                    default=1.0,
                ),
                Option(
                    ("agent",),
                    "agents",
                    'Start this agent, a command such as "python3 my_agent.py". Repeat it for more. '
                    "{host}, {port}, {pos} and {name} in it are filled in.",
                    value="COMMAND",
                    read=word,
                    repeatable=True,
                ),
                _file_option("agent-output", "Keep what the agents say in this file."),
                Option(("autostart",), "autostart", "Start when all agents are there (at least one robot)."),
                Option(
                    ("noninteractive",),
                    "noninteractive",
                    "Nobody sits here: with --autostart, end when the run is over.",
                ),
                _file_option("results", "Write the scores to this file as JSON when the run is over."),
                Option(("end-with-parent",), "ends_with_parent", "End when whoever started it is gone."),
            ),
        ),
        Verb(
            "contest",
            "Run a contest of teams over legs, and write its report; started again, it goes on where it was.",
            (Argument("FILE", "file", "The contest, a .toml file.", file),),
            (Option(("out",), "out", "Folder of the results (default FILE without its ending).", value="DIR", read=file),),
        ),
        Verb(
            "play",
            "Play the log of a run to viewers, on the page, or into a movie.",
            (Argument("LOG", "file", "The log, written with --log here or by the contest's own program.", file),),
            (
                *_CIBER_PLACE,
                Option(("autostart",), "autostart", "Begin at once, without waiting for a viewer's start."),
                Option(("noninteractive",), "noninteractive", "Nobody sits here: end when the log is over."),
            ),
        ),
        Verb(
            "order",
            "Give an order to the referee of a game or a log that runs with a page, and print how the robots stand.",
            (
                Argument(
                    "ORDER", "order", f"{', '.join(CIBER_ORDERS)}; remove and disqualify with a robot's number.", many=True
                ),
            ),
            (
                Option(
                    ("web-port",),
                    "web_port",
                    f"The port of its page (default {DEFAULT_WEB_PORT}).",
                    value="PORT",
                    read=_PORT,
                    default=DEFAULT_WEB_PORT,
                ),
                Option(
                    ("host",), "host", "Where it runs (default 127.0.0.1).", value="HOST", read=word, default="127.0.0.1"
                ),
                Option(("token",), "token", "The token of its page, if it needs one.", value="TEXT", read=word, default=""),
            ),
        ),
    ),
    default="run",
    notes="""\
The options of the contest's own program work as they are, with one dash or two.

Examples:
  mobilesim ciber --lab lab.xml --grid grid.xml --param param.xml --log run.log
  mobilesim ciber --rules explorer-2022 --gps --agent "python3 my_agent.py" --autostart
  mobilesim ciber --agent "python3 my_agent.py" --autostart --lockstep --noninteractive --results score.json
  mobilesim ciber order disqualify 2
  mobilesim ciber contest cup.toml
  mobilesim ciber play run.log --record-movie run.gif --speed max --autostart --noninteractive""",
)

FIELD_GROUNDS = ("sand", "dirt", "grass", "heightmap")
FIELD_CULTURES = ("leek", "cabbage")
_FIELD = Tool(
    "field",
    "write a field of vegetable rows",
    (
        Verb(
            "",
            "Write a field; `-m FILE` drives in it.",
            (Argument("FILE", "out", "The file to write, .field.", file_of_kind(".field")),),
            (
                _field_choice("ground", "GROUND", FIELD_GROUNDS, "What the ground is"),
                _field_choice("culture", "PLANT", FIELD_CULTURES, "What grows"),
                Option(("mounds",), "mounds", "Let the rows stand on mounds."),
                _field_number("rows", "N", "How many rows (default 4).", whole(1, 2000)),
                _field_number("length", "M", "Length of a row in metres (default 20).", decimal(0.5, 2000.0)),
                _field_number("width", "M", "From row to row in metres (default 0.75).", decimal(0.3, 10.0)),
                _field_number("spacing", "M", "From plant to plant in metres (default 0.2).", decimal(0.05, 10.0)),
                Option(("staggered",), "staggered", "Begin every other row half a spacing later."),
                _field_number("rocks", "LEVEL", "0 none, 1 in the aisles, 2 more and big ones.", whole(0, 2)),
                _field_number(
                    "grass", "LEVEL", "0 none, 1 all over, 2 in the rows, 3 both; 10, 20, 30 twice that.", whole(0, 30)
                ),
                _field_number("holes", "N", "Gaps of a metre in each row (default 0).", whole(0, 100)),
                _field_number("curvature", "PER_M", "How much rows bend, -0.2 to 0.2 per metre.", decimal(-0.2, 0.2)),
                _field_number("deviation", "M", "How far plants stand off their row in metres.", decimal(0.0, 1.0)),
                Option(("springy",), "springy", "Let plants rise again that were driven over."),
                _field_number("seed", "N", "Draw the places from this number (default 0).", whole(0)),
                _field_number("name", "NAME", "What the field is called (default: as the file).", word),
            ),
        ),
    ),
    notes="""\
Examples:
  mobilesim field leeks.field --rows 6 --length 30 --width 0.7
  mobilesim field hard.field --culture cabbage --mounds --curvature 0.05 --holes 3 --rocks 2 --seed 7
  mobilesim map render leeks.field leeks.png""",
)

_ROBOT = Argument(
    "ROBOT",
    "robot",
    f"Where the robot is: HOST:PORT (default localhost:{DEFAULT_PORT}), a serial device, or a url such as rfc2217://HOST:PORT.",
    default=f"localhost:{DEFAULT_PORT}",
)
_BAUD = Option(
    ("baud",),
    "baud",
    "Speed that a line is tried with first (default 9600).",
    value="BAUD",
    read=whole(300, 4_000_000),
    default=9600,
)
_DRIVE = Tool(
    "drive",
    "drive a robot from the terminal",
    (
        Verb(
            "",
            "Drive a robot with the keys, and see what it tells. It may be a real one.",
            (_ROBOT,),
            (
                _BAUD,
                Option(
                    ("hold",),
                    "hold",
                    "Stop when no key was pressed for so long (default 5 s; 0: never).",
                    value="SEC",
                    read=decimal(0.0),
                    default=5.0,
                ),
            ),
        ),
    ),
    notes="""\
Keys: arrows or w a s d (faster, more to the left, ...), space stops, z sets the odometry to zero,
m motors, o sonar, l laser (of a simulated robot), q ends.""",
)
_SNIFF = Tool(
    "sniff",
    "print what a robot and its client say",
    (
        Verb(
            "",
            "Print a conversation decoded: `>` to the robot, `<` from it, `!` what is no packet. Ctrl-C ends it.",
            (_ROBOT,),
            (
                _BAUD,
                Option(
                    ("listen",),
                    "listen",
                    "Listen on this port (0: a free one) for a client, and pass everything on to the robot and back.",
                    value="PORT",
                    read=whole(0, 65535),
                ),
                Option(("brief",), "brief", "Leave out SIPs, laser packets and PULSE, of which there are many."),
                Option(("seconds",), "seconds", "End after so long.", value="SEC", read=decimal(0.0)),
            ),
        ),
    ),
    notes="""\
Examples:
  mobilesim sniff                              # connect, and print what the robot tells
  mobilesim sniff --listen 9101 --brief        # ./myclient -rrtp 9101: what does it say?""",
)

_GARDEN = Tool(
    "garden",
    "register the sketch of a garden",
    (
        Verb(
            "register",
            "Find where a sketch lies in a map that was seen: turn, shift and residual.",
            (
                Argument("SKETCH", "sketch", "The sketch, .garden or .xml."),
                Argument("GRID", "grid", "The map that was seen: a ROS map (.yaml), or any other map."),
            ),
            (
                Option(("out",), "out", "Write the moved sketch to this file, .garden or .xml.", value="FILE", read=file),
                _json("Print it as JSON."),
            ),
        ),
    ),
    reads_resources=True,
    notes="""\
Examples:
  mobilesim garden register sketch.xml slam_map.yaml
  mobilesim garden register sketch.xml slam_map.yaml --out registered.garden""",
)
_RECORDING = file_of_kind(".mcap")
_RERUN = Tool(
    "rerun",
    "run a recording again, and compare its bytes",
    (
        Verb(
            "",
            "Give the clients' recorded bytes to a fresh run, and say where its own first differ (exit code 1).",
            (Argument("FILE", "file", "What --record wrote, with --lockstep.", read=_RECORDING),),
        ),
    ),
    notes="""\
Example:
  MobileSim -m office.map --lockstep --record run.mcap    # let your program drive, then end it
  mobilesim rerun run.mcap""",
)
_DIFF = Tool(
    "diff",
    "compare two recordings",
    (
        Verb(
            "",
            "Say what differs between two recorded runs: packets, true poses, length. The exit code is then 1.",
            (
                Argument("FIRST", "first", "A recording.", read=_RECORDING),
                Argument("SECOND", "second", "Another one.", read=_RECORDING),
            ),
        ),
    ),
)

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        _MODELS,
        _MAP,
        _FIELD,
        _GARDEN,
        _SNAPSHOT,
        _CIBER,
        _DRIVE,
        _SNIFF,
        _RERUN,
        _DIFF,
        _WAIT,
        _DOCTOR,
        _WARM,
        _COMPLETION,
        _HELP,
    )
}
