"""The parameters of a master: a tree, in which a namespace is a parameter whose value is a dict."""

from __future__ import annotations

from typing import Any

from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.ros.names import namespace_of, resolve

MOST_PARAMETERS = 100_000
DEEPEST = 40


class MissingParameterError(KeyError):
    """A parameter that is not set."""


def _parts(key: str) -> list[str]:
    return [part for part in key.split("/") if part]


def _count(value: Any) -> int:
    """Return the parameters and namespaces in a value."""
    return 1 + sum(map(_count, value.values())) if isinstance(value, dict) else 1


def _depth(value: Any) -> int:
    """Return the levels of a value."""
    return 1 + max(map(_depth, value.values()), default=0) if isinstance(value, dict) else 1


class Parameters:
    """The tree. Keys are global names."""

    def __init__(self) -> None:
        self._tree: dict[str, Any] = {}
        self._size = 1  # the root

    def set(self, key: str, value: Any) -> None:
        """Set a parameter or a whole namespace; raise WireError when the tree would grow beyond all reason."""
        *path, last = _parts(key) or [""]
        if not last and not isinstance(value, dict):
            raise WireError("the root of all parameters can only be set to a struct")
        if len(path) + _depth(value) > DEEPEST:
            raise WireError(f"a parameter of more than {DEEPEST} levels")
        new, old = _count(value), _count(self.get(key)) if self.has(key) else 0
        if self._size + new - old + len(path) > MOST_PARAMETERS:
            raise WireError(f"more than {MOST_PARAMETERS} parameters")
        self._size += new - old
        if not last:
            self._tree = value
            return
        place = self._tree
        for part in path:
            inner = place.get(part)
            if not isinstance(inner, dict):
                self._size += part not in place
                inner = place[part] = {}
            place = inner
        place[last] = value

    def get(self, key: str) -> Any:
        """Return a parameter, or a dict of all in a namespace; raise MissingParameterError where there is none."""
        value: Any = self._tree
        for part in _parts(key):
            if not isinstance(value, dict) or part not in value:
                raise MissingParameterError(key)
            value = value[part]
        return value

    def has(self, key: str) -> bool:
        """Return whether a parameter or a namespace is set."""
        try:
            self.get(key)
        except MissingParameterError:
            return False
        return True

    def delete(self, key: str) -> None:
        """Delete a parameter or a namespace; raise MissingParameterError where there is none."""
        self._size -= _count(self.get(key))
        *path, last = _parts(key) or [""]
        if not last:
            self._tree = {}
            self._size = 1
        else:
            del self.get("/".join(path))[last]

    def names(self) -> list[str]:
        """Return the names of all parameters that are not namespaces."""
        found: list[str] = []
        waiting: list[tuple[str, Any]] = [("", self._tree)]
        while waiting:
            name, value = waiting.pop()
            if isinstance(value, dict):
                waiting += [(f"{name}/{part}", inner) for part, inner in value.items()]
            else:
                found.append(name)
        return sorted(found)

    def search(self, namespace: str, key: str) -> str | None:
        """Return the name of the parameter that a node in `namespace` finds for `key`, going upwards; None for none."""
        if key.startswith("/"):
            return key if self.has(key) else None
        first = key.partition("/")[0]
        while True:
            if self.has(resolve(first, namespace)):
                return resolve(key, namespace)
            if namespace == "/":
                return None
            namespace = namespace_of(namespace)
