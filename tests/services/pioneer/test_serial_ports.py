"""What hangs on serial ports: peripherals, and programs at the other end of a line."""

from __future__ import annotations

from mobilesim_py.protocols.peripherals.peripheral import Mute
from mobilesim_py.services.pioneer.attaching import AGAIN_SECONDS
from mobilesim_py.services.pioneer.serial_ports import BUFFER, Remote, RemoteEnd, SerialPorts


class Wire:
    """A link that keeps what is written."""

    peer = "somebody"
    dropped = pending = 0

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> bool:
        self.written += data
        return True

    def close(self) -> None:
        pass


def test_a_camera_hangs_on_the_first_port_and_nothing_on_the_others() -> None:
    ports = SerialPorts()
    assert [port.kind for port in ports.ports.values()] == ["vcc4", "none", "none"]
    assert list(ports.mounts) == [1]
    assert not ports.speaks
    assert Mute().receive(b"x", 0.0) == Mute().speak(0.0) == b""


def test_a_program_at_the_other_end_hears_and_says() -> None:
    notes: list[str] = []
    remote = Remote(notes.append)
    ports = SerialPorts({2: "tcp:h:1"})
    ports.attach(2, remote)
    assert ports.speaks
    ports.write(2, b"lost", 0.0)
    wire, end = Wire(), RemoteEnd(remote)
    end.attach(wire)
    ports.write(2, b"hello", 0.0)
    assert wire.written == b"hello"
    ports.ask(2, 3)
    end.receive(b"abcd")
    assert ports.due() == []
    ports.listen(1.0)
    assert ports.due() == [(2, b"abc")]
    end.receive(b"x" * 3 * BUFFER)
    ports.listen(1.0)
    assert len(ports.ports[2].heard) == BUFFER
    end.lost("gone")
    end.lost("gone again")
    ports.reset()
    assert len(notes) == 2
    assert AGAIN_SECONDS > 0.0
