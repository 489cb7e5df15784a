"""The CiberRato contest: the game as a stepped object, and its clients behind doors; no sockets, no clock."""

from __future__ import annotations

from mobilesim_py.services.ciberrato.game import Game, Setup
from mobilesim_py.services.ciberrato.loading import Choices, load_setup
from mobilesim_py.services.ciberrato.loops import NoLoopError
from mobilesim_py.services.ciberrato.noise import CounterNoise, Noise
from mobilesim_py.services.ciberrato.paths import DiscPaths
from mobilesim_py.services.ciberrato.robot import Robot, State
from mobilesim_py.services.ciberrato.rules import CIBERRATO, EXPLORER_2022, RULES, Rules
from mobilesim_py.services.ciberrato.scoring import tie_break_time
from mobilesim_py.services.ciberrato.states import RunState
from mobilesim_py.services.ciberrato.switchboard import Client, Outgoing, Switchboard

__all__ = [
    "CIBERRATO",
    "EXPLORER_2022",
    "RULES",
    "Choices",
    "Client",
    "CounterNoise",
    "DiscPaths",
    "Game",
    "NoLoopError",
    "Noise",
    "Outgoing",
    "Robot",
    "Rules",
    "RunState",
    "Setup",
    "State",
    "Switchboard",
    "load_setup",
    "tie_break_time",
]
