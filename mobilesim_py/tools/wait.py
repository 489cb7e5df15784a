"""`mobilesim wait`: return when a robot answers on its port, for scripts that start the simulator and then a client."""

from __future__ import annotations

import contextlib
import socket
import sys
import time

from mobilesim_py.app.option_values import decimal, whole, word
from mobilesim_py.app.options import DEFAULT_PORT
from mobilesim_py.errors import ExitCode, UsageError

USAGE = "mobilesim wait [--port PORT] [--host HOST] [--timeout SEC]"
SYNC0 = bytes.fromhex("fafb03000000")
NOT_READY = 1
RETRY_SECONDS = 0.05
_READERS = {"port": whole(1, 65535), "host": word, "timeout": decimal(0.0)}
_SHORT = {"-p": "port", "-h": "help"}


def main(argv: list[str]) -> int:
    """Wait as the words say: 0 when a robot answered, 1 when none did in time."""
    settings: dict[str, object] = {"port": DEFAULT_PORT, "host": "127.0.0.1", "timeout": 5.0}
    words = list(argv)
    while words:
        argument, equals, attached = words.pop(0).partition("=")
        name = _SHORT.get(argument) or argument.lstrip("-")
        if name == "help":
            print(f"Usage: {USAGE}\n\nExit code 0 when a robot answers, {NOT_READY} when none does in time.")
            return ExitCode.OK
        reader = _READERS.get(name) if argument.startswith("-") else None
        if reader is None:
            raise UsageError(f'I do not know what to do with "{argument}". Usage: {USAGE}')
        if not equals and not words:
            raise UsageError(f"{argument} needs a value. Usage: {USAGE}")
        text = attached if equals else words.pop(0)
        try:
            settings[name] = reader(text)
        except ValueError as expected:
            raise UsageError(f'--{name} wants {expected}, not "{text}".') from None
    host, port, timeout = str(settings["host"]), int(str(settings["port"])), float(str(settings["timeout"]))
    problem = wait_for(host, port, timeout)
    if problem:
        print(f"MobileSim: no robot answered on {host} port {port} within {timeout:g} s: {problem}.", file=sys.stderr)
        return NOT_READY
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
