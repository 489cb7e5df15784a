"""A client of a robot: against a robot that the test plays, and against the real program on every kind of way."""

from __future__ import annotations

import math
import os
import pty
import random
import select
import socket
import termios
import threading
import tty
from collections.abc import Iterator

import pytest
import serial
import serial.rfc2217

import mobilesim_py as ms
from mobilesim_py.clients.sync.pioneer import End, Pioneer, StandsStill
from mobilesim_py.errors import LostError, NoAnswerError, UsageError
from mobilesim_py.protocols.arcos.client import CLOSE, SYNCS
from mobilesim_py.protocols.arcos.client_connection import ASK_CONFIG, Connected, Lost
from mobilesim_py.protocols.arcos.config import Config, pack_config
from mobilesim_py.protocols.arcos.measured import LaserScan, Odometer, Sip, Units, read_sip
from mobilesim_py.protocols.arcos.packet import Packet, PacketReader, encode
from mobilesim_py.protocols.arcos.simulator import GpsData, MapChanged, SimInfo, WireSimStat
from mobilesim_py.protocols.arcos.sip import WireSip
from tests.clients.conftest import PlayedRobot, stage
from tests.conformance.recording import load

CONFIG = pack_config(Config(subclass="p3dx-sh", serial_number="0815"))
VEL, PULSE = 11, 0


def until_goodbye(robot: PlayedRobot) -> None:
    robot.hear(CLOSE[3])


def greet(robot: PlayedRobot) -> None:
    robot.welcome()
    robot.say(CONFIG)


# With a robot that the test plays


def test_a_session_from_hello_to_goodbye() -> None:
    heard: list[int] = []

    def play(robot: PlayedRobot) -> None:
        greet(robot)
        robot.tell_sip()
        while not heard or heard[-1] != CLOSE[3]:
            heard.append(robot.hear().id)

    with stage(play) as address, Pioneer(address) as robot:
        assert robot.identity.name == "Fred"
        assert robot.config is not None
        assert robot.config.subclass == "p3dx-sh"
        assert robot.is_connected
        assert not robot.is_simulated
        assert robot.sip.pose == ms.Pose()
        robot.drive(0.1)
    assert VEL in heard
    assert heard[-2:] == [4, 2], "the motors are off before the session ends"
    assert not robot.is_connected
    with pytest.raises(LostError, match="was closed here"):
        robot.drive(0.1)
    robot.close()


def test_a_robot_that_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mobilesim_py.protocols.arcos.client_connection.ANSWER_SECONDS", 0.01)

    def play(robot: PlayedRobot) -> None:
        while True:
            robot.hear()

    with stage(play) as address, pytest.raises(NoAnswerError, match="no robot answered"):
        Pioneer(address)


def test_a_robot_that_hangs_up_at_once_is_told() -> None:
    with stage(lambda robot: None) as address, pytest.raises(NoAnswerError, match="closed at the other end"):
        Pioneer(address)


def test_who_is_interrupted_while_he_waits_for_a_robot_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: threading.Condition, timeout: float | None = None) -> bool:
        raise KeyboardInterrupt

    with stage(lambda robot: robot.hear(99)) as address:
        monkeypatch.setattr(threading.Condition, "wait", interrupt)
        with pytest.raises(KeyboardInterrupt):
            Pioneer(address)
        monkeypatch.undo()


def test_a_robot_that_is_gone_is_told_to_whoever_asks() -> None:
    lost: list[Lost] = []

    def play(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)

    with stage(play) as address, Pioneer(address) as robot:
        robot.on(Lost, lost.append)
        robot.drive(0.1)
        with pytest.raises(LostError, match="closed at the other end"):
            robot.next(SimInfo)
        with pytest.raises(LostError):
            robot.command("VEL", 1)
        with pytest.raises(LostError):
            robot.wait_until(lambda sip: True)
        assert list(robot.listen(Sip)) == []
        assert len(lost) == 1


def test_a_silent_robot_is_lost() -> None:
    with (
        stage(lambda robot: (greet(robot), until_goodbye(robot))) as address,
        Pioneer(address, silence=0.05) as robot,
        pytest.raises(LostError, match="silent"),
    ):
        robot.next(timeout=20.0)


def test_a_session_is_kept_alive() -> None:
    def play(robot: PlayedRobot) -> None:
        greet(robot)
        while (number := robot.hear().id) != CLOSE[3]:
            if number == PULSE:
                robot.tell_sip()

    with stage(play) as address, Pioneer(address, keep_alive=0.02) as robot:
        robot.next(Sip, timeout=20.0)


def test_in_lockstep_every_sip_is_answered_after_the_callbacks() -> None:
    heard: list[int] = []

    def play(robot: PlayedRobot) -> None:
        greet(robot)
        for _ in range(2):
            robot.tell_sip()
            while (number := robot.hear().id) == ASK_CONFIG[3]:
                pass
            heard.append(number)
        until_goodbye(robot)

    with stage(play) as address, Pioneer(address, lockstep=True, keep_alive=0.0) as robot:
        first = iter([True])
        seen = threading.Event()

        def on_sip(sip: Sip) -> None:
            if next(first, False):
                robot.drive(0.1)
            else:
                seen.set()

        robot.on(Sip, on_sip)
        seen.wait(20.0)
    # The first SIP may come before anybody listens.
    assert heard in ([VEL, PULSE], [PULSE, VEL])


def test_a_session_that_was_lost_is_begun_again() -> None:
    sessions: list[Connected] = []
    again = threading.Event()

    def first(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)

    def second(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)
        robot.tell_sip()
        until_goodbye(robot)

    with stage(first, second) as address, Pioneer(address, reconnect=True) as robot:
        robot.on(Connected, lambda event: (sessions.append(event), again.set()))
        robot.drive(0.1)
        assert again.wait(20.0)
        sips = robot.listen(Sip, timeout=20.0)
        robot.drive(0.2)
        assert next(sips)
    assert len(sessions) == 1


def test_between_two_sessions_commands_are_refused_and_close_ends_the_search() -> None:
    with stage(lambda robot: (greet(robot), robot.hear(VEL))) as address:
        robot = Pioneer(address, reconnect=True)
        lost = threading.Event()
        robot.on(Lost, lambda event: lost.set())
        robot.drive(0.1)
        assert lost.wait(20.0)
    with pytest.raises(LostError, match=r"no session with .* at present"):
        robot.drive(0.1)
    robot.close()


def test_an_error_in_a_callback_is_told_to_whoever_asks() -> None:
    def fail(sip: Sip) -> None:
        raise ZeroDivisionError("a mistake of the user's")

    def play(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)
        robot.tell_sip()
        until_goodbye(robot)

    with stage(play) as address:
        robot = Pioneer(address)
        robot.on(Sip, fail)
        robot.drive(0.1)
        with pytest.raises(LostError, match="a mistake of the user's"):
            robot.next(LaserScan, timeout=20.0)
        robot.close()


def test_a_callback_may_close() -> None:
    def play(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)
        robot.tell_sip()
        until_goodbye(robot)

    with stage(play) as address:
        robot = Pioneer(address)
        ended = threading.Event()
        robot.on(End, lambda end: ended.set())
        robot.on(Sip, lambda sip: robot.close())
        robot.drive(0.1)
        assert ended.wait(20.0)
        robot.close()


def test_what_is_late_is_a_timeout() -> None:
    with stage(lambda robot: (greet(robot), until_goodbye(robot))) as address, Pioneer(address) as robot:
        with pytest.raises(TimeoutError, match="No LaserScan came from"):
            robot.next(LaserScan, timeout=0.01)
        with pytest.raises(TimeoutError, match="has not come to that"):
            robot.wait_until(lambda sip: False, timeout=0.01)
        assert list(robot.listen(Sip, timeout=0.01)) == []


def test_an_iteration_sees_everything_and_a_lagging_one_the_newest() -> None:
    def play(robot: PlayedRobot) -> None:
        greet(robot)
        robot.hear(VEL)
        for _ in range(1100):
            robot.tell_sip()
        robot.say(encode(0x99, b"end"))
        until_goodbye(robot)

    with stage(play) as address, Pioneer(address) as robot:
        everything = iter(robot)
        sips = robot.listen(Sip)
        done = threading.Event()
        robot.on(Packet, lambda packet: done.set() if packet.id == 0x99 else None)
        robot.drive(0.1)
        assert done.wait(20.0)
        assert next(everything) is not None
        assert next(sips).pose == ms.Pose()


def test_all_bytes_are_traced() -> None:
    seen: dict[bool, bytes] = {True: b"", False: b""}

    def note(incoming: bool, data: bytes) -> None:
        seen[incoming] += data

    with stage(lambda robot: (greet(robot), until_goodbye(robot))) as address, Pioneer(address, trace=note):
        pass
    assert seen[False].startswith(bytes.fromhex("fafb03000000"))
    assert seen[False].endswith(CLOSE)
    assert CONFIG in seen[True]


def test_a_robot_stands_still_again_or_has_not_moved_for_a_while() -> None:
    now = 0.0
    still = StandsStill(lambda: now)
    standing, moving = (
        read_sip(Packet(0x32, WireSip(0x32, left_speed=v).encode()[4:-2]), Units(), Odometer()) for v in (0, 9)
    )
    assert not any(still(standing) for _ in range(50)), "what it was told may be on its way"
    assert not still(moving)
    assert [still(standing) for _ in range(5)] == [False] * 4 + [True]
    still = StandsStill(lambda: now)
    assert not any(still(standing) for _ in range(9))
    now = 1.0
    assert still(standing)


@pytest.mark.parametrize("name", ["handshake_p3dx", "handshake_patrolbot", "laser_default_room", "set_pose_odometry"])
def test_the_bytes_of_the_original_are_understood(name: str) -> None:
    recording = load(name)
    data = [line.data for line in recording.of(recording.clients[0], "rx")]

    def play(robot: PlayedRobot) -> None:
        for number in range(3):
            robot.hear(number)
            robot.say(data[number])
        robot.hear(1)
        robot.say(*data[3:])
        robot.hear(VEL)
        robot.say(encode(0x99))
        until_goodbye(robot)

    done = threading.Event()
    with stage(play) as address, Pioneer(address) as robot:
        robot.on(Packet, lambda packet: done.set() if packet.id == 0x99 else None)
        robot.drive(0.1)
        assert done.wait(20.0)
        assert robot.identity.subclass.removesuffix("-sh") == recording.model.removesuffix("-sh")
        assert robot.is_simulated == (robot.config is not None), "the original says so in CONFIG"
        assert robot.sip.motors in (True, False)
        if name.startswith("laser"):
            assert robot.scan.ranges.size > 100


@pytest.mark.parametrize("seed", range(12))
def test_no_server_can_hurt_it(seed: int) -> None:
    """Wrong lengths, split packets, garbage, resets: what comes of it is a session or one of our errors, and no thread."""
    draw = random.Random(seed)

    def play(robot: PlayedRobot) -> None:
        if draw.random() < 0.7:
            greet(robot)
        for _ in range(draw.randrange(60)):
            kind = draw.randrange(5)
            data = encode(draw.randrange(256), draw.randbytes(draw.randrange(200)))
            if kind == 0:
                data = bytes((0xFA, 0xFB, draw.randrange(256))) + draw.randbytes(draw.randrange(30))
            elif kind == 1:
                data = data[: draw.randrange(len(data))]
            elif kind == 2:
                data = draw.randbytes(draw.randrange(300))
            for cut in range(0, len(data), 7 if kind == 3 else 500):
                robot.say(data[cut : cut + (7 if kind == 3 else 500)])
        if draw.random() < 0.5:
            robot.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    with stage(play) as address:
        try:
            with Pioneer(address, silence=2.0) as robot:
                for _ in robot.listen(Sip, timeout=5.0):
                    robot.drive(0.1)
                robot.next(Sip, timeout=0.1)
        except (LostError, NoAnswerError, TimeoutError):
            pass


# With the real program


@pytest.fixture(scope="module")
def sim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ms.RunningSimulator]:
    link = tmp_path_factory.mktemp("pty") / "robot"
    robots = ["p3dx:alpha", "p3at:beta", "p3dx:gamma"]
    with ms.start("office.map", robots=robots, pty=link, speed=4, engine="numpy") as running:
        yield running


@pytest.mark.e2e
def test_over_tcp_it_drives_and_senses(sim: ms.RunningSimulator) -> None:
    with sim.connect("alpha") as robot:
        assert robot.is_simulated
        assert robot.config is not None
        assert robot.config.serial_number == "SIM"
        before = sim.pose("alpha")
        robot.motors()
        robot.sonar_on()
        robot.laser_on(-45.0, 45.0, 1.0)
        robot.move(0.5)
        sip = robot.wait_until_still()
        assert sip.pose.x == pytest.approx(0.5, abs=0.03)
        assert sim.pose("alpha").x - before.x == pytest.approx(0.5, abs=0.03)
        scan = robot.scan
        assert (len(scan.ranges), scan.angles[0]) == (91, pytest.approx(math.radians(-45.0)))
        assert robot.wait_until(lambda sip: len(robot.sonar) == 16)
        robot.laser_off()
        robot.turn_by(math.pi / 2)
        assert robot.wait_until_still().pose.heading == pytest.approx(math.pi / 2, abs=0.1)


@pytest.mark.e2e
def test_what_only_a_simulator_tells(sim: ms.RunningSimulator) -> None:
    with sim.connect("beta") as robot:
        assert robot.ask(SimInfo, "SIM_CTRL", 6).name == "MobileSim"
        assert robot.sim_info is not None
        robot.place(6.5, 6.0, math.pi / 2)
        stat = robot.ask(WireSimStat, "SIM_STAT", 1)
        assert (stat.x, stat.y) == (6500, 6000)
        assert robot.sim_stat is not None
        assert sim.pose("beta").heading == pytest.approx(math.pi / 2, abs=1e-4)
        assert isinstance(robot.ask(GpsData, "SIM_DEVICE_DATA", "gps", 0), GpsData)
        changes = robot.listen(MapChanged, timeout=20.0)
        sim.load_map("office.map")
        assert isinstance(next(changes), MapChanged)


@pytest.mark.e2e
def test_a_robot_with_a_client_refuses_another(sim: ms.RunningSimulator) -> None:
    with sim.connect("alpha"), pytest.raises(NoAnswerError):
        sim.connect("alpha")


@pytest.mark.e2e
def test_over_a_pseudo_terminal_and_at_another_speed(sim: ms.RunningSimulator) -> None:
    device = next(robot.device for robot in sim.robots().values() if robot.device)
    assert device is not None
    with Pioneer(device, baud=38400) as robot:
        assert robot.identity.subclass
        assert robot.next(Sip).battery > 10.0


class PtyLine(serial.Serial):
    """A pseudo-terminal, which has no modem lines to ask for."""

    cts = dsr = ri = cd = property(lambda self: False)

    def _update_rts_state(self) -> None:
        pass

    _update_dtr_state = _update_break_state = _update_rts_state


class Redirector:
    """A serial line on the network by RFC 2217, with the robot's device at the other end."""

    def __init__(self, device: str) -> None:
        self._line = PtyLine(device, timeout=0.02)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(20.0)
        self.url = f"rfc2217://127.0.0.1:{self._server.getsockname()[1]}"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        connection, _ = self._server.accept()
        connection.settimeout(0.02)
        lock = threading.Lock()

        class Writer:
            def write(self, data: bytes) -> None:
                with lock:
                    connection.sendall(data)

        manager = serial.rfc2217.PortManager(self._line, Writer())
        with connection:
            while not self._over.is_set():
                data = self._line.read(self._line.in_waiting or 1)
                try:
                    if data:
                        Writer().write(b"".join(manager.escape(data)))
                    coming = connection.recv(1024)
                    if not coming:
                        return
                    self._line.write(b"".join(manager.filter(coming)))
                except TimeoutError:
                    continue
                except OSError:
                    return

    def close(self) -> None:
        self._over.set()
        self._thread.join(20.0)
        self._server.close()
        self._line.close()


@pytest.mark.e2e
def test_over_rfc2217(sim: ms.RunningSimulator) -> None:
    device = next(robot.device for robot in sim.robots().values() if robot.device)
    assert device is not None
    redirector = Redirector(device)
    try:
        with Pioneer(redirector.url) as robot:
            assert robot.identity.name == "MobileSim"
            robot.motors()
            robot.turn(0.5)
            assert robot.wait_until(lambda sip: sip.pose.heading > 0.3, timeout=30.0)
    finally:
        redirector.close()


def test_an_address_that_makes_no_sense_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="Where is the robot"):
        Pioneer("")


def test_the_speed_of_a_line_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mobilesim_py.protocols.arcos.client_connection.ANSWER_SECONDS", 0.2)
    robot, device = pty.openpty()
    tty.setraw(device)
    over = threading.Event()
    speeds: list[int] = []

    def play() -> None:
        reader = PacketReader()
        answers = {0: SYNCS[0], 1: SYNCS[1], 2: encode(2, b"Fred\0Pioneer\0p3dx\0"), 18: CONFIG}
        while not over.is_set():
            if not select.select([robot], [], [], 0.05)[0]:
                continue
            packets = reader.feed(os.read(robot, 1024))
            speeds.append(termios.tcgetattr(device)[4])
            for packet in packets if speeds[-1] == termios.B38400 else ():
                os.write(robot, b"" if packet.id == 1 and packet.data else answers.get(packet.id, b""))

    thread = threading.Thread(target=play)
    thread.start()
    try:
        with Pioneer(os.ttyname(device), baud=9600) as client:
            assert client.identity.name == "Fred"
            assert client.config is not None
    finally:
        over.set()
        thread.join(20.0)
        os.close(device)
        os.close(robot)
    assert speeds[0] == termios.B9600
    assert speeds[-1] == termios.B38400
