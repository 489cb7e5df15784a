"""`mobilesim doctor`: what is found, for people and for programs."""

from __future__ import annotations

import json
import socket

import pytest

from mobilesim_py import __version__
from mobilesim_py.errors import UsageError
from mobilesim_py.tools import doctor


def test_it_tells_versions_engine_places_and_ports(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main([]) == 0
    text = capsys.readouterr().out
    for expected in (__version__, "numpy", "engine", "cache", "maps", "TCP 8101", "UDP 30718"):
        assert expected in text


def test_programs_can_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main(["--json"]) == 0
    findings = json.loads(capsys.readouterr().out)
    assert findings["Program"]["MobileSim"] == __version__
    assert findings["Engine"]["engine"] in ("compiled", "numpy")


def test_a_taken_port_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("", 0)) as server:
        monkeypatch.setattr(doctor, "DEFAULT_PORT", server.getsockname()[1])
        assert "it is in use by process" in next(iter(doctor.examine()["Ports"].values()))


def test_without_numba_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from mobilesim_py.app import compiling

    monkeypatch.setattr(compiling, "numba_problem", lambda: "Numba is not installed")
    monkeypatch.setattr(compiling, "load_ready", lambda: None)
    assert doctor.examine()["Engine"] == {"engine": "numpy", "why": "Numba is not installed"}


def test_a_mistake_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="mobilesim doctor"):
        doctor.main(["--everything"])
