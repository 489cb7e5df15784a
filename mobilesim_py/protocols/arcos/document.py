"""Writes docs/commands.md from the tables: what becomes of every command, and how every packet is laid out.

`python -m mobilesim_py.protocols.arcos.document > docs/commands.md` brings the page up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mobilesim_py.protocols.arcos import config, device_packets, laser, simulator, sip
from mobilesim_py.protocols.arcos.commands import TABLE, CommandSpec, Support
from mobilesim_py.protocols.arcos.layout import TYPE_NAMES, Field
from mobilesim_py.protocols.arcos.packet import MAX_LENGTH, MIN_LENGTH
from mobilesim_py.protocols.arcos.state import STEPS, Phase, Signal

_INTRODUCTION = f"""\
# Commands and packets

This page is generated from the program's own tables (`python -m mobilesim_py.protocols.arcos.document > docs/commands.md`).

Numbers are little-endian, but for the checksum. A packet is

    FA FB  N  id  data ...  checksum (2 bytes, high byte first)

where N, from a client {MIN_LENGTH} to {MAX_LENGTH}, counts the bytes that follow it. The checksum is the sum of the \
big-endian 16-bit words of id and data; an odd last byte is XORed into it. Packets with a wrong length or checksum \
are skipped, and the next packet is found wherever it begins.

How clients send arguments:

| argument | bytes after the command's number |
|---|---|
| none | none |
| int | `3B` low high; a negative one `1B` low high, with its magnitude. A missing high byte is 0 |
| 2 bytes | an int whose high and low byte are two numbers; the negative form of the whole int is understood |
| string | `2B` length text, with or without a NUL |
| int4,int4,int4 | any byte, then three 32-bit integers |
| int, laser byte or none | an int, then perhaps a byte that says which laser |
| int, then more | `2B`, a 16-bit integer, then what the operation asks for (a file name: 16-bit length and text) |
| byte, name, int2 | `2B`, a byte, text with its NUL, perhaps a byte of padding, a 16-bit integer |
| bytes | anything |
"""

_IGNORED = """\
Commands that are *ignored* are accepted and do nothing; each is named in one warning of a session, and again from time \
to time with `--warn-unsupported-commands`. \
`--ignore-command N` makes any other command one of them. Every valid packet, ignored or not, shows the watchdog that \
the client lives.
"""

_SESSION = """\
What a packet does depends on how far the session has come. 0, 1 and 2 without an argument are SYNC0, SYNC1 and SYNC2 \
until the session is open, and PULSE, OPEN and CLOSE then. More than ten packets without a finished handshake end the \
connection. No SIP is sent before OPEN, and nothing but answers to SYNCs before the handshake is done. A SYNC that was \
sent again before it was read (a SYNC of the same or a lower number follows it at once) is not answered: clients take the \
next packet for the answer to their last SYNC. An incomplete packet that is not continued within 0.3 s is skipped, and \
packets that it hid are found.
"""

PACKETS: tuple[tuple[str, str, Sequence[Sequence[Field]]], ...] = (
    (
        "SYNC2 (2)",
        "The answer to SYNC2; the answers to SYNC0 and SYNC1 have no data.",
        (
            (
                Field("name", "s", "MobileSim"),
                Field("robot_class", "s", "class"),
                Field("subclass", "s", "subclass, by which clients find their parameters"),
            ),
        ),
    ),
    (
        f"SIP (0x{sip.SIP_STOPPED:02X} standing, 0x{sip.SIP_MOVING:02X} moving)",
        "Sent every 100 ms of simulated time. The second block is there once for each sonar reading.",
        (sip.HEAD, sip.READING, sip.TAIL),
    ),
    (f"CONFIG (0x{config.CONFIG:02X})", "The answer to CONFIG.", (config.FIELDS,)),
    (
        f"Laser (0x{laser.LASER:02X})",
        "The second block is there once for each reading.",
        (laser.FIELDS, laser.READING),
    ),
    (
        f"Laser, extended (0x{laser.LASER_EXTENDED:02X})",
        "The second block is there once for each reading.",
        (laser.EXTENDED_FIELDS, laser.EXTENDED_READING, laser.EXTENDED_TAIL),
    ),
    (f"SIMSTAT (0x{simulator.SIMSTAT:02X})", "Asked for with SIM_STAT.", (simulator.STAT_FIELDS,)),
    (
        f"SIMINFO (0x{simulator.SIMINFO:02X})",
        "Asked for with SIM_CTRL 6. The second block is there once for each device.",
        (simulator.INFO_FIELDS, simulator.DEVICE_FIELDS),
    ),
    (
        f"Device data (0x{simulator.DEVICE_DATA:02X})",
        "The answer to SIM_DEVICE_DATA. The second block is that of a GPS receiver.",
        (simulator.DATA_FIELDS, simulator.GPS_FIELDS),
    ),
    (f"ENCODERpac (0x{device_packets.ENCODER:02X})", "Asked for with ENCODER.", (device_packets.ENCODER_FIELDS,)),
    (
        f"IOpac (0x{device_packets.IO:02X})",
        "Asked for with IOREQUEST. The second block is there once for each analog input.",
        (device_packets.IO_FIELDS, device_packets.ANALOG_FIELDS),
    ),
    (f"GRIPPERpac (0x{device_packets.GRIPPER:02X})", "Asked for with GRIPPERPACREQUEST.", (device_packets.GRIPPER_FIELDS,)),
    (
        f"BATTERYpac (0x{device_packets.BATTERY:02X})",
        "Asked for with BATTERYINFO. The second block is there once for each battery whose state of charge is known.",
        (device_packets.BATTERY_FIELDS, device_packets.EACH_BATTERY),
    ),
    (
        f"GYROpac (0x{device_packets.GYRO:02X})",
        "Asked for with GYRO; sent before the SIP. The second block is there once for each reading.",
        (device_packets.GYRO_FIELDS, device_packets.GYRO_READING),
    ),
    (
        f"IMUpac (0x{device_packets.IMU:02X})",
        "Asked for with IMUREQUEST. The second block is there once for each reading.",
        (device_packets.IMU_FIELDS, device_packets.IMU_READING),
    ),
    (
        f"JOYSTICKpac (0x{device_packets.JOYSTICK:02X})",
        "Asked for with JOYINFO; sent before the SIP.",
        (device_packets.JOYSTICK_FIELDS,),
    ),
    (f"TCM2pac (0x{device_packets.COMPASS:02X})", "Asked for with TCM2.", (device_packets.COMPASS_FIELDS,)),
    (
        "SERAUXpac ({})".format(", ".join(f"0x{number:02X}" for number in device_packets.AUX.values())),
        "Bytes from the serial ports AUX1, AUX2 and AUX3, asked for with GETAUX, GETAUX2 and GETAUX3.",
        (device_packets.AUX_FIELDS,),
    ),
    (f"PLAYLISTpac (0x{device_packets.PLAYLIST:02X})", "Asked for with PLAYLIST.", (device_packets.SOUND_FIELDS,)),
    (f"ARMINFOpac (0x{device_packets.ARM_INFO:02X})", "The answer to ARM_INFO.", (device_packets.ARM_INFO_FIELDS,)),
    (
        f"SIM_MAP_CHANGED (0x{simulator.MAP_CHANGED:02X})",
        "Sent to every client when a map that was asked for is loaded.",
        (simulator.MAP_FIELDS,),
    ),
)


def page() -> str:
    """Return the text of docs/commands.md."""
    parts = [
        _INTRODUCTION,
        "## What becomes of every command\n",
        _IGNORED,
        _rows(("number", "name", "argument", "status", "effect"), _command_rows()),
        "## The session\n",
        _SESSION,
        _rows(("", *(_title(signal.name) for signal in Signal)), _session_rows()),
        "## Packets from the robot\n",
    ]
    for title, remark, blocks in PACKETS:
        parts += [f"### {title}\n", f"{remark}\n"]
        parts += [_rows(("field", "type", "meaning"), _field_rows(fields)) for fields in blocks]
    return "\n".join(parts)


def _command_rows() -> Iterable[tuple[str, ...]]:
    """One row per number; numbers in a row that mean nothing share one."""
    unnamed: list[int] = []
    for spec in (*TABLE.values(), None):
        if spec and spec.name == "UNNAMED":
            unnamed.append(spec.number)
            continue
        if unnamed:
            numbers = f"{unnamed[0]}-{unnamed[-1]}" if len(unnamed) > 1 else str(unnamed[0])
            first = TABLE[unnamed[0]]
            yield numbers, "", first.argument.value, first.status.value, first.effect
            unnamed.clear()
        if spec:
            yield str(spec.number), spec.name, spec.argument.value, spec.status.value, _effect(spec)


def _effect(spec: CommandSpec) -> str:
    if not spec.otherwise or spec.otherwise.name == "UNNAMED":
        return spec.effect
    when = "With --no-srisim-laser-compat" if spec.status is Support.LASER_COMPAT else "Without it"
    return f"{spec.effect} {when}: {spec.otherwise.name}, {spec.otherwise.status.value} ({spec.otherwise.effect})"


def _session_rows() -> Iterable[tuple[str, ...]]:
    for phase in Phase:
        yield _title(phase.name), *(STEPS[phase, signal].action.value for signal in Signal)


def _field_rows(fields: Sequence[Field]) -> Iterable[tuple[str, ...]]:
    return ((field.name.replace("_", " "), TYPE_NAMES[field.code], field.meaning) for field in fields)


def _title(name: str) -> str:
    return name.replace("_", " ").lower().replace("sync0", "SYNC0").replace("sync1", "SYNC1").replace("sync2", "SYNC2")


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    print(page(), end="")
