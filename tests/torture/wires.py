"""What is attacked: a row for each protocol, with valid messages from which the fuzzer makes others.

A new protocol is a row of `WIRES` and, where nothing serves it yet, of `PROGRAMS`.
"""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command, control, device_request, set_odometry, text_command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation, WirePose
from tests.torture.subject import robots

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors"
GOOD_PORT = 0
"""Where the good client is; nobody attacks that port."""
HTTP, ROSBRIDGE, ROS1, OZ, OZ_PICTURES = 20, 21, 22, 25, 23


@dataclass(frozen=True)
class Program:
    """A command whose doors are attacked; PORT+n in a word is the n-th of its ports."""

    name: str
    words: tuple[str, ...]
    good: str
    """What its good client speaks; see good.py."""
    ports: int = 32
    keeps: int = 6
    """Descriptors beyond those before the attack that may be open after it: a log, a cache, a pooled connection."""


@dataclass(frozen=True)
class Wire:
    """A protocol at some doors."""

    name: str
    program: str
    ports: tuple[int, ...]
    corpus: Callable[[], Sequence[bytes]]
    opening: Callable[[], bytes] = lambda: b""
    """What a client that wants to be let in says first."""
    datagrams: bool = False
    unnamed: bool = False
    """Whether it is also at the ports that the system chose."""


def _arcos() -> Sequence[bytes]:
    """Return every command with every kind of argument; what ends the program is denied to clients there."""
    numbers = range(256)
    plain = [command(number, value) for number in numbers for value in (None, 0, 1, -1, 32767, -32768)]
    text = [text_command(number, word) for number in numbers for word in ("", "x" * 100)]
    maps = [
        control(operation, name) for operation in ControlOperation for name in ("", "room.map", "no-such.map", "/etc/shadow")
    ]
    more = [set_odometry(WirePose(-32768, 32767, 0)), device_request("laser"), device_request("x" * 60), *SYNCS, OPEN]
    return plain + text + maps + more


def _naio() -> Sequence[bytes]:
    lines = (VECTORS / "oz" / "golden_packets.jsonl").read_text().splitlines()
    recorded = [bytes.fromhex(json.loads(line)["hex"]) for line in lines]
    return [packet for packet in recorded if len(packet) < 20_000] + [
        b"NAIO01" + bytes((number,)) + struct.pack(">I", size) + bytes(size) + bytes(4)
        for number in range(0, 256, 3)
        for size in (0, 2, 16)
    ]


def _ciber() -> Sequence[bytes]:
    found = []
    for name in ("ciber_requests", "ciber_viewer", "ciber_pclient"):
        with gzip.open(VECTORS / "ciber" / f"{name}.jsonl.gz", "rt") as lines:
            rows = [json.loads(line) for line in itertools.islice((line for line in lines if line.strip()), 400)]
        found += [row["text"].encode() for row in rows if row.get("dir") == "c2s" and row.get("text")]
    return sorted(set(found)) + [b"<Start/>", b"<Stop/>", b"<GridReq/>", b"<Panel/>", b"<RobotBeacon Name='x'/>"]


def _request(method: str, path: str, body: bytes = b"", *, kind: str = "application/json", more: str = "") -> bytes:
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def _http() -> Sequence[bytes]:
    """Return a request to every route, most of them with a body."""
    from mobilesim_py.view.page.routes import ROUTES

    bodies: tuple[object, ...] = (
        {}, {"model": "p3dx"}, {"name": "room.map"}, {"speed": 2}, {"speed": "max"}, {"x": 1.0, "y": 2.0, "heading": 0.1},
        {"pose": {"x": 0, "y": 0, "heading": 0}}, {"forward": 0.5}, {"count": 3}, {"paused": True}, {"format": "gif"}, [], None,
    )  # fmt: skip
    found = []
    for route in ROUTES:
        path = route.path.format(key="1", name="p3dx", service="ARCOS", order="start", picture="x")
        queries = "&".join(f"{query.name}=64" for query in route.queries)
        for target in (path, f"{path}?{queries}"):
            if route.method == "GET":
                found.append(_request("GET", target))
            else:
                found += [_request(route.method, target, json.dumps(body).encode()) for body in bodies]
        if route.upload:
            upload = (ROOT / "maps" / "room.wld").read_bytes()
            found.append(_request(route.method, f"{path}?name=a.wld", upload, kind=route.upload))
    return found + [
        _request("GET", "/"), _request("GET", "/static/../../../etc/passwd"), _request("TRACE", "*"),
        _request("GET", "/api/health", more="Cookie: \xff\xfe=1\r\n"), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        _request("POST", "/api/robots", more="Transfer-Encoding: chunked\r\n") + b"ffffffffffffffff\r\n",
        _request("GET", "/api/stream", more="Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"),
    ]  # fmt: skip


def _upgrade(path: str = "/") -> bytes:
    key = base64.b64encode(bytes(16)).decode()
    more = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    return _request("GET", path, more=more)


def frame(data: bytes, operation: int = 1) -> bytes:
    """Return a frame of a WebSocket's client, masked with zeros."""
    size = len(data)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b""
    length = length or b"\xff" + struct.pack(">Q", size)
    return bytes((0x80 | operation,)) + length + bytes(4) + data


def _rosbridge() -> Sequence[bytes]:
    twist = {"linear": {"x": 0.1, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0.2}}
    said: list[object] = [
        {"op": "subscribe", "topic": topic, "type": kind, "compression": compression}
        for topic, kind in (
            ("/r1/odom", "nav_msgs/Odometry"),
            ("/r1/scan", ""),
            ("/tf", "tf2_msgs/TFMessage"),
            ("/x", "a/B"),
        )
        for compression in ("none", "cbor", "cbor-raw", "png")
    ]
    said += [
        {"op": "advertise", "topic": "/r1/cmd_vel", "type": "geometry_msgs/Twist"},
        {"op": "publish", "topic": "/r1/cmd_vel", "msg": twist},
        {"op": "publish", "topic": "/r1/cmd_vel", "msg": {"linear": {"x": 1e308}}},
        {"op": "unsubscribe", "topic": "/tf"}, {"op": "unadvertise", "topic": "/r1/cmd_vel"},
        {"op": "fragment", "id": "1", "num": 0, "total": 3, "data": "{\"op\":"}, {"op": "fragment", "id": "1", "num": -1, "total": 1 << 40},
        {"op": "advertise_service", "service": "/s", "type": "std_srvs/Empty"}, {"op": "status", "level": "none"}, {"op": "auth"},
        [], 1, "x", None, [[[[[[]]]]]],
    ]  # fmt: skip
    said += [
        {"op": "call_service", "service": service, "args": args, "id": 7}
        for service in (
            "/rosapi/topics",
            "/rosapi/topic_type",
            "/rosapi/message_details",
            "/reset_simulation",
            "/get_model_state",
        )
        for args in ({}, [], {"topic": "/odom"}, {"type": "nav_msgs/Odometry"}, ["x" * 1000])
    ]
    frames = [frame(json.dumps(words).encode()) for words in said]
    return frames + [
        frame(b"\xa1" * 1000, 2),
        frame(b"[" * 5000),
        frame(b"", 8),
        frame(b"x", 9),
        b"\x01\x80" + bytes(4),
        b"\xff",
    ]


def _ros1() -> Sequence[bytes]:
    calls = {
        "requestTopic": ("/x", "/r1/odom", [["TCPROS"]]), "getPid": ("/x",), "getBusInfo": ("/x",), "publisherUpdate": ("/x", "/r1/cmd_vel", ["http://127.0.0.1:1/"]),
        "registerPublisher": ("/x", "/y", "std_msgs/String", "http://127.0.0.1:1/"), "registerSubscriber": ("/x", "/r1/odom", "*", "http://127.0.0.1:1/"),
        "setParam": ("/x", "/p", 1), "getParam": ("/x", "/"), "getSystemState": ("/x",), "shutdown": ("/x", ""), "lookupNode": ("/x", "/y"),
    }  # fmt: skip
    import xmlrpc.client

    bodies = [xmlrpc.client.dumps(arguments, name).encode() for name, arguments in calls.items()]  # type: ignore[arg-type]
    fields = {"callerid": "/x", "topic": "/r1/odom", "type": "nav_msgs/Odometry", "md5sum": "*", "tcp_nodelay": "1"}
    lines = [f"{name}={value}".encode() for name, value in fields.items()]
    header = b"".join(struct.pack("<I", len(line)) + line for line in lines)
    deep = b"<methodCall><methodName>getParam</methodName><params>" + b"<param><value><array><data>" * 300
    return [_request("POST", "/RPC2", body, kind="text/xml") for body in (*bodies, deep)] + [
        struct.pack("<I", len(header)) + header,
        struct.pack("<I", 0xFFFFFFFF) + header,
        struct.pack("<I", len(header)) + header + struct.pack("<I", 48) + bytes(48),
    ]


MAIN = (
    "--nomap", "--deny", "exit,abort", "--max-robots", "20", "--log-file", "sim.log", "--log-file-max-size", "2000000",
    "-p", "PORT+0", *robots(4), "-R", "p3dx", "-r", "oz:o1", "--naio-port", f"PORT+{OZ}", "--ros1", f"PORT+{ROS1}",
    "--ros-bind", "127.0.0.1", "--no-web",
)  # fmt: skip
PAGE = (
    "--nomap", "--log-file", "sim.log", "--log-file-max-size", "2000000", "-p", "PORT+0", *robots(2),
    "--web", "--web-port", f"PORT+{HTTP}", "--rosbridge", f"PORT+{ROSBRIDGE}", "--ros-bind", "127.0.0.1",
)  # fmt: skip
CONTEST = ("ciber", "-p", "PORT+0", "--bind-to-address", "127.0.0.1", "--no-web", "--log-file", "sim.log")

PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        Program("robots", MAIN, "arcos"),
        Program("page", PAGE, "http"),
        Program("contest", CONTEST, "ciber", keeps=40),
    )
}
WIRES: tuple[Wire, ...] = (
    Wire("arcos", "robots", (1, 2, 3, 4), _arcos, lambda: b"".join(SYNCS) + OPEN),
    Wire("naio", "robots", (OZ, OZ_PICTURES), _naio),
    Wire("ros1", "robots", (ROS1,), _ros1, unnamed=True),
    Wire("http", "page", (HTTP,), _http),
    Wire("rosbridge", "page", (ROSBRIDGE,), _rosbridge, _upgrade),
    Wire("websocket of the page", "page", (HTTP,), _rosbridge, lambda: _upgrade("/api/stream")),
    Wire("ciber", "contest", (0,), _ciber, lambda: b'<Robot Id="0" Name="x"/>', datagrams=True),
)

STATE_INTO_LOG = control(ControlOperation.LOG_STATE, "y")
CONFIG = command(Command.CONFIG)
