"""Let robots learn to reach goals in the office: 64 of them at once, with PPO from Stable-Baselines3.

pip install "mobilesim-py[gym]" stable-baselines3
python examples/learn_goto.py               # some minutes on two cores
python examples/learn_goto.py 20000         # a short try
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import mobilesim_py.gym

WORLD = {"map": "office.map", "model": "p3dx", "beams": 36, "far": 5.0, "repeat": 2, "straight": True}


class Robots(VecEnv):
    """A vector environment of Gymnasium as Stable-Baselines3 wants it."""

    def __init__(self, count: int, seed: int) -> None:
        self.envs = gymnasium.make_vec(mobilesim_py.gym.GOTO, num_envs=count, autoreset_mode="SameStep", **WORLD)
        super().__init__(count, self.envs.single_observation_space, self.envs.single_action_space)
        self.first_seed: int | None = seed

    def reset(self) -> Any:
        seen, _ = self.envs.reset(seed=self.first_seed)
        self.first_seed = None
        return seen

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        seen, rewards, terminated, truncated, info = self.envs.step(self.actions)
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for k in np.flatnonzero(over):
            reached = bool(info["final_info"]["is_success"][k])
            infos[k] = {
                "terminal_observation": info["final_obs"][k],
                "TimeLimit.truncated": bool(truncated[k]),
                "is_success": reached,
            }
        return seen, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return [getattr(self.envs, method_name)(*args, **kwargs)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def reached(policy: PPO, episodes: int = 200) -> float:
    """Return the share of goals that the policy reaches, of some that it has not seen."""
    robots = Robots(50, seed=12345)
    seen, ended, good = robots.reset(), 0, 0
    while ended < episodes:
        actions, _ = policy.predict(seen, deterministic=True)
        seen, _, over, infos = robots.step(actions)
        ended += int(over.sum())
        good += sum(infos[k]["is_success"] for k in np.flatnonzero(over))
    return good / ended


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 800_000
    robots = VecMonitor(Robots(64, seed=1))
    policy = PPO("MlpPolicy", robots, n_steps=256, batch_size=1024, n_epochs=10, gamma=0.99, learning_rate=3e-4, seed=1)
    print(f"before: {reached(policy):.0%} of the goals reached", flush=True)
    for part in range(4):
        policy.learn(steps // 4, reset_num_timesteps=part == 0)
        print(f"after {policy.num_timesteps} steps: {reached(policy):.0%}", flush=True)
    policy.save("goto.zip")


if __name__ == "__main__":
    main()
