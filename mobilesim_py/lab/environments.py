# mypy: allow-subclassing-any
"""The task of `goto` as environments of Gymnasium: one robot, or many as the columns of the same arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mobilesim_py.geometry import BoolArray, FloatArray
from mobilesim_py.lab.goto import Goto, Task, Values, is_there
from mobilesim_py.view.pictures.moment import Mark, take_copy
from mobilesim_py.view.pictures.snapshot import Painter

PICTURE_SIZE = 640
GOAL_COLOUR = "#d33682"
_PICTURE = "rgb_array"
Infos = dict[str, Any]


class _Drawn:
    """Draws copies of the world with a robot and its goal."""

    def __init__(self, goto: Goto, size: int) -> None:
        self._goto, self._size, self._painter = goto, size, Painter()

    def picture(self, copy: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return a picture, height x width x 3."""
        x, y = self._goto.situation.goals[copy].tolist()
        moment = take_copy(self._goto.ensemble.simulation, copy, (Mark((x, y), GOAL_COLOUR),))
        return np.asarray(self._painter.draw(moment, self._size).convert("RGB"))


def _spaces(goto: Goto) -> tuple[spaces.Box, spaces.Box]:
    return spaces.Box(goto.low, goto.high, dtype=np.float32), spaces.Box(-1.0, 1.0, (goto.action.size,), np.float32)


class GotoEnv(gymnasium.Env[Values, Values]):
    """One robot on its way to one goal after the other."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [_PICTURE], "render_fps": 10}

    def __init__(self, *, render_mode: str | None = None, picture_size: int = PICTURE_SIZE, **task: Any) -> None:
        """Take the fields of `Task` as keywords."""
        self.render_mode = render_mode
        self.goto = Goto(Task(**task), 1)
        self.observation_space, self.action_space = _spaces(self.goto)
        self._drawn = _Drawn(self.goto, picture_size)

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Values, Infos]:
        """Begin an episode; with a seed it is always the same."""
        super().reset(seed=seed)
        self.goto.seed(seed)
        self.goto.begin(np.zeros(1, np.intp))
        return self.goto.observe()[0], self._info()

    def step(self, action: Values) -> tuple[Values, float, bool, bool, Infos]:
        """Let one step pass."""
        rewards, over = self.goto.step(action)
        return self.goto.observe()[0], float(rewards[0]), bool(over[0]), False, self._info()

    def render(self) -> Any:
        """Return a picture of the world, if the environment was made with `render_mode="rgb_array"`."""
        return self._drawn.picture(0) if self.render_mode == _PICTURE else None

    def _info(self) -> Infos:
        situation = self.goto.situation
        return {"distance": float(situation.distance[0]), "is_success": bool(is_there(situation)[0])}


class GotoVectorEnv(VectorEnv[Values, Values, FloatArray | BoolArray]):
    """Many robots, each alone in its own copy of the world, that move and sense in one call of the engine."""

    metadata: dict[str, Any]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        picture_size: int = PICTURE_SIZE,
        **task: Any,
    ) -> None:
        """Take the fields of `Task` as keywords, too. NEXT_STEP is the quickest way to begin anew."""
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [_PICTURE], "render_fps": 10, "autoreset_mode": self.mode}
        self.goto = Goto(Task(**task), num_envs)
        self.single_observation_space, self.single_action_space = _spaces(self.goto)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._limit = max_episode_steps
        self._over = np.zeros(num_envs, np.bool_)
        self._drawn = _Drawn(self.goto, picture_size)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: Infos | None = None) -> tuple[Values, Infos]:
        """Begin episodes: all, or those that `options["reset_mask"]` names; with a seed they are always the same."""
        numbers = seed if seed is None or isinstance(seed, int) else [int(one) for one in seed if one is not None] or None
        mask = np.ones(self.num_envs, np.bool_) if options is None else options.get("reset_mask")
        rows = np.flatnonzero(np.ones(self.num_envs) if mask is None else mask)
        self.goto.seed(numbers)
        self.goto.begin(rows)
        self._over[rows] = False
        return self.goto.observe(), self._info()

    def step(self, actions: Values) -> tuple[Values, FloatArray, BoolArray, BoolArray, Infos]:
        """Let one step pass for all."""
        goto = self.goto
        anew = np.flatnonzero(self._over) if self.mode is AutoresetMode.NEXT_STEP else None
        if anew is not None:
            goto.begin(anew, sense=False)
        rewards, terminated = goto.step(actions, anew)
        if anew is not None:
            rewards[anew], terminated[anew], goto.situation.steps[anew] = 0.0, False, 0
        truncated = np.zeros(self.num_envs, np.bool_)
        if self._limit is not None:
            truncated = (goto.situation.steps >= self._limit) & ~terminated
        self._over = terminated | truncated
        seen, info = goto.observe(), self._info()
        if self.mode is AutoresetMode.SAME_STEP and self._over.any():
            rows = np.flatnonzero(self._over)
            last = np.full(self.num_envs, None, object)
            last[rows] = [row.copy() for row in seen[rows]]
            info = {"final_obs": last, "_final_obs": self._over.copy(), "final_info": info, "_final_info": self._over.copy()}
            goto.begin(rows)
            seen, info = goto.observe(), {**self._info(), **info}
        return seen, rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture of each copy of the world, if the environment was made with `render_mode="rgb_array"`."""
        return tuple(map(self._drawn.picture, range(self.num_envs))) if self.render_mode == _PICTURE else None

    def _info(self) -> Infos:
        situation = self.goto.situation
        return {"distance": situation.distance.copy(), "is_success": is_there(situation)}
