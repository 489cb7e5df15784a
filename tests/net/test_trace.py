"""One trace sees every crossing at every door, and may lose or change the bytes."""

from __future__ import annotations

import asyncio
import os
import socket
import tty
from typing import Any

from mobilesim_py.app.logs import Log
from mobilesim_py.net.datagrams import DatagramPort
from mobilesim_py.net.doors import Doors
from mobilesim_py.net.ports import FactoryPort, RobotPort
from mobilesim_py.net.pseudo_terminal import PtyPort
from mobilesim_py.net.serial_line import SerialPort
from mobilesim_py.net.trace import Crossing, Tracer


class Notes(list[Crossing]):
    """A trace that remembers and changes nothing."""

    def __call__(self, crossing: Crossing) -> bytes:
        self.append(crossing)
        return crossing.data

    def words(self) -> list[tuple[bool, bytes]]:
        return [(crossing.incoming, crossing.data) for crossing in self]


def test_traces_are_asked_one_after_the_other_and_the_second_sees_what_the_first_let_through() -> None:
    tracer = Tracer(lambda: 7.5)
    notes = Notes()
    tracer.install(lambda crossing: None if crossing.data == b"lose" else crossing.data.upper())
    remove = tracer.install(notes)
    assert tracer.cross("door", "peer", 3, True, b"ab") == b"AB"
    assert tracer.cross("door", "peer", 3, True, b"lose") is None
    assert notes == [Crossing(7.5, "door", "peer", 3, True, b"AB")]
    remove()
    assert tracer.cross("door", "peer", 3, False, b"c") == b"C"
    assert len(notes) == 1


def test_when_the_last_trace_is_gone_nobody_is_asked() -> None:
    tracer = Tracer()
    remove = tracer.install(Notes())
    remove()
    remove()
    assert tracer.trace is None


def test_what_goes_through_a_tcp_port_is_traced(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        doors, notes = Doors(lambda: 1.25), Notes()
        port = doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        doors.install(notes)
        client = socket.create_connection(("127.0.0.1", port.port))
        client.sendall(b"hello")
        await eventually(lambda: len(notes) == 2)
        assert client.recv(100) == b"hello!"
        assert notes.words() == [(True, b"hello"), (False, b"hello!")]
        assert {(c.time, c.door, c.peer) for c in notes} == {(1.25, port.address, "localhost (127.0.0.1)")}
        client.close()
        await eventually(lambda: bool(sessions[0].lost_because))
        doors.close_all()

    run(story())


def test_two_clients_of_one_door_have_different_numbers(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        doors, notes = Doors(), Notes()
        port = doors.open(FactoryPort("127.0.0.1", 0, sessions, log))
        doors.install(notes)
        clients = [socket.create_connection(("127.0.0.1", port.port)) for _ in range(2)]
        for client in clients:
            client.sendall(b"x")
        await eventually(lambda: len(notes) == 4)
        assert len({crossing.client for crossing in notes}) == 2
        for client in clients:
            client.close()
        await eventually(lambda: all(session.lost_because for session in sessions))
        doors.close_all()

    run(story())


def test_lost_bytes_do_not_arrive_and_corrupted_ones_arrive_corrupted(
    sessions: Any, log: Log, run: Any, eventually: Any
) -> None:
    def fault(crossing: Crossing) -> bytes | None:
        if crossing.data == b"lose me":
            return None
        return crossing.data if crossing.incoming else b"?" + crossing.data[1:]

    async def story() -> None:
        doors = Doors()
        port = doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        doors.install(fault)
        client = socket.create_connection(("127.0.0.1", port.port))
        client.sendall(b"lose me")
        await asyncio.sleep(0.02)
        client.sendall(b"take me")
        await eventually(lambda: bool(sessions and sessions[0].heard))
        assert sessions[0].heard == b"take me"
        assert client.recv(100) == b"?ake me!"
        client.close()
        await eventually(lambda: bool(sessions[0].lost_because))
        doors.close_all()

    run(story())


def test_a_client_that_left_before_it_was_answered_is_traced(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        doors, notes = Doors(), Notes()
        port = doors.open(RobotPort("127.0.0.1", 0, sessions, log))
        doors.install(notes)
        client = socket.create_connection(("127.0.0.1", port.port))
        client.sendall(b"bye")
        client.shutdown(socket.SHUT_WR)
        await eventually(lambda: len(notes) == 2)
        assert notes.words() == [(True, b"bye"), (False, b"bye!")]
        client.close()
        doors.close_all()

    run(story())


def test_datagrams_are_traced(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        doors, notes = Doors(), Notes()
        port = doors.open(DatagramPort("127.0.0.1", 0, sessions, log))
        doors.install(notes)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"ping", ("127.0.0.1", port.port))
            await eventually(lambda: len(notes) == 2)
        assert notes.words() == [(True, b"ping"), (False, b"ping!")]
        doors.close_all()

    run(story())


def test_lines_are_traced(sessions: Any, log: Log, run: Any, eventually: Any) -> None:
    async def story() -> None:
        doors, notes = Doors(), Notes()
        master, slave = os.openpty()
        tty.setraw(slave)
        terminal = doors.open(PtyPort("", sessions, log))
        line = doors.open(SerialPort(os.ttyname(slave), 115200, sessions, log))
        doors.install(notes)
        client = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
        os.write(client, b"pty")
        os.write(master, b"serial")
        await eventually(lambda: len(notes) == 4)
        assert sorted((c.door, c.incoming, c.data) for c in notes) == sorted(
            [
                (terminal.path, False, b"pty!"),
                (terminal.path, True, b"pty"),
                (line.device, False, b"serial!"),
                (line.device, True, b"serial"),
            ]
        )
        os.close(client)
        doors.close_all()
        os.close(master)
        os.close(slave)

    run(story())
