"""`mobilesim wait`: return when a robot answers on its port, for scripts that start the simulator and then a client."""

from __future__ import annotations

import contextlib
import socket
import sys
import time

from mobilesim_py.errors import ExitCode
from mobilesim_py.tools.words import Given, run

SYNC0 = bytes.fromhex("fafb03000000")
RETRY_SECONDS = 0.05


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("wait", argv, {"": _wait})


def _wait(given: Given) -> int:
    problem = wait_for(given.host, given.port, given.timeout)
    if problem:
        where = f"{given.host} port {given.port}"
        print(f"MobileSim: no robot answered on {where} within {given.timeout:g} s: {problem}.", file=sys.stderr)
        return ExitCode.NO_ANSWER
    return ExitCode.OK


def wait_for(host: str, port: int, timeout: float) -> str:
    """Wait until a robot answers; return why none did, or nothing."""
    deadline = time.monotonic() + timeout
    while True:
        left = deadline - time.monotonic()
        problem = try_once(host, port, max(0.05, left))
        if not problem or time.monotonic() + RETRY_SECONDS >= deadline:
            return problem
        time.sleep(RETRY_SECONDS)


def try_once(host: str, port: int, timeout: float) -> str:
    """Connect, say SYNC0 and hear it back, and leave so that the port is free for the next; return what went wrong."""
    deadline = time.monotonic() + timeout
    try:
        with socket.create_connection((host, port), timeout=timeout) as connection:
            connection.sendall(SYNC0)
            heard = b""
            while SYNC0 not in heard:
                connection.settimeout(max(0.01, deadline - time.monotonic()))
                data = connection.recv(4096)
                if not data:
                    return "it closed the connection"
                heard = (heard + data)[-4096:]
            # Ready means that the robot is free again, which is when the simulator has closed its side, too.
            connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                connection.settimeout(max(0.5, deadline - time.monotonic()))
                while connection.recv(4096):
                    pass
    except TimeoutError:
        return "it did not answer"
    except ConnectionRefusedError:
        return "nothing listens there, or the robot has a client already"
    except socket.gaierror:
        return "there is no such host"
    except OSError as error:
        return error.strerror or str(error)
    return ""
