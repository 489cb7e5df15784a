"""The environments as Gymnasium wants them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra [gym] is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from mobilesim_py.gym import GOTO  # noqa: E402

USUAL: dict[str, Any] = {"engine": "numpy", "beams": 19}


def test_it_passes_the_check() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(GOTO, render_mode="rgb_array", picture_size=200, **USUAL).unwrapped)


def test_an_episode_is_cut_off_at_its_limit() -> None:
    env = gymnasium.make(GOTO, max_episode_steps=3, **USUAL)
    env.reset(seed=1)
    assert [env.step(np.zeros(2, np.float32))[2:4] for _ in range(3)] == [(False, False), (False, False), (False, True)]


def test_a_picture_shows_the_goal() -> None:
    env = gymnasium.make(GOTO, render_mode="rgb_array", picture_size=300, **USUAL)
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape[2] == 3
    assert max(picture.shape) == 300
    assert ((picture[..., 0] > 180) & (picture[..., 1] < 160) & (picture[..., 2] > 120)).any()
    env.close()


def vector(count: int = 4, **more: Any) -> Any:
    return gymnasium.make_vec(GOTO, num_envs=count, **USUAL, **more)


def test_robots_are_rows_of_the_same_arrays() -> None:
    envs = vector(5)
    seen, info = envs.reset(seed=3)
    assert seen in envs.observation_space
    assert info["distance"].shape == info["is_success"].shape == (5,)
    seen, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert seen in envs.observation_space
    assert rewards.shape == terminated.shape == truncated.shape == (5,)


def run(envs: Any, seed: Any) -> list[np.ndarray]:
    seen, _ = envs.reset(seed=seed)
    found = [seen]
    draw = np.random.default_rng(2)
    for _ in range(6):
        seen, rewards, *_ = envs.step(draw.uniform(-1.0, 1.0, (envs.num_envs, 2)).astype(np.float32))
        found += [seen, rewards]
    return found


@pytest.mark.parametrize("seed", [5, [5, 6, 7, 8]])
def test_a_seed_makes_it_repeat(seed: Any) -> None:
    envs = vector(max_episode_steps=3)
    first = run(envs, seed)
    assert all(np.array_equal(a, b) for a, b in zip(first, run(envs, seed), strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(first, run(vector(max_episode_steps=3), seed), strict=True))
    assert not np.array_equal(run(envs, 9)[0], first[0])


def test_one_of_a_vector_is_one_alone() -> None:
    alone = gymnasium.make(GOTO, **USUAL)
    seen, _ = alone.reset(seed=4)
    assert np.array_equal(vector(1).reset(seed=4)[0][0], seen)


def test_who_is_over_begins_anew_in_the_next_step() -> None:
    envs = vector(max_episode_steps=2)
    envs.reset(seed=1)
    stand = np.zeros((4, 2), np.float32)
    assert not envs.step(stand)[3].any()
    goals = envs.unwrapped.goto.situation.goals.copy()
    assert envs.step(stand)[3].all()
    assert np.array_equal(envs.unwrapped.goto.situation.goals, goals)
    _, rewards, terminated, truncated, _ = envs.step(np.ones((4, 2), np.float32))
    assert not (terminated | truncated | (rewards != 0.0)).any()
    assert not np.array_equal(envs.unwrapped.goto.situation.goals, goals)
    assert not envs.step(stand)[3].any()
    assert envs.step(stand)[3].all()


def test_or_in_the_same_step_with_the_last_that_was_observed() -> None:
    envs = vector(max_episode_steps=2, autoreset_mode="SameStep")
    envs.reset(seed=1)
    envs.step(np.ones((4, 2), np.float32))
    seen, _, _, truncated, info = envs.step(np.ones((4, 2), np.float32))
    assert truncated.all()
    assert info["_final_obs"].all()
    assert info["final_info"]["distance"].shape == (4,)
    assert all(last in envs.single_observation_space for last in info["final_obs"])
    assert (seen[:, -2:] == 0.0).all(), "whoever begins anew stands"
    assert (np.stack(info["final_obs"])[:, -2:] != 0.0).any()


def test_or_when_it_is_told() -> None:
    envs = vector(max_episode_steps=2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    goals = envs.unwrapped.goto.situation.goals.copy()
    envs.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert (envs.unwrapped.goto.situation.goals != goals).any(axis=1).tolist() == [True, False, False, False]


def test_a_vector_shows_a_picture_of_each() -> None:
    envs = vector(2, render_mode="rgb_array", picture_size=100)
    envs.reset(seed=1)
    first, second = envs.render()
    assert first.shape == second.shape
    assert not np.array_equal(first, second)
    assert vector(2).render() is None


def test_pictures_are_drawn_only_when_they_are_wanted() -> None:
    assert gymnasium.make(GOTO, **USUAL).unwrapped.render() is None
