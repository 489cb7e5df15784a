"""The documentation page of the models, written from the models themselves: `mobilesim models --docs DIRECTORY`."""

from __future__ import annotations

from pathlib import Path

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.drawing import to_svg
from mobilesim_py.catalogue.facts import HEADINGS, table_row
from mobilesim_py.catalogue.model import RobotModel

PAGE = "models.md"
PICTURES = "models"

_HEAD = """# Robot models

Written by `mobilesim models --docs docs` from the files in `models/`; do not edit.

`-r NAME` takes any of these {count}. `mobilesim models` prints the table, `mobilesim models --json` all that is known,
and `mobilesim models show NAME --out NAME.png` draws one. Class and subclass are what a client is told when it
connects; ARIA looks for `SUBCLASS.p` in its parameters. Speeds are the highest forward and turning speed. A laser's
place is given along the robot, from the point about which it turns.

In the pictures the front is to the right; yellow cones are sonar and blue fields are lasers, in the right place and
with the right opening, but shortened.
"""

_OWN = """
## Your own models

Any file in `~/.MobileSim/include/` (except dot files) is read after ours, in the same syntax:

    define mybot p3dx-sh-nolaser (
        color "green"
        max_speed [0.5 0 1.0]           # forward m/s, sideways m/s, turning rad/s
        sicklms200 ( pose [0.1 0 0] )   # metres, metres, degrees
    )

`MobileSim -r mybot` then starts it. It keeps the subclass of its base, so clients load the parameters of a p3dx-sh;
`pioneer_robot_subtype "mybot"` changes that. A definition with the name of one of ours takes its place.

A file there may also place models in every world, as a Stage worldfile does: `p3at ( name "guard" pose [2 1 90] )` is one
more robot, on the next port after those of the command line, and `box ( pose [3 1 0] )` a box. Only `-W` does without
these files.
"""

_PROPERTIES = (
    ("pioneer_robot_type, pioneer_robot_subtype", "class and subclass"),
    (
        "max_speed, accel, decel",
        "`[forward sideways turning]` in metres and radians; an acceleration of 0 is at once",
    ),
    ("drive", '`"diff"` or `"omni"`'),
    (
        "size, origin, polygons, polygon[0].points, polygon[0].point[0]",
        "outline: the points give the form, `size` the extent, `origin` where its centre is",
    ),
    ("odom_error", "greatest share by which odometry is wrong: `[forward sideways turning]`"),
    (
        "pioneer_distconv, pioneer_velconv, pioneer_rangeconv, pioneer_angleconv, pioneer_diffconv, pioneer_vel2div",
        "units of the protocol, as in ARIA's parameters",
    ),
    ("pioneer_batterytype", "0 tells the voltage, 2 the state of charge"),
    ("pioneer_watchdog", "milliseconds without a command before a warning"),
    ("pioneer_gps_pos_x, pioneer_gps_pos_y, pioneer_gps_dop", "place of the antenna [m], dilution of precision"),
    ("pioneer_front_bumpers, pioneer_rear_bumpers", "number of bumpers"),
    ("pioneer_gripper, pioneer_gyro, pioneer_move_command", "what CONFIG tells, and whether it knows MOVE"),
    ("scount, spose[0], sview, noise", "in a `pioneerSonar ( )`: number, places, range and opening, noise"),
    (
        "projection_type, projection_res",
        'there as well: `"single"` looks along the centre ray, `"closest"` along rays so many degrees apart across the cone',
    ),
    (
        "pioneer_hasfrontarray, pioneer_hasreararray, pioneer_max_readings_per_packet",
        "there as well: what CONFIG tells, and how many readings a packet holds",
    ),
    (
        "pose, fov, samples, range_min, range_max, noise, reading_angle_error, reverse_scan",
        "in a `laser ( )` or one of ours: place, field of view, readings, range, noise, upside down",
    ),
    ("laser_return_rules, laser_return_rule[0].model_gt", "there as well: reflectors; see `models/lasers.inc`"),
    ("obstacle_return, laser_return, ranger_return", "whether it stops robots and is seen by lasers and sonar"),
)

_OTHERS = """
`-r custom.p` builds a robot from an ARIA parameter file in the current directory, or in `$ARIA/params`.
`-W file.world` loads a Stage world; what in it is not supported is named in a warning.
"""


def documentation(catalogue: Catalogue) -> dict[str, str]:
    """Write the page and its pictures: file names relative to the documentation's directory, and their text."""
    models = [catalogue.find(name) for name in catalogue.names()]
    pictures: dict[str, str] = {}
    files: dict[str, str] = {}
    for model in models:
        svg = to_svg(model)
        if svg not in pictures:
            pictures[svg] = f"{PICTURES}/{model.name.replace('+', '-plus')}.svg"
            files[pictures[svg]] = svg
    lines = [_HEAD.format(count=len(models))]
    lines += ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    lines += ["| " + " | ".join(_cells(model)) + " |" for model in models]
    lines += ["", "## Pictures", ""]
    for svg, file in pictures.items():
        names = [model.name for model in models if to_svg(model) == svg]
        lines += [f"**{', '.join(names)}**", "", f"![{names[0]}]({file})", ""]
    lines += [_OWN.strip("\n"), "", "| property | meaning |", "|---|---|"]
    lines += [f"| {', '.join(f'`{word}`' for word in names.split(', '))} | {text} |" for names, text in _PROPERTIES]
    files[PAGE] = "\n".join(lines) + "\n" + _OTHERS
    return files


def _cells(model: RobotModel) -> list[str]:
    name, *others = table_row(model)
    return [f"`{name}`", *others]


def write_documentation(catalogue: Catalogue, directory: Path) -> list[Path]:
    """Write the page and its pictures into a directory, and remove pictures of models that no longer exist."""
    files = documentation(catalogue)
    written: list[Path] = []
    (directory / PICTURES).mkdir(parents=True, exist_ok=True)
    for old in (directory / PICTURES).glob("*.svg"):
        if f"{PICTURES}/{old.name}" not in files:
            old.unlink()
    for name, text in files.items():
        path = directory / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
