"""Benchmarks of latencies: starting, answering, loading a map, and the very first start."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

from benchmarks.figures import COMPILED
from benchmarks.inside import repeat
from benchmarks.load import Crowd, intervals
from benchmarks.server import Server
from benchmarks.workshop import ROBOT, Workshop
from mobilesim_py.formats.format import load_world
from mobilesim_py.protocols.arcos.client import command, control
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.instruction import ControlOperation
from mobilesim_py.resources import maps_dir
from mobilesim_py.world.grid import Grid

SIM_STAT_REPLY, MAP_CHANGED = 0x62, 0x66
ENGINE_READY = "compiled engine is in use"


def start(shop: Workshop) -> None:
    """Measure the time from the start of the process to an open port; the engine is loaded afterwards."""
    for engine in shop.engines:
        choice = "auto" if engine == COMPILED else engine
        for key, count, times in (("start", 1, shop.sizes.starts), ("start100", shop.sizes.many, 1)):
            seconds = []
            for _ in range(times):
                with shop.server(choice, count, shop.building) as server:
                    seconds.append(server.wait_until_listening(pause=0.002))
            shop.found(key, engine, statistics.median(seconds))


def reply(shop: Workshop) -> None:
    """Measure how long a client waits for the answer to SIM_STAT, asked at random times."""
    for engine in shop.engines:
        shop.say(f"{engine} engine, replies")
        alone = _replies(shop, engine, 1)
        shop.found("reply", engine, 1000.0 * statistics.median(alone))
        shop.found("reply_most", engine, 1000.0 * max(alone))
        shop.found("reply100", engine, 1000.0 * statistics.median(_replies(shop, engine, shop.sizes.many)))


def _replies(shop: Workshop, engine: str, robots: int) -> list[float]:
    draw = random.Random(4)
    waits: list[float] = []
    asked = 0.0
    with shop.server(engine, robots, shop.building) as server:
        server.wait_until_listening()
        with Crowd(server, robots, places=shop.building.places, laser=True) as crowd:
            crowd.run(shop.sizes.settle)
            asker = crowd.clients[0]

            def hear(kind: int, data: bytes, now: float) -> None:
                if kind == SIM_STAT_REPLY:
                    waits.append(now - asked)

            asker.other = hear
            for number in range(shop.sizes.replies):
                asked = time.monotonic()
                asker.socket.send(command(Command.SIM_STAT, 1))
                while len(waits) <= number:
                    crowd.run(0.001)
                    if time.monotonic() - asked > 10.0:
                        raise RuntimeError("no reply to SIM_STAT within 10 s")
                crowd.run(draw.uniform(0.005, 0.03))
    return waits


def map_load(shop: Workshop) -> None:
    """Measure reading a large map, and the delay that clients see when one of them requests it."""
    ground = shop.building

    def load() -> Grid:
        return Grid.build(load_world(ground.map).segments)

    seconds = 1.0 / repeat(load, shop.sizes.busy_seconds)
    for engine in shop.engines:
        shop.found("map", engine, seconds)
        shop.say(f"{engine} engine, a new map while it runs")
        office = maps_dir() / "office.map"
        with shop.server(engine, 1, ground, ROBOT, "--map", str(office)) as server:
            server.wait_until_listening()
            with Crowd(server, 1, laser=True) as crowd:
                crowd.run(shop.sizes.settle)
                client = crowd.clients[0]
                client.forget()
                loaded: list[float] = []

                def hear(kind: int, data: bytes, now: float, loaded: list[float] = loaded) -> None:
                    if kind == MAP_CHANGED:
                        loaded.append(now)

                client.other = hear
                client.socket.send(control(ControlOperation.LOAD_MAP, str(ground.map)))
                asked = time.monotonic()
                while not loaded and time.monotonic() - asked < 20.0:
                    crowd.run(0.2)
                crowd.run(0.5)
        if not loaded:
            raise RuntimeError("the map was not loaded within 20 s")
        shop.found("map_gap", engine, 1000.0 * max(intervals(client.arrivals)))
        shop.notes.append(f"A client that asks for the map has it after {loaded[0] - asked:.2f} s ({engine} engine).")


def first_start(shop: Workshop, cache: Path | None = None) -> None:
    """Measure the very first start, with nothing compiled (or with this cache): SIPs must flow during compilation."""
    if COMPILED not in shop.engines:
        return
    if cache is None:
        cache = shop.folder / "empty cache"
        cache.mkdir(exist_ok=True)
    count = min(10, shop.sizes.many)
    words = ["--map", str(shop.building.map), *["--robot", ROBOT] * count, "--verbose"]
    shop.say(f"first start with an empty cache, {count} robots with laser")
    with Server(*words, ports=count, environment={"MOBILESIM_CACHE_DIR": str(cache)}) as server:
        server.wait_until_listening()
        with Crowd(server, count, places=shop.building.places, laser=True) as crowd:
            crowd.run(0.5)
            for client in crowd.clients:
                client.forget()
            ready = 0.0
            while not ready and time.monotonic() - server.began < shop.sizes.first_limit:
                crowd.run(0.5)
                if ENGINE_READY in server.said():
                    ready = time.monotonic() - server.began
            crowd.run(1.0)
            gap = max(max(intervals(client.arrivals)) for client in crowd.clients)
    shop.found("first_gap", COMPILED, 1000.0 * gap)
    if ready:
        shop.found("first_ready", COMPILED, ready)
    else:
        shop.notes.append(f"The engine was not compiled within {shop.sizes.first_limit:.0f} s of the first start.")
