"""`mobilesim wait`: ready means that a robot answers and is free."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from mobilesim_py.errors import UsageError
from mobilesim_py.tools.wait import SYNC0, main

Answer = Callable[[socket.socket], None]


@contextmanager
def robot(answer: Answer) -> Iterator[str]:
    """Listen on a port and treat each client as `answer` says."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        stopped = threading.Event()

        def serve() -> None:
            while not stopped.is_set():
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.settimeout(5.0)
                    answer(client)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield str(server.getsockname()[1])
        stopped.set()
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5.0)


def test_a_robot_that_answers_is_ready() -> None:
    farewell: list[bytes] = []

    def answer(client: socket.socket) -> None:
        assert client.recv(100) == SYNC0
        client.sendall(b"\x00garbage" + SYNC0)
        farewell.append(client.recv(100))  # nothing: it left politely

    with robot(answer) as port:
        assert main(["--port", port, "--timeout", "5"]) == 0
    assert farewell == [b""]


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert main([f"--port={port}", "--timeout=0.05"]) == 1
    assert "nothing listens there" in capsys.readouterr().err


def test_somebody_else_there(capsys: pytest.CaptureFixture[str]) -> None:
    with robot(lambda client: None) as port:
        assert main(["-p", port, "--timeout", "0.1"]) == 1
    assert f"no robot answered on 127.0.0.1 port {port}" in capsys.readouterr().err


def test_somebody_who_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    release = threading.Event()
    with robot(lambda client: release.wait(5.0) and None) as port:  # type: ignore[func-returns-value]
        assert main(["-p", port, "--timeout", "0.1"]) == 1
        release.set()
    assert "it did not answer" in capsys.readouterr().err


def test_a_robot_that_is_late_is_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    late = socket.socket()
    late.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)

    def appear() -> None:
        late.bind(("127.0.0.1", port))
        late.listen()
        client, _ = late.accept()
        with client:
            client.recv(100)
            client.sendall(SYNC0)

    timer = threading.Timer(0.2, appear)
    timer.start()
    assert main(["--port", str(port), "--timeout", "10"]) == 0
    timer.join()
    late.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--port", "x"], "--port wants"), (["--prot", "1"], "--prot"), (["--port"], "needs a value"), (["8101"], "8101")],
)
def test_a_mistake_is_a_usage_error(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        main(words)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "mobilesim wait" in capsys.readouterr().out
