"""Benchmarks with clients: the cost of robots, how many can be served, and how the cost scales."""

from __future__ import annotations

import time

from benchmarks.load import Crowd
from benchmarks.places import crowd_in_one_room
from benchmarks.workshop import BARE_ROBOT, Workshop

MOST_TRIES = 4
ROOMY = 0.97
"""Safety factor on the number of robots that a machine is estimated to hold."""


def cost(shop: Workshop) -> None:
    """Measure the CPU time per robot and simulated second, with laser."""
    for engine in shop.engines:
        for key, count in (("laser25", shop.sizes.few), ("laser100", shop.sizes.many)):
            shop.found(key, engine, shop.clients(engine, count, shop.building, laser=True).cpu_ms_per_robot_second)


def bare(shop: Workshop) -> None:
    """Measure the CPU time per robot and simulated second, without laser."""
    for engine in shop.engines:
        run = shop.clients(engine, shop.sizes.many, shop.building, laser=False)
        shop.found("bare100", engine, run.cpu_ms_per_robot_second)


def memory(shop: Workshop) -> None:
    """Measure the resident memory with many robots."""
    for engine in shop.engines:
        shop.found("memory", engine, shop.clients(engine, shop.sizes.many, shop.building, laser=True).memory_mb)


def held(shop: Workshop) -> None:
    """Measure how many robots get every SIP in time: the target number, or the largest of a few lower ones."""
    for engine in shop.engines:
        count = shop.sizes.held[engine]
        ground = shop.building if count <= len(shop.building.places) else shop.hall
        shop.found("held", engine, 0)
        for _ in range(MOST_TRIES):
            run = shop.clients(engine, count, ground, laser=True)
            busy = 100.0 * run.cpu_seconds / run.seconds
            shop.notes.append(
                f"{count} robots with laser in the {ground.name}, {engine} engine: {'held' if run.held else 'not held'}; "
                f"{run.slowest_rate:.2f} Hz at least, intervals {1000 * run.typical_interval:.0f} ms "
                f"(99 % under {1000 * run.late_interval:.0f} ms), {busy:.0f} % of a core, {run.memory_mb:.0f} MB."
            )
            if run.held:
                shop.found("held", engine, count)
                break
            # The throughput without a deadline gives an estimate of the number that meets it.
            share = min(ROOMY * run.mean_rate / 10.0, 0.9)
            count = max(1, int(count * share) // 10 * 10)


def crowd(shop: Workshop) -> None:
    """Compare robots that stand close together with the same robots far apart."""
    count = shop.sizes.many
    for engine in shop.engines:
        ground = shop.empty_room
        apart = ground.places[:: len(ground.places) // count][:count]
        together = crowd_in_one_room(ground, count)
        spread = shop.clients(engine, count, ground, laser=True, where=apart)
        packed = shop.clients(engine, count, ground, laser=True, where=together)
        shop.found("crowd", engine, packed.cpu_ms_per_robot_second / spread.cpu_ms_per_robot_second)


def growth(shop: Workshop) -> None:
    """Compare the cost of one robot among many with its cost among few."""
    for engine in shop.engines:
        few, many = (
            shop.clients(engine, count, shop.hall, laser=True).cpu_ms_per_robot_second for count in shop.sizes.growth
        )
        shop.found("growth", engine, many / few)


def laser_off(shop: Workshop) -> None:
    """Compare robots whose laser is off with robots that have none."""
    for engine in shop.engines:
        off = shop.clients(engine, shop.sizes.many, shop.building, laser=False)
        none = shop.clients(engine, shop.sizes.many, shop.building, laser=False, model=BARE_ROBOT)
        shop.found("laser_off", engine, off.cpu_ms_per_robot_second / none.cpu_ms_per_robot_second)


def flat(shop: Workshop) -> None:
    """Measure how much memory a long run gains after its first quarter."""
    count = shop.sizes.many
    for engine in shop.engines[:1]:
        speed = shop.sizes.flat_speed
        shop.say(f"{engine} engine, {count} robots with laser for {shop.sizes.flat_seconds:.0f} s at speed {speed}")
        with shop.server(engine, count, shop.building, "p3dx-sh", "--speed", speed) as server:
            server.wait_until_listening()
            with Crowd(server, count, places=shop.building.places, laser=True) as crowd:
                crowd.run(shop.sizes.flat_seconds / 4)
                before = server.memory_mb()
                run = crowd.measure(shop.sizes.flat_seconds * 3 / 4)
        shop.found("grown", engine, run.memory_mb - before)
        minutes = run.seconds * run.mean_rate / 10.0 / 60.0
        shop.notes.append(
            f"Memory: {before:.1f} MB, and {run.memory_mb:.1f} MB after {minutes:.1f} more simulated minutes of "
            f"{count} robots with laser (--speed {speed}, {minutes * 60 / run.seconds:.1f} simulated seconds a second)."
        )


def machine_is_busy(seconds: float = 0.5) -> float:
    """Return the fraction of all processors that other processes are using."""

    def idle_and_all() -> tuple[int, int]:
        with open("/proc/stat") as file:
            columns = [int(word) for word in file.readline().split()[1:]]
        return columns[3] + columns[4], sum(columns)

    idle, total = idle_and_all()
    time.sleep(seconds)
    more_idle, more = idle_and_all()
    return 1.0 - (more_idle - idle) / max(1, more - total)
