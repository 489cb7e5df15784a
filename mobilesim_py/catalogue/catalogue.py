"""Robot models by name: those that come with the program, the user's own, and ARIA parameter files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mobilesim_py.catalogue.build import BOX_KINDS, ROBOT_KINDS, build_model
from mobilesim_py.catalogue.model import LaserModel, RobotModel
from mobilesim_py.catalogue.sensors import build_laser
from mobilesim_py.catalogue.worldfile import Worldfile
from mobilesim_py.errors import ModelError, ParameterFileError, WorldfileError
from mobilesim_py.resources import models_dir, resource_dir

MODELS_FILE = "PioneerRobotModels.world.inc"
"""The file that includes all others; the name is that of the original, so that Stage worlds find it."""
PARAMETER_SUFFIX = ".p"


class Catalogue:
    """Looks models up by name; each is built on first use."""

    def __init__(self, worldfile: Worldfile, cwd: Path, aria: Path | None = None) -> None:
        self.worldfile = worldfile
        """All that was read; its root has the instances and settings that stand outside of any definition."""
        self._cwd = cwd
        self._aria = aria
        self._built: dict[str, RobotModel] = {}

    @classmethod
    def load(
        cls,
        directory: Path | None = None,
        user_include: Path | None = None,
        cwd: Path | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> Catalogue:
        """Read all definitions: ours (or those of the resource directory), then the user's.

        The resource directory is what the environment variable MOBILESIM names unless `directory` is given;
        `user_include` is `~/.MobileSim/include` unless given. WorldfileError if a file cannot be understood.
        """
        ours = models_file(directory, environ)
        worldfile = Worldfile(search=(ours.parent,))
        worldfile.load(ours)
        for path in _user_files(user_include if user_include is not None else _user_include(environ)):
            worldfile.load(path)
        aria = environ.get("ARIA")
        return cls(worldfile, cwd if cwd is not None else Path.cwd(), Path(aria) if aria else None)

    def names(self) -> list[str]:
        """List the names of all robots and boxes, in the order of the files."""
        return [name for name in self.worldfile.definitions if self._listed(name)]

    def find(self, name: str) -> RobotModel:
        """Find the model of a name, or of an ARIA parameter file `NAME.p`; ModelError or ParameterFileError if none."""
        model = self._built.get(name)
        if model is None:
            model = self._built[name] = self._build(name)
        return model

    def laser(self, name: str) -> LaserModel:
        """Find a laser by the name of its definition."""
        section = self.worldfile.find(name)
        if section is None or section.kind != "laser":
            raise ModelError(f"There is no laser '{name}' among the model definitions.")
        return build_laser(section)

    def _build(self, name: str) -> RobotModel:
        if name.endswith(PARAMETER_SUFFIX):
            return self._from_parameters(name)
        section = self.worldfile.find(name)
        if section is None:
            raise ModelError(self._unknown(name))
        if section.kind not in (*ROBOT_KINDS, *BOX_KINDS):
            bases = section.lineage[-1] if section.lineage else name
            raise ModelError(
                f"'{name}' ({section.path}:{section.line}) cannot be a robot: '{bases}' is based on '{section.kind}', "
                "and a robot is based on 'pioneer' or 'position', a box on 'model'."
            )
        return build_model(section, name)

    def _from_parameters(self, name: str) -> RobotModel:
        from mobilesim_py.catalogue.parameters import load_parameters

        places = [self._cwd / name]
        if self._aria is not None:
            places.append(self._aria / "params" / name)
        places.append(models_dir() / name)
        for path in places:
            if path.is_file():
                return load_parameters(path, self.laser)
        looked = ", ".join(str(path) for path in places)
        hint = "" if self._aria is not None else "; set the environment variable ARIA to look in $ARIA/params too"
        raise ParameterFileError(f"There is no parameter file '{name}' (looked for {looked}{hint}).")

    def _listed(self, name: str) -> bool:
        definition = self.worldfile.definitions[name]
        if "unlisted" in definition.body.properties:
            return False
        base, seen = definition.base, {name}
        while base in self.worldfile.definitions and base not in seen:
            seen.add(base)
            base = self.worldfile.definitions[base].base
        return base in ROBOT_KINDS or base in BOX_KINDS

    def _unknown(self, name: str) -> str:
        import difflib  # imported only for misspelt names

        names = self.names()
        lower = {known.lower(): known for known in reversed(names)}
        near = [lower[key] for key in difflib.get_close_matches(name.lower(), lower, n=4, cutoff=0.5)]
        guess = f"Did you mean {_either(near)}? " if near else ""
        return f"There is no robot model '{name}'. {guess}`mobilesim models` lists all {len(names)}."


def models_file(directory: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Find the file of model definitions: of a resource directory, or of the one MOBILESIM names, or ours.

    A resource directory that exists but has no models, such as one with maps only, leaves ours in force.
    """
    named = directory if directory is not None else resource_dir(environ)
    if named is not None:
        for candidate in (named / "models" / MODELS_FILE, named / MODELS_FILE):
            if candidate.is_file():
                return candidate
    return models_dir() / MODELS_FILE


def _user_include(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return Path(home if home else os.path.expanduser("~")) / ".MobileSim" / "include"


def _user_files(directory: Path) -> list[Path]:
    """List the files of the user's include directory in alphabetical order; dot files are not for us."""
    try:
        found = sorted(directory.iterdir()) if directory.is_dir() else []
    except OSError as error:
        raise WorldfileError(f"cannot be read: {error.strerror or error}", str(directory)) from None
    return [path for path in found if not path.name.startswith(".") and path.is_file()]


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
