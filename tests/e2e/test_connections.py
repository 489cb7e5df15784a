"""How the process treats its clients: one per robot, as many as like for a factory, and none is ever in the way."""

from __future__ import annotations

import math
import os
import random
import re
import signal
import socket
import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from mobilesim_py.protocols.arcos.client import CLOSE, OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader

PATIENCE = 15.0

pytestmark = pytest.mark.e2e


def test_robots_take_ports_in_the_order_of_the_command_line(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx:zoe", "-r", "amigo:anna", "-R", "p3at")
    simulator.wait_for_port(2)
    assert [simulator.connect(n).handshake().identity[2] for n in range(3)] == ["p3dx", "amigo", "p3at"]


@pytest.mark.parametrize("leaving", ["CLOSE", "end of stream", "reset", "in the middle of the handshake"])
def test_a_robot_is_free_at_once_when_its_client_goes(leaving: str, start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    for _ in range(10):
        client = simulator.connect()
        if leaving == "in the middle of the handshake":
            client.send(SYNCS[0] + SYNCS[1][:4])
        else:
            client.handshake().sip()
        if leaving == "CLOSE":
            client.send(CLOSE)
            client.until_closed()
        elif leaving == "reset":
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        if leaving != "CLOSE":  # the simulator cannot know before the packet has crossed the network
            simulator.wait_for_port()


def test_a_second_client_is_refused(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    simulator.connect().handshake()
    with pytest.raises(ConnectionRefusedError):
        simulator.connect()


def test_a_second_client_in_the_queue_is_reset(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    first, second = simulator.connect(), None
    try:
        second = simulator.connect()
    except ConnectionRefusedError:
        return  # it was accepted before the second could queue up
    first.handshake()
    with pytest.raises(ConnectionResetError):
        second.socket.recv(100)


def test_the_whole_handshake_in_one_write(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    client = simulator.connect()
    client.send(b"".join(SYNCS) + OPEN)
    assert [client.next(n).id for n in range(3)] == [0, 1, 2]
    client.sip()


def test_garbage_does_no_harm(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    client = simulator.connect()
    noise = random.Random(4)
    client.send(noise.randbytes(3000) + bytes.fromhex("fafb00fafbff"))
    client.handshake()
    for _ in range(20):
        client.send(noise.randbytes(noise.randrange(500)))
    client.send(bytes.fromhex("fafbcf") + command(Command.CONFIG, 1))
    client.next(0x20)


def test_line_noise_that_looks_like_a_packet_does_not_hold_up_the_handshake(start: Any) -> None:
    simulator = start("--nomap", "-r", "p3dx")
    client = simulator.connect()
    client.send(bytes.fromhex("fafbcf") + SYNCS[0])
    assert client.next(0, seconds=3.0).id == 0
    client.send(bytes.fromhex("fafbcf"))
    time.sleep(1.0)
    client.send(SYNCS[1])
    assert client.next(1, seconds=3.0).id == 1


class PatientClient:
    """A client that handshakes as ARIA does: it asks again after a second, and takes the next packet for the answer."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=15)
        self.reader = PacketReader()
        self.packets: list[Packet] = []
        self.asked = 0

    def handshake(self, state: int, tries: int = 20) -> bool:
        for _ in range(tries):
            self.socket.sendall(SYNCS[state])
            self.asked += 1
            answer = self.answer(1.0)
            state = state + 1 if answer == state else 0
            if state == len(SYNCS):
                return True
        return False

    def answer(self, seconds: float) -> int | None:
        deadline = time.monotonic() + seconds
        while not self.packets:
            self.socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                self.packets += self.reader.feed(self.socket.recv(4096))
            except TimeoutError:
                return None
        return self.packets.pop(0).id


@pytest.mark.parametrize("seconds", [0.5, 1.5, 2.6, 3.6])
@pytest.mark.parametrize("syncs_before", [0, 1, 2])
def test_a_late_answer_does_not_put_a_client_one_answer_behind(start: Any, seconds: float, syncs_before: int) -> None:
    simulator = start("--nomap", "-r", "p3dx", "--engine", "numpy")
    client = PatientClient(simulator.port)
    for number in range(syncs_before):
        client.socket.sendall(SYNCS[number])
        assert client.answer(PATIENCE) == number
    simulator.process.send_signal(signal.SIGSTOP)
    go_on = threading.Timer(seconds, simulator.process.send_signal, [signal.SIGCONT])
    go_on.start()
    assert client.handshake(syncs_before)
    assert client.asked <= 3 + math.ceil(seconds)
    go_on.join()


def test_a_factory_gives_everybody_a_robot_and_keeps_none(start: Any) -> None:
    simulator = start("--nomap", "-R", "p3dx", "--engine", "numpy")  # which loads nothing later
    process = simulator.process.pid

    def descriptors() -> int:
        return len(os.listdir(f"/proc/{process}/fd"))

    first = simulator.connect().handshake()
    first.sip()
    before = descriptors()
    failures: list[str] = []
    stop = time.monotonic() + 6.0

    def come_and_go(seed: int) -> None:
        dice = random.Random(seed)
        while time.monotonic() < stop:
            try:
                with socket.create_connection(("127.0.0.1", simulator.port), timeout=15) as connection:
                    reader, wanted = PacketReader(), dice.choice([0, 1, 2, 0x32])
                    connection.sendall(b"".join(SYNCS) + OPEN)
                    while not any(packet.id == wanted for packet in reader.feed(connection.recv(4096))):
                        pass
                    leaving = dice.randrange(3)
                    if leaving == 0:
                        connection.sendall(CLOSE)
                        while connection.recv(4096):
                            pass
                    elif leaving == 1:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except OSError as error:
                failures.append(repr(error))

    threads = [threading.Thread(target=come_and_go, args=(seed,)) for seed in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    deadline = time.monotonic() + 10.0
    while descriptors() != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert descriptors() == before
    first.sip()
    names = re.findall(r"Creating robot of type p3dx with name (\S+)\.\.\.", simulator.said())
    assert names[0] == "127.0.0.1"
    assert len(names) > 30
    gone = simulator.connect().handshake()
    gone.sip()
    assert simulator.said().rstrip().count("with name 127.0.0.1-2...") >= 2  # the number is free again


def test_a_client_that_does_not_read_delays_nobody(start: Any) -> None:
    simulator = start("--nomap", "-R", "p3dx-sh", "--update-interval", "10", "--update-sim-time", "100")
    lazy, eager = simulator.connect(), simulator.connect()
    lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.handshake()
    eager.handshake()
    lazy.send(command(Command.SIM_LRF_ENABLE, 2))
    for _ in range(200):
        eager.sip()
    memory = Path(f"/proc/{simulator.process.pid}/statm").read_text().split()[1]
    for _ in range(300):
        eager.sip()
    grown = int(Path(f"/proc/{simulator.process.pid}/statm").read_text().split()[1]) - int(memory)
    assert grown * 4096 < 64 * 1024 * 1024


def test_a_pseudo_terminal_serves_one_client_after_the_other(start: Any, tmp_path: Path) -> None:
    link = tmp_path / "robot"
    simulator = start("--nomap", "-r", "p3dx", "--pty", str(link), listening=False)
    simulator.wait_for_text("Pioneer interface ready for a client to connect on /dev/pts/")
    for _ in range(3):
        terminal = os.open(link, os.O_RDWR | os.O_NOCTTY)
        reader, seen = PacketReader(), []
        for data in (*SYNCS, OPEN):
            os.write(terminal, data)
            expected = data[3] if data is not OPEN else 0x32
            deadline = time.monotonic() + 15.0
            while not any(packet.id == expected for packet in seen):
                assert time.monotonic() < deadline
                seen += reader.feed(os.read(terminal, 4096))
        os.write(terminal, CLOSE)
        time.sleep(0.05)
        os.close(terminal)
    simulator.process.terminate()
    assert simulator.wait() == 0
    assert not link.is_symlink()
