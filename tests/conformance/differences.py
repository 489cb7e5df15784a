"""THE table of what ours does otherwise than the original, and where that shows in the recordings. All else must agree.

Each row says what the original does, what ours does, and the places where a comparison is let off because of it:
`motion` names stretches of a recording by the commands that begin them, `values` what the SIPs and other packets of a
recording go through, `fields` names fields of packets. Tests see to it that no exception is idle: a stretch or value that
is let off must really differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """One thing that is otherwise on purpose."""

    name: str
    original: str
    ours: str
    motion: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By recording: the stretches that are not compared."""
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By recording: `client.quantity` (see test_conversations.py) that does not go through the recorded values."""
    fields: frozenset[str] = frozenset()
    """`packet.field` that is not compared with the recorded value."""


def _fields(packet: str, *names: str) -> frozenset[str]:
    return frozenset(f"{packet}.{name}" for name in names)


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "robot name",
        "calls itself by its own name in SYNC2, CONFIG and SIMINFO",
        "is called MobileSim",
        fields=frozenset({"sync2.name", "config.name", "siminfo.name", "siminfo.version"}),
    ),
    Difference(
        "reversal",
        "a speed whose sign changes is there at once",
        "ramps through zero",
        {
            "rotate": ("ROTATE -30",),
            "vel_reverse_sign": ("VEL -500", "VEL 500 #2"),
            "vel_reverse_unequal": ("VEL -300", "ROTATE -30", "ROTATE 60 #2"),
            "vel2": ("VEL2 1290", "VEL2 -2314"),
        },
    ),
    Difference(
        "approach",
        "MOVE, HEAD and DHEAD approach by a proportional law that crawls for seconds; negative ones jump and overshoot",
        "a trapezoid at the speed of SETV or SETRV that ends on the spot, the same for both signs",
        {
            "move_1000": ("MOVE 1000", "MOVE -500", "MOVE 300"),
            "move_5000_long": ("MOVE 5000",),
            "move_heading90": ("HEAD 90", "MOVE 1000"),
            "move_negative_from_rest": ("MOVE -500", "DHEAD -90"),
            "head_90": ("HEAD 90", "HEAD 180", "HEAD 270", "HEAD 0", "HEAD -90", "HEAD 359"),
            "dhead": ("DHEAD 90", "DHEAD -45", "DHEAD 180", "DHEAD 10"),
            "setv_seta": (
                "MOVE 1500",
                "SETRA 20, ROTATE 60",  # The original is still on the last 50 mm of its MOVE here.
                "SETRA 100, SETRA -100, SETRV 20, HEAD 120",
            ),
        },
    ),
    Difference(
        "speed limits",
        "SETV and SETRV do not limit VEL and RVEL",
        "they do",
        {"setv_seta": ("SETV 400, SETA -600, VEL 600", "VEL 0")},
    ),
    Difference(
        "turning into walls",
        "rotation is never blocked; a robot can turn its corner into a wall",
        "turning into an obstacle stops too; the stall flag stays while pushing",
        {
            "wall_collision_room_th0_v300": ("ROTATE 20", "ROTATE 0"),
            "wall_collision_room_th0_v900": ("ROTATE 20", "ROTATE 0"),
        },
        fields=frozenset({"sip.stall_and_bumpers"}),
    ),
    Difference(
        "rotational odometry error",
        "is 57 times smaller than documented",
        "is the documented share of the rotation",
        {"odometry_error_constant": ("ROTATE 90",)},
    ),
    Difference(
        "resolution of SIPs",
        "heading in whole degrees, rotation in whole degrees per second",
        "full resolution of the fields",
        fields=_fields("sip", "heading", "rotation_speed", "left_speed", "right_speed"),
    ),
    Difference(
        "moving SIPs",
        "the id is always 0x32",
        "0x33 while the robot moves",
        fields=frozenset({"sip.id"}),
    ),
    Difference(
        "CONFIG tells of the model",
        "the same limits and session defaults for every model, front and rear sonar alike, no bumpers",
        "the model's own",
        fields=_fields(
            "config", "rotation_speed_top", "speed_top", "rotation_acceleration_top", "acceleration_top",
            "rotation_speed_max", "speed_max", "rotation_acceleration", "rotation_deceleration", "acceleration",
            "deceleration", "lateral_speed_top", "lateral_acceleration_top", "lateral_speed_max",
            "lateral_acceleration", "lateral_deceleration", "front_sonar", "rear_sonar", "front_bumpers", "rear_bumpers",
            "gyro_type", "has_gripper",
        ),
    ),
    Difference(
        "have a map",
        "bit 0 of SIMSTAT's flags is never set; a heading may be any number of turns",
        "bit 0 is set when there is a map; headings are -180 to 180",
        fields=_fields("simstat", "flags.have_a_map", "heading.turns"),
    ),
    Difference(
        "error flag",
        "bit 2 of SIMSTAT's flags (odometry error valid) is set also when the error mode is none",
        "the error is not told when there is none",
        fields=_fields("simstat", "flags.error"),
    ),
    Difference(
        "device names",
        "SIMINFO gives the definition's name as a device's type, and an index that is garbage for the first",
        "types are `sonar` and `laser` as the manual says, and the index is right",
        fields=_fields("siminfo", "device.name", "device.type", "device.index"),
    ),
    Difference(
        "start heading",
        "home and --start headings in degrees are taken for radians",
        "degrees are degrees",
        fields=_fields("start", "heading"),
    ),
    Difference(
        "beam angles",
        "reading i is at start + i * FOV / n, always symmetric about straight ahead",
        "at start + i * increment, between start and end as asked",
        values={"laser_fovs_room": ("A.laser",)},
        fields=_fields("laser", "angle"),
    ),
    Difference(
        "exact ranges",
        "ranges end at the border of a 20 mm cell",
        "ranges are exact",
        fields=_fields("laser", "range within 30 mm") | _fields("sip", "sonar within 30 mm"),
    ),
    Difference(
        "digital output",
        "DIGOUT toggles bits that are set already",
        "sets the masked bits",
        values={"reconnect_settings_persist": ("A.digital_out", "B.digital_out")},
    ),
    Difference(
        "sessions start alike",
        "motors are off in later sessions; ramps, laser, outputs and battery leak into the next",
        "every session begins with motors on and everything as new",
        values={
            "reconnect_after_close": ("B0.flags",),
            "reconnect_after_tcp_close": ("B.flags",),
            "reconnect_settings_persist": ("B.flags", "B.battery", "B.battery_voltage", "B.laser"),
            "sync_out_of_order": ("B.flags",),
        },
    ),
    Difference(
        "SIM_RESET",
        "to 0,0,0",
        "to where the robot started, as the manual says",
        fields=_fields("simstat", "pose after SIM_RESET"),
    ),
    Difference(
        "client parameter files",
        "p2d8 counts in whole millimetres, DiffConv of the lx family is 1, amigo-sh-tim3xx has no sonar and peoplebot 24, "
        "patrolbot and mt400 have one laser, lasers are some millimetres off",
        "as the parameter files of the clients have it",
        values={"sonar_peoplebot": ("A.sonar",)},
        fields=_fields("model", "distance factor", "difference factor", "sonar", "second laser", "laser place"),
    ),
    Difference(
        "velocity factor",
        "velocities in the SIP ignore VelConv",
        "use it, as clients do",
        fields=_fields("sip", "velocity factor"),
    ),
    Difference(
        "map changes",
        "SIM_MAP_CHANGED goes to some robots only; a name must be sent one too long; names are case-sensitive",
        "goes to every client; both lengths work; case does not matter",
        values={
            "map_change": ("A.map changes",),
            "map_change_factory": ("A.map changes",),
            "map_change_strlen": ("A.map changes", "A.ids"),
        },
    ),
    Difference(
        "SIM_STAT without argument",
        "does nothing",
        "is SIM_STAT 1",
        fields=_fields("simstat", "without argument"),
    ),
    Difference(
        "handshake",
        "any command in the handshake makes the session live without SYNC2",
        "it is answered, and the handshake goes on",
        values={"sync_other_command": ("A.syncs", "A.ids", "A.ended")},
    ),
    Difference(
        "receiver",
        "length byte 0 ends the simulator; a split packet with more behind it, or FA FA FB, loses packets or wedges",
        "every valid packet is found",
        values={
            "garbage_bytes": ("A.simstats",),
            "burst_unaligned": ("A.simstats", "A.ids"),
            "bad_length_0": ("A.ended", "-.exit"),
        },
    ),
    Difference(
        "order of ports",
        "ports follow the alphabetical order of the robots' names, and equal names make one robot",
        "the order of the command line, and every robot is there",
        values={"multi_robots_name_order": ("A.sonar", "B.sonar", "A.syncs", "B.syncs")},
    ),
    Difference(
        "geodesy",
        "latitude and altitude of a georeferenced map are off by a hundred metres",
        "at the map's origin they are those of OriginLatLongAlt",
        fields=_fields("simstat", "latitude", "longitude", "altitude"),
    ),
    Difference(
        "silent clients",
        "a silent client holds the port for ever, and is hung up on when it speaks at last",
        "may finish its handshake; the port hangs up by itself on who does not",
        values={"no_sync_idle": ("A.syncs", "A.ids", "A.ended")},
    ),
)

BY_NAME = {difference.name: difference for difference in DIFFERENCES}


def changed_stretches(recording: str) -> dict[str, str]:
    """The stretches of a recording that are otherwise on purpose, each with the name of the difference."""
    return {
        stretch: difference.name
        for difference in DIFFERENCES
        for stretch in difference.motion.get(recording, ())
    }


def changed_values(recording: str) -> dict[str, str]:
    """The quantities of a recording that are otherwise on purpose, each with the name of the difference."""
    return {value: difference.name for difference in DIFFERENCES for value in difference.values.get(recording, ())}


def is_let_off(name: str) -> bool:
    """Whether a field (`packet.field`) is otherwise on purpose."""
    return any(name in difference.fields for difference in DIFFERENCES)
