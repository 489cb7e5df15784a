"""How clients are called in the log, and who holds a port."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mobilesim_py.net import peers
from mobilesim_py.net.holder import holder_of_port


@pytest.mark.parametrize(
    ("address", "described"),
    [
        (("127.0.0.1", 5000), "localhost (127.0.0.1)"),
        (("::ffff:127.0.0.1", 5000, 0, 0), "localhost (127.0.0.1)"),
        (("203.0.113.9", 5000), "203.0.113.9 (203.0.113.9)"),
        (("192.0.2.7", 5000), "lab-pc (192.0.2.7)"),
        ("", " ()"),
    ],
)
def test_a_peer_is_described(address: object, described: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("# names\n192.0.2.7 lab-pc lab-pc.example  # the one in the corner\n\nodd\n")
    monkeypatch.setattr(peers, "HOSTS_FILE", str(hosts))
    monkeypatch.setattr(peers, "_names", None)
    assert peers.describe_peer(address) == described


def test_a_machine_without_names_still_knows_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "HOSTS_FILE", "/no/such/file")
    monkeypatch.setattr(peers, "_names", None)
    assert peers.describe_peer(("127.0.0.1", 1)) == "localhost (127.0.0.1)"


def test_the_holder_of_a_port_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert holder_of_port(server.getsockname()[1]).startswith(f"process {os.getpid()} (")


def test_nobody_holds_a_free_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert holder_of_port(port) == ""
