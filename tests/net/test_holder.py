"""Who listens on a port."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from mobilesim_py.net.holder import holder_of_port

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_the_process_that_listens_is_named_and_nobody_after_it_has_closed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert holder_of_port(port).startswith(f"process {os.getpid()} (")
    assert holder_of_port(port) == ""
