"""Another map while the simulation runs: read beside it, one after the other, and every client told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobilesim_py import messages
from mobilesim_py.app.blueprint import tell_of
from mobilesim_py.app.map_files import find_map, fingerprint
from mobilesim_py.errors import MobileSimError
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.protocols.arcos.simulator import MapChanged, pack_map_changed
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.world import World, empty_world

if TYPE_CHECKING:
    from mobilesim_py.app.program import Program
    from mobilesim_py.services.pioneer.session import EmulatorSession

Then = Callable[[MobileSimError | None], None]
"""Told of the end of a load, with what went wrong."""


class MapChanges:
    """Who may change the map, and what is being loaded."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.mark = ""
        """Tells whether a map that is asked for is the one that is loaded already."""
        self._has_master = False
        self._wanted: list[Callable[[], None]] = []
        self._loading = False

    @property
    def is_loading(self) -> bool:
        """Whether a map is being loaded beside the simulation."""
        return self._loading

    def load(
        self,
        name: str,
        *,
        asked_by: EmulatorSession | None = None,
        master: bool = False,
        by_user: bool = False,
        then: Then | None = None,
    ) -> None:
        """Load a map beside the running simulation, and tell every client, and `then`, when that is done."""
        log = self._program.log
        robot = asked_by.robot.name if asked_by is not None else None
        if self._has_master and not master and not by_user:
            log.info(messages.MASTER_MAP_REFUSED, robot)
            return
        self._has_master = self._has_master or master
        text = messages.MASTER_MAP_REQUESTED if master else messages.MAP_REQUESTED
        log.info(text.format(file=name), robot)
        self._wanted.append(lambda: self._begin(name, by_user, then))
        if not self._loading:
            self._next()

    def clear_master(self) -> None:
        """Let any client change the map again."""
        self._has_master = False

    def leave(self) -> None:
        """Go on in an empty world; robots stay where they are."""
        self.mark = ""
        self._program.simulation.replace_world(empty_world())
        self._program.log.info(messages.NO_MAP)

    def _next(self) -> None:
        self._loading = bool(self._wanted)
        if self._loading:
            self._wanted.pop(0)()

    def _begin(self, name: str, by_user: bool, then: Then | None) -> None:
        program = self._program

        def work() -> tuple[World, Grid, str] | None:
            path = find_map(name, [program.directory])
            mark = fingerprint(path)
            if mark == self.mark:
                return None
            world = load_world(path, Settings(program.options.resolution / 1000.0))
            return world, Grid.build(world.segments).lay_out(), mark

        def done(result: tuple[World, Grid, str] | None, error: MobileSimError | None) -> None:
            if error is not None:
                program.log.warning(messages.MAP_FAILED.format(file=name, why=error))
            else:
                if result is not None:
                    world, grid, self.mark = result
                    program.simulation.replace_world(world, grid)
                    tell_of(world, name, program.log)
                packet = pack_map_changed(MapChanged(name, loaded=result is not None, by_user=by_user))
                for session in list(program.fleet.sessions):
                    session.write(packet)
            if then is not None:
                then(error)
            self._next()

        program.run_beside(work, done)
