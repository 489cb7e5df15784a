"""Another map while the simulation runs: read beside it, one after the other, and every service told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mobilesim_py import messages
from mobilesim_py.app.blueprint import tell_of
from mobilesim_py.app.map_files import check_folder, check_size, find_map, fingerprint, known_maps, loading
from mobilesim_py.app.world_cache import load_with_grid
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.errors import MapError, MobileSimError
from mobilesim_py.formats.format import Settings
from mobilesim_py.log import Log
from mobilesim_py.services.service import Asker, Then, WorldChange, WorldChangeKind
from mobilesim_py.world.grid import Grid
from mobilesim_py.world.world import World, empty_world

Work = Callable[[], Any]
Done = Callable[[Any, MobileSimError | None], None]


MOST_WAITING = 32
"""Loads that people at the page or the API may have waiting, all together; a client may have one."""


@dataclass(frozen=True, eq=False)
class _Wish:
    """A change of the world that waits for its turn."""

    begin: Callable[[], None]
    asked_by: Asker | None = None


def run_now(work: Work, done: Done) -> None:
    """Run work at once, where there is no event loop to run it beside."""
    done(*attempt(work))


def attempt(work: Work) -> tuple[Any, MobileSimError | None]:
    """Return what work returns, or what went wrong in it: a load may only fail the load."""
    try:
        with loading(""):
            return work(), None
    except MobileSimError as error:
        return None, error


class Worlds:
    """Who may change the map, what is being loaded, and what is in force."""

    def __init__(
        self,
        simulation: Simulation,
        log: Log,
        tell: Callable[[WorldChange], None],
        *,
        directory: Path,
        resolution: float = 0.02,
        name: str = "",
        fingerprint: str = "",
        folders: Sequence[Path] | None = None,
        clients_may_load: bool = True,
    ) -> None:
        self._simulation = simulation
        self._log = log
        self._tell = tell
        self._resolution = resolution
        self._folders = folders
        """From where clients may load maps; None: from everywhere."""
        self._clients_may_load = clients_may_load
        self._has_master = False
        self._wanted: list[_Wish] = []
        self._loading = False
        self.directory = directory
        """Where map names without a path are looked for first."""
        self.name = name
        """The map in force, as it was asked for; empty for the empty world."""
        self.fingerprint = fingerprint
        """Tells whether a map that is asked for is the one that is loaded already."""
        self.run_beside: Callable[[Work, Done], None] = run_now
        """Runs work in a thread, then `done` here."""

    @property
    def is_loading(self) -> bool:
        """Whether a map is being loaded beside the simulation."""
        return self._loading

    def names(self) -> list[str]:
        """Return the names of maps that can be asked for without a path."""
        return [path.name for path in known_maps([self.directory])]

    def load(
        self,
        name: str,
        *,
        asked_by: Asker | None = None,
        master: bool = False,
        by_user: bool = False,
        confined: bool = False,
        then: Then | None = None,
    ) -> None:
        """Load a map beside the running simulation, and tell every service, and `then`, when that is done.

        `confined` loads only from where clients may load maps, as is so for every client that asks. Of the wishes of
        one client that still wait for their turn only the latest counts.
        """
        robot = asked_by.robot.name if asked_by is not None else None
        if self._has_master and not master and not by_user:
            self._log.info(messages.MASTER_MAP_REFUSED, robot)
            return
        self._has_master = self._has_master or master
        text = messages.MASTER_MAP_REQUESTED if master else messages.MAP_REQUESTED
        self._log.info(text.format(file=name), robot)
        if asked_by is not None:
            self.forget(asked_by)
            if not self._clients_may_load:
                self._log.warning(messages.MAP_FAILED.format(file=name, why="clients are denied maps (--deny)"), robot)
                self._tell(WorldChange(WorldChangeKind.FAILED, self.name, by_user, asked_by))
                return
        confined = confined or asked_by is not None
        self._queue(_Wish(lambda: self._begin(name, asked_by, by_user, confined, then), asked_by), then)

    def leave(self, *, by_user: bool = False, then: Then | None = None) -> None:
        """Go on in an empty world, after the loads asked for before; robots stay where they are."""
        self._queue(_Wish(lambda: self._leave(by_user, then)), then)

    def forget(self, asker: Asker) -> None:
        """Drop what a client wishes and what has not begun: it is gone, or wishes something else."""
        self._wanted = [wish for wish in self._wanted if wish.asked_by is not asker]

    def clear_master(self) -> None:
        """Let any client change the map again."""
        self._has_master = False

    # One after the other

    def _queue(self, wish: _Wish, then: Then | None) -> None:
        if wish.asked_by is None and sum(other.asked_by is None for other in self._wanted) >= MOST_WAITING:
            if then is not None:
                then(MapError(f"{MOST_WAITING} loads wait already. Try again when they are done."))
            return
        self._wanted.append(wish)
        if not self._loading:
            self._next()

    def _next(self) -> None:
        self._loading = bool(self._wanted)
        if self._loading:
            self._wanted.pop(0).begin()

    def _leave(self, by_user: bool, then: Then | None) -> None:
        self.fingerprint = self.name = ""
        self._simulation.replace_world(empty_world())
        self._log.info(messages.NO_MAP)
        self._end(WorldChange(WorldChangeKind.LEFT, "", by_user), then)

    def _begin(self, name: str, asked_by: Asker | None, by_user: bool, confined: bool, then: Then | None) -> None:
        def work() -> tuple[World, Grid, str] | None:
            path = find_map(name, [self.directory])
            if confined and self._folders is not None:
                check_folder(path, name, self._folders)
            check_size(path)
            found = fingerprint(path)
            if found == self.fingerprint:
                return None
            with loading(path):
                return *load_with_grid(path, Settings(self._resolution)), found

        def done(result: tuple[World, Grid, str] | None, error: MobileSimError | None) -> None:
            kind = WorldChangeKind.UNCHANGED
            if result is not None:
                error = self._put_in_force(name, *result)
                kind = WorldChangeKind.LOADED
            if error is not None:
                kind = WorldChangeKind.FAILED
                self._log.warning(messages.MAP_FAILED.format(file=name, why=error))
            if error is None:
                self.name = name
            self._end(WorldChange(kind, self.name, by_user, asked_by), then, error)

        self.run_beside(work, done)

    def _put_in_force(self, name: str, world: World, grid: Grid, found: str) -> MobileSimError | None:
        """Go on in another world; should that fail, go on in this one and return why."""
        before, before_grid = self._simulation.world, self._simulation.grid
        try:
            with loading(name):
                self._simulation.replace_world(world, grid)
        except MobileSimError as error:
            self._simulation.replace_world(before, before_grid)
            return error
        self.fingerprint = found
        tell_of(world, name, self._log)
        return None

    def _end(self, change: WorldChange, then: Then | None, error: MobileSimError | None = None) -> None:
        self._tell(change)
        if then is not None:
            then(error)
        self._next()
