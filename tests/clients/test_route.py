"""Ways to a robot."""

from __future__ import annotations

import os
import pty
import socket
import threading
import time
import tty

import pytest

from mobilesim_py.clients.route import LineRoute, TcpRoute, open_route
from mobilesim_py.errors import NoAnswerError, UsageError


def test_an_address_of_a_host_and_a_port_is_tcp() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"tcp://127.0.0.1:{port}", f"tcp://127.0.0.1:{port}/"):
            route = open_route(address, 9600)
            assert isinstance(route, TcpRoute)
            assert not route.is_line
            route.set_baud(115200)
            server.accept()[0].close()
            route.close()


def test_an_address_in_brackets_is_ipv6() -> None:
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("there is no IPv6 here")
    with server:
        open_route(f"[::1]:{server.getsockname()[1]}", 9600).close()


def test_tcp_carries_bytes_and_tells_the_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        route = open_route(f"127.0.0.1:{server.getsockname()[1]}", 9600)
        robot, _ = server.accept()
        assert route.read(0.0) == b""
        robot.sendall(b"abc")
        assert route.read(5.0) == b"abc"
        route.write(b"de")
        assert robot.recv(10) == b"de"
        robot.close()
        assert route.read(5.0) is None
        route.close()


def test_a_reset_is_an_end_and_not_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        route = open_route(f"127.0.0.1:{server.getsockname()[1]}", 9600)
        robot, _ = server.accept()
        robot.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        robot.close()
        assert route.read(5.0) is None
        route.close()


def test_a_read_is_woken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        route = open_route(f"127.0.0.1:{server.getsockname()[1]}", 9600)
        read: list[bytes | None] = []
        reader = threading.Thread(target=lambda: read.append(route.read(60.0)))
        reader.start()
        route.wake()
        reader.join(20.0)
        assert read == [b""]
        server.accept()[0].close()
        route.close()


def test_a_pseudo_terminal_is_a_line() -> None:
    robot, device = pty.openpty()
    tty.setraw(device)
    route = open_route(os.ttyname(device), 9600)
    assert isinstance(route, LineRoute)
    assert route.is_line
    route.write(b"hello")
    assert os.read(robot, 10) == b"hello"
    os.write(robot, b"\xfa\xfb")
    heard, deadline = b"", time.monotonic() + 20.0
    while heard != b"\xfa\xfb" and time.monotonic() < deadline:
        heard += route.read(0.1) or b""
    assert heard == b"\xfa\xfb"
    route.set_baud(38400)
    route.wake()
    os.close(device)
    os.close(robot)
    assert route.read(1.0) is None
    route.close()


@pytest.mark.parametrize(
    ("address", "kind", "sentence"),
    [
        ("", UsageError, "Where is the robot"),
        ("localhost:99999", UsageError, "no address of a robot"),
        ("localhost:1", NoAnswerError, "Cannot connect to localhost:1: Connection refused"),
        ("/dev/nothing", NoAnswerError, "Cannot connect to /dev/nothing"),
        ("nonsense://x", UsageError, "no address of a robot"),
    ],
)
def test_a_way_that_there_is_not_is_told(address: str, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        open_route(address, 9600)


def test_a_host_alone_is_port_8101(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def refuse(place: object, timeout: float) -> socket.socket:
        asked.append(place)
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(NoAnswerError):
        open_route("robot7", 9600)
    assert asked == [("robot7", 8101)]
