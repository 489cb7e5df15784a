"""Benchmarks of the CiberRato contest: the cost of a cycle, and how fast lockstep is with an agent that thinks nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from benchmarks.figures import NUMPY
from benchmarks.inside import repeat
from benchmarks.workshop import Workshop
from mobilesim_py.formats.lab import Grid, Parameters, StartPlace, default_lab
from mobilesim_py.protocols.ciber import RobotRequest, ViewRequest, encode_registration
from mobilesim_py.protocols.ciber.agent import AgentEnd
from mobilesim_py.services.ciberrato import CounterNoise, Game, Setup, Switchboard

PLACES = Grid(tuple(StartPlace(3.0, 3.0 + 2.0 * k) for k in range(5)))
ENDLESS = Parameters(sim_time=1_000_000)
DRIVE = b'<Actions LeftMotor="0.1" RightMotor="0.08"/>\0'
UDP_CYCLES = 1500
UDP_PORT = 23_790
AGENT = """\
import os, socket, time
box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
box.settimeout(5)
box.sendto(b'<Robot Name="a"/>', (os.environ["CIBER_HOST"], int(os.environ["CIBER_PORT"])))
_, door = box.recvfrom(65536)
count, began = 0, None
while count < {cycles}:
    if b'Start="On"' in box.recv(65536):
        began = began or time.perf_counter()
        led = b"On" if count == {cycles} - 1 else b"Off"
        box.sendto(b'<Actions LeftMotor="0.1" RightMotor="0.08" EndLed="' + led + b'"/>', door)
        count += 1
open("rate", "w").write("rate %r" % (count / (time.perf_counter() - began)))
"""


class Table:
    """A game with agents in this process: the datagrams are handed over without sockets."""

    def __init__(self, robots: int, viewers: int = 0) -> None:
        """Register everybody and start."""
        game = Game(Setup(default_lab(), PLACES, ENDLESS), CounterNoise(1))
        self.board: Switchboard[int] = Switchboard(game)
        self.agents = {peer: AgentEnd(RobotRequest(f"robot{peer}")) for peer in range(robots)}
        self.doors: dict[int, int] = {}
        for peer, agent in self.agents.items():
            for data in agent.data_to_send():
                self.board.receive(data, peer)
        for viewer in range(viewers):
            self.board.receive(encode_registration(ViewRequest()), robots + viewer)
        self.cycle()
        game.start()
        self.cycle()

    def cycle(self) -> None:
        """Play a cycle and let the agents answer it."""
        for outgoing in self.board.cycle():
            agent = self.agents.get(outgoing.peer)
            if agent is None:
                continue
            agent.receive_data(outgoing.data)
            self.doors[outgoing.peer] = outgoing.door
            if agent.events() and agent.measures is not None and agent.measures.start:
                agent.drive(0.1, 0.08)
                agent.flush()
        for peer, agent in self.agents.items():
            for data in agent.data_to_send():
                self.board.receive(data, peer, self.doors[peer])
        assert not self.board.awaits()

    def driven_cycle(self) -> None:
        """Play a cycle in which every robot is driven, without the time that agents take."""
        for peer, door in self.doors.items():
            self.board.receive(DRIVE, peer, door)
        self.board.cycle()


def contest(shop: Workshop) -> None:
    """Measure a cycle of five robots and a viewer, lockstep in one process, and lockstep by UDP."""
    shop.say("CiberRato")
    five = Table(5, viewers=1)
    shop.found("ciber_cycle", NUMPY, 1000.0 / repeat(five.driven_cycle, shop.sizes.busy_seconds))
    one = Table(1)
    shop.found("ciber_lockstep", NUMPY, repeat(one.cycle, shop.sizes.busy_seconds))
    shop.found("ciber_udp", NUMPY, _by_udp(shop.folder))


def _by_udp(folder: Path) -> float:
    agent = folder / "trivial_agent.py"
    agent.write_text(AGENT.format(cycles=UDP_CYCLES))
    words = ["--lockstep", "--autostart", "--noninteractive", "--port", str(UDP_PORT), "--seed", "1"]
    line = [sys.executable, "-m", "mobilesim_py", "ciber", *words, "--agent", f"{sys.executable} {agent}"]
    subprocess.run(line, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120)
    found = re.fullmatch(r"rate ([\d.]+)", (folder / "rate").read_text())
    assert found is not None
    return float(found[1])
