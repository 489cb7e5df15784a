"""Benchmarks of ROS: what ten robots whose odometry, scans and transforms are heard add to a step, and what nobody adds.

The clients are a process of its own on real sockets; what counts is the processor time of the simulator's thread, of which
that without clients is taken off.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from benchmarks.inside import engine_named
from benchmarks.workshop import ROBOT, Workshop
from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.services.ros.bridge.carrier import BridgeCarrier
from mobilesim_py.services.ros.foxglove.carrier import FoxgloveCarrier
from mobilesim_py.services.ros.ros1.carrier import Ros1Carrier
from mobilesim_py.services.ros.service import RosService

ROBOTS = 10
BEAMS = 181
TOPICS = [f"/r{number}/{name}" for number in range(ROBOTS) for name in ("odom", "scan")] + ["/tf"]
FOXGLOVE = ("--foxglove", "0") if find_spec("foxglove") is not None else ()
BREATH = 0.002
"""Real time between two steps, in which the clients read [s]."""
STEPS_PER_SECOND = 500
"""Steps that are measured for each second that a benchmark may take: most of it is breath."""

ROS1_CLIENT = """\
import socket, sys
from mobilesim_py.protocols.ros.interfaces import interfaces
from mobilesim_py.protocols.ros.rows import Dialect
from mobilesim_py.protocols.ros1.outbound import SubscriberLink
import selectors
lines = selectors.DefaultSelector()
for topic in {topics!r}:
    line = socket.create_connection(("127.0.0.1", {port}))
    line.sendall(SubscriberLink("/eye", topic, interfaces(Dialect.ROS1), None).data_to_send())
    line.recv(65536)
    lines.register(line, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in lines.select():
        if not key.fileobj.recv(1 << 20):
            sys.exit()
"""
BRIDGE_CLIENT = """\
import asyncio, json, aiohttp
async def main():
    async with aiohttp.ClientSession() as session, session.ws_connect("ws://127.0.0.1:{port}", max_msg_size=0) as line:
        for topic in {topics!r}:
            await line.send_str(json.dumps(dict(op="subscribe", topic=topic, compression="cbor")))
        heard = set()
        async for message in line:
            if len(heard) < len({topics!r}):
                heard.add(message.data[:60])
                if len(heard) == len({topics!r}):
                    print("ready", flush=True)
asyncio.run(main())
"""
FOXGLOVE_CLIENT = """\
import asyncio, json, aiohttp
async def main():
    async with aiohttp.ClientSession() as session:
        line = await session.ws_connect("ws://127.0.0.1:{port}", protocols=["foxglove.sdk.v1"], max_msg_size=0)
        heard, ready = set(), False
        async for message in line:
            if isinstance(message.data, str):
                told = json.loads(message.data)
                ids = [channel["id"] for channel in told.get("channels", []) if channel["topic"] in {topics!r}]
                if ids:
                    await line.send_json(dict(op="subscribe", subscriptions=[dict(id=n, channelId=n) for n in ids]))
            elif not ready and message.data[0] == 1:
                heard.add(message.data[1:5])
                if len(heard) == len({topics!r}):
                    ready = True
                    print("ready", flush=True)
asyncio.run(main())
"""


def ros(shop: Workshop) -> None:
    """Measure the step of ten robots with nobody, with ROS 1 nodes, with a client of rosbridge, and with one of Foxglove."""
    for name in shop.engines:
        shop.say(f"ROS, {name} engine")
        for key, seconds in asyncio.run(_measure(name, shop.sizes.busy_seconds)).items():
            shop.found(key, name, 1000.0 * seconds)


async def _measure(engine: str, seconds: float) -> dict[str, float]:
    words = [word for number in range(ROBOTS) for word in ("-r", f"{ROBOT}:r{number}")]
    program = _program("-m", "office.map", *words, "--ros1", "0", "--rosbridge", "0", *FOXGLOVE)
    plain = _program("-m", "office.map", *words)
    try:
        for one in (program, plain):
            one.use_engine(engine_named(engine))
            one.open()
        bare = await _step_seconds(plain, seconds)
        idle = await _step_seconds(program, seconds)
        service = next(one for one in program.services if isinstance(one, RosService))
        found = {"ros_idle": max(0.0, idle - bare)}
        for carrier in service.carriers:
            if isinstance(carrier, Ros1Carrier):
                key, text, port = "ros1_tick", ROS1_CLIENT, carrier.slave.tcpros_port
            elif isinstance(carrier, BridgeCarrier) and carrier.port is not None:
                key, text, port = "rosbridge_tick", BRIDGE_CLIENT, carrier.port.port
            elif isinstance(carrier, FoxgloveCarrier):
                key, text, port = "foxglove_tick", FOXGLOVE_CLIENT, carrier.port
            else:
                continue
            with _client(text.format(topics=TOPICS, port=port)) as client:
                await _until_ready(program, client)
                found[key] = await _step_seconds(program, seconds) - idle
            while carrier.is_busy():  # noqa: ASYNC110 - until its links have noticed
                await asyncio.sleep(BREATH)
        return found
    finally:
        program.close()
        plain.close()
        await asyncio.sleep(0.1)


def _program(*words: str) -> Program:
    options = parse(["--seed", "1", "-p", "0", "--no-network-discovery", *words], interactive=False)
    program = Program(options, Log(), now=asyncio.get_running_loop().time)
    program.clock.call_later = asyncio.get_running_loop().call_later
    program.clock.call_soon = asyncio.get_running_loop().call_soon_threadsafe
    return program


@contextmanager
def _client(text: str) -> Iterator[subprocess.Popen[str]]:
    client = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    try:
        yield client
    finally:
        client.kill()
        client.communicate()


async def _until_ready(program: Program, client: subprocess.Popen[str]) -> None:
    assert client.stdout is not None
    said = asyncio.get_running_loop().run_in_executor(None, client.stdout.readline)
    while not said.done():
        program.clock.step()
        await asyncio.sleep(0.02)
    assert said.result() == "ready\n"


async def _step_seconds(program: Program, seconds: float) -> float:
    """Return the processor time that a step of 100 ms takes, with what is sent after it [s]."""
    steps = max(20, int(STEPS_PER_SECOND * seconds))
    passed = 0.0
    for _ in range(steps):
        began = time.thread_time()
        program.clock.step()
        await asyncio.sleep(BREATH)
        passed += time.thread_time() - began
    return passed / steps
