"""The rules of the house: which room may import which, and where tests are.

Imports within functions count; those for type checkers do not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mobilesim_py

PACKAGE = Path(mobilesim_py.__file__).resolve().parent

LEAVES = ("errors", "geometry", "log", "messages", "names", "resources")
"""Modules beside the rooms that anybody may import; they import only one another."""
FACES = ("__init__", "__main__", "aio", "gym", "pytest_plugin", "testing")
"""Modules beside the rooms that may import everything, and that no room imports."""
ROOT_NAMES = ("APPLICATION", "__version__")
"""What rooms may take from the package itself; its other names are for users."""
ORDER = (
    *("native", "protocols", "catalogue", "world", "formats", "navigation", "garden", "core"),
    *("net", "services", "view", "app", "clients", "lab", "tools"),
)
"""The rooms; each may import those before it and none after it, so there can be no cycle. A new room gets its place here."""
FORBIDDEN = {
    "protocols": ("core", "catalogue", "services", "net"),
    "core": ("protocols", "services", "app", "net", "view"),
    "world": ("protocols", "services", "app", "net", "view"),
    "catalogue": ("world", "formats", "core"),
    "garden": ("core",),
    "navigation": ("protocols", "formats", "core"),
}
"""What a room must not import, whatever its place."""
ASYNCIO_ROOMS = ("net", "view", "app", "clients")
TESTS = Path(__file__).resolve().parent
TWINS = ("core/engines/compiled", "core/engines/numpy")
"""Rooms with the same file names, which one test in the folder above compares."""
TESTS_OF_SEVERAL_MODULES = {
    "services/test_toy_service.py": "a second protocol beside ARCOS: no module of ours, but the proof that one can be added",
    "core/devices/test_toy_device.py": "a third kind of device: no module of ours, but the proof that one can be added",
    "services/ciberrato/test_recordings.py": "whole games against recordings of the original",
}
"""Tests in the rooms' folders that have no module of their name, and why. Other folders (conformance, e2e, browser) are not
rooms: they test the whole program, from its bytes, its process or its page."""


def imported(node: ast.AST, packages: tuple[str, ...]) -> Iterator[str]:
    """Find all that is imported at or below a node, as dotted names; `from a import b` is `a.b`.

    `packages` are those that the module is in, the outermost first: a relative import begins there.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield from imported(ast.Module([other], []), packages)
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            above = packages[: len(packages) + 1 - child.level] if child.level else ()
            module = ".".join([*above, *filter(None, [child.module])])
            yield from (f"{module}.{alias.name}" for alias in child.names)
        else:
            yield from imported(child, packages)


def module_of(name: str, package: Path) -> str:
    """Return the module `room/file` that a dotted name within the package means, or the name itself if it means none."""
    parts = name.split(".")[1:]
    for end in range(len(parts), 0, -1):
        place = package.joinpath(*parts[:end])
        if place.with_suffix(".py").is_file() or (place / "__init__.py").is_file():
            return "/".join(parts[:end])
    return "/".join(parts)


def violations(package: Path) -> set[str]:
    """Find all imports that break a rule, as `importing module -> imported module`."""
    found = set()
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).with_suffix("").as_posix()
        packages = path.parent.relative_to(package.parent).parts
        for name in imported(ast.parse(path.read_text(encoding="utf-8")), packages):
            target = module_of(name, package) if name.split(".")[0] == package.name else name
            if breaks_a_rule(module, name, target, package.name):
                found.add(f"{module} -> {target}")
    return found


def breaks_a_rule(module: str, name: str, target: str, package: str) -> bool:
    """Tell whether a module may not import a name, which means the module `target`."""
    room, other = module.split("/")[0], target.split("/")[0]
    if name.split(".")[0] == "asyncio":
        return room not in (*ASYNCIO_ROOMS, *FACES)
    if name.split(".")[0] != package or room in FACES or room == other or other in (*LEAVES, *ROOT_NAMES):
        return False
    if room in LEAVES or other not in ORDER or room not in ORDER:
        return True
    return ORDER.index(other) > ORDER.index(room) or other in FORBIDDEN.get(room, ())


def test_every_room_has_its_place_in_the_order() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms <= set(ORDER)
    assert {path.stem for path in PACKAGE.glob("*.py")} <= {*LEAVES, *FACES}


def test_no_import_breaks_a_rule() -> None:
    assert sorted(violations(PACKAGE)) == []


@pytest.mark.parametrize(
    ("module", "text", "found"),
    [
        ("core/robot.py", "from mobilesim_py.protocols.arcos import sip", "core/robot -> protocols/arcos/sip"),
        ("world/grid.py", "def f():\n    import mobilesim_py.view", "world/grid -> view"),
        (
            "protocols/arcos/sip.py",
            "from mobilesim_py.catalogue.model import Model",
            "protocols/arcos/sip -> catalogue/model",
        ),
        ("catalogue/model.py", "from mobilesim_py.world import grid", "catalogue/model -> world/grid"),
        ("net/tcp.py", "if True:\n    from mobilesim_py.app import logs", "net/tcp -> app/logs"),
        ("view/page.py", "from mobilesim_py import Simulation", "view/page -> Simulation"),
        ("core/robot.py", "import asyncio", "core/robot -> asyncio"),
        ("services/fleet.py", "from asyncio import sleep", "services/fleet -> asyncio.sleep"),
        ("errors.py", "from mobilesim_py.world.grid import Grid", "errors -> world/grid"),
        ("core/engines/robot.py", "from ...app import logs", "core/engines/robot -> app/logs"),
        ("core/engines/robot.py", "from .. import robot\nfrom ..robot import Robot", ""),
        ("attic/robot.py", "from mobilesim_py.core.robot import Robot", "attic/robot -> core/robot"),
        ("app/program.py", "from mobilesim_py.core.robot import Robot", ""),
        ("net/tcp.py", "import asyncio\nfrom mobilesim_py import __version__, messages", ""),
        ("core/robot.py", "if TYPE_CHECKING:\n    from mobilesim_py.app.logs import Log", ""),
        ("core/robot.py", "import numpy\nfrom mobilesim_py.geometry import Pose", ""),
        ("testing.py", "import asyncio\nfrom mobilesim_py.app.logs import Log", ""),
    ],
)
def test_the_rules_notice(module: str, text: str, found: str, tmp_path: Path) -> None:
    package = tmp_path / "mobilesim_py"
    for other in ("protocols/arcos/sip", "catalogue/model", "world/grid", "app/logs", "core/robot", "view/__init__", module):
        path = package / f"{other.removesuffix('.py')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (package / module).write_text(text)
    assert violations(package) == ({found} if found else set())


def mirrored(test: Path) -> set[str]:
    """Return the modules that a test file may belong to by its name and place, as paths within the package."""
    place = test.parent.relative_to(TESTS).as_posix()
    name = test.stem.removeprefix("test_")
    return {f"{place}/{name}.py", *(f"{twin}/{name}.py" for twin in TWINS if place == str(Path(twin).parent))}


def test_a_test_has_the_name_and_place_of_its_module() -> None:
    tests = [test for room in ORDER for test in sorted((TESTS / room).rglob("test_*.py"))]
    assert len(tests) > 100
    homeless = {
        test.relative_to(TESTS).as_posix()
        for test in tests
        if not any((PACKAGE / path).is_file() for path in mirrored(test))
    }
    assert homeless == set(TESTS_OF_SEVERAL_MODULES)
