"""Plants under robots: what is driven over lies flat from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mobilesim_py.core.simulation import Simulation

TRAMPLE_SECONDS = 0.2
"""How often it is looked what robots stand on [s]; none is as fast as to jump over a plant in between."""


class Trampling:
    """Lays down the plants that robots drive over."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._looked = 0
        self.count = 0
        """Plants that were trampled since the world was loaded or restored."""

    def after_step(self) -> None:
        """Look, when it is time to, what moving robots stand on."""
        simulation = self._simulation
        if not len(simulation.world.plants):
            return
        looks = int(simulation.time / TRAMPLE_SECONDS + 1e-6)
        if looks == self._looked:
            return
        self._looked = looks
        plants = simulation.world.plants
        hit = []
        for robot in simulation.robots:
            if any(robot.velocity) and not robot.ghost:
                pose, (length, width) = robot.pose, robot.model.body.size
                hit.append(plants.under(pose.x, pose.y, pose.heading, length, width))
        flat = np.unique(np.concatenate(hit)) if hit else np.zeros(0, np.int64)
        flat = plants.soft(flat)
        if len(flat):
            self.count += len(flat)
            simulation.change_world(simulation.world.trampled(flat))
