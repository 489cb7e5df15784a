"""What the original's first dialog asked: which map, which robot. The program runs meanwhile with a map and a p3dx."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.services.service import clients_of
from mobilesim_py.view.page.control import RefusedError
from mobilesim_py.view.page.maps import Maps
from mobilesim_py.view.page.page_stage import PageStage


class StartScreen:
    """The choice of map and robot."""

    def __init__(self, stage: PageStage, maps: Maps) -> None:
        self._stage = stage
        self._maps = maps
        self._chosen = False

    @property
    def is_wanted(self) -> bool:
        """Whether to ask: nothing was given on the command line, nobody has chosen, no client drives yet."""
        return self._stage.options.nothing_chosen and not self._chosen and not clients_of(self._stage)

    async def choose(self, wish: Mapping[str, Any]) -> None:
        """Load the map (an empty name is no map) and have one robot of the model, on the first port, at its start.

        Without any choice everything stays as it is.
        """
        stage = self._stage
        if not wish:
            self._chosen = True  # The user keeps what runs.
            return
        model_name, map_name = wish.get("model", "p3dx"), wish.get("map")
        if not isinstance(model_name, str) or not (map_name is None or isinstance(map_name, str)):
            raise RefusedError(400, "map and model must be texts.")
        if model_name not in stage.catalogue.names():
            raise RefusedError(404, f"There is no model {model_name!r}.")
        model = stage.catalogue.find(model_name)
        if model.is_box:
            raise RefusedError(400, f"{model_name!r} is a box, not a robot.")
        if clients_of(stage):
            raise RefusedError(409, "A client is connected already: add robots and change the map while it runs.")
        if map_name is not None:
            await self._maps.choose(map_name)
        robots = stage.simulation.robots
        for robot in robots:
            stage.remove(robot)
        try:
            stage.add_running(model_name, port=stage.options.port)
        except MobileSimError as error:
            raise RefusedError(409, str(error)) from None
        self._chosen = True
