"""The environments to learn in: steps of all robots of a vector environment a second, by the processor's time."""

from __future__ import annotations

import importlib.util
import time

import numpy as np

from benchmarks.workshop import Workshop

SEED = 1
BEAMS = {"gym181": 181, "gym36": 36}


def learning(shop: Workshop) -> None:
    """Measure a vector environment in the office; what two threads do at once counts twice."""
    if importlib.util.find_spec("gymnasium") is None:
        shop.notes.append("The environments were not measured: Gymnasium is not installed.")
        return
    for engine in shop.engines:
        for key, beams in BEAMS.items():
            rate = steps_per_second(engine, shop.sizes.learners, beams, shop.sizes.busy_seconds)
            shop.say(f"{engine} engine, {shop.sizes.learners} robots learn with {beams} beams: {rate:,.0f} steps a second")
            shop.found(key, engine, rate)


def steps_per_second(engine: str, robots: int, beams: int, seconds: float) -> float:
    """Return how many steps of single robots a second of one core makes, with whoever is done beginning anew."""
    import gymnasium

    from mobilesim_py.gym import GOTO

    envs = gymnasium.make_vec(GOTO, num_envs=robots, map="office.map", model="p3dx", engine=engine, beams=beams)
    envs.reset(seed=SEED)
    draw = np.random.default_rng(SEED)
    actions = [draw.uniform(-1.0, 1.0, (robots, 2)).astype(np.float32) for _ in range(50)]
    for action in actions:
        envs.step(action)
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for action in actions:
            envs.step(action)
        steps += robots * len(actions)
    return steps / (time.process_time() - began)
