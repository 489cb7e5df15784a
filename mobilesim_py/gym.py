"""Environments to learn in, for Gymnasium: importing this module registers them.

import gymnasium, mobilesim_py.gym

env = gymnasium.make("MobileSim/Goto-v0", map="office.map", model="p3dx")
envs = gymnasium.make_vec("MobileSim/Goto-v0", num_envs=256, beams=36)
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as error:
    raise ImportError('The environments need Gymnasium: pip install "mobilesim-py[gym]"') from error

from mobilesim_py.lab.ensemble import Ensemble
from mobilesim_py.lab.environments import GotoEnv, GotoVectorEnv
from mobilesim_py.lab.goto import Action, Goto, Observation, Situation, Task

__all__ = ["GOTO", "Action", "Ensemble", "Goto", "GotoEnv", "GotoVectorEnv", "Observation", "Situation", "Task"]
GOTO = "MobileSim/Goto-v0"
LONGEST_EPISODE = 400

if GOTO not in gymnasium.registry:
    gymnasium.register(
        GOTO,
        entry_point="mobilesim_py.lab.environments:GotoEnv",
        vector_entry_point="mobilesim_py.lab.environments:GotoVectorEnv",
        max_episode_steps=LONGEST_EPISODE,
    )
