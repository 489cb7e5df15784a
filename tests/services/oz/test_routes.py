"""Socket routing: another program stands in for a feature of an Oz, over a line that we open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.net.link import Session
from mobilesim_py.protocols.naio import decode, encode
from mobilesim_py.protocols.naio.hardware_packets import HaGyro, HaLidar, HaMotors
from mobilesim_py.services.oz import service as oz_service
from mobilesim_py.services.oz.routes import RETRY_SECONDS, Route
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]
THEIRS = HaLidar((1234,) * 271, (0,) * 271)


class Line:
    """The link to the other program."""

    peer, dropped, pending = "there:1", 0, 0

    def __init__(self, session: Session) -> None:
        self.session, self.written, self.closed = session, bytearray(), False
        session.attach(self)

    def write(self, data: bytes) -> bool:
        self.written += data
        return True

    def close(self) -> None:
        self.closed = True
        self.session.lost("closing")


class Calls:
    """What would dial; the calls are kept until a test answers them."""

    port = None
    address = "calls"
    robot = None

    def __init__(self, *args: object, **words: object) -> None:
        self.made: list[tuple[str, int, Route]] = []

    def dial(self, host: str, port: int, session: Route) -> None:
        self.made.append((host, port, session))

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    made = Calls()
    monkeypatch.setattr(oz_service, "Dialler", lambda *args, **words: made)
    return made


def test_what_the_other_program_says_replaces_what_is_simulated(farm: MakeFarm, calls: Calls) -> None:
    stand = farm("-r", "oz", "--naio-route", "lidar=there:1")
    client = stand.call()
    stand.drive(client, 0, 0, 0.2)
    assert len(client.packets(HaLidar)) > 2, "it is simulated while there is no line"
    ((host, port, route),) = calls.made
    assert (host, port) == ("there", 1)
    line = Line(route)
    client.received.clear()
    line.session.receive(encode(THEIRS) + encode(HaGyro(1, 2, 3)))
    stand.drive(client, 0, 0, 0.2)
    assert client.packets(HaLidar) == [THEIRS]
    assert HaGyro(1, 2, 3) not in client.packets(HaGyro), "only the lidar comes from there"
    assert stand.logged("Lidar comes from there:1 now") == 1


def test_motors_that_are_routed_move_the_other_programs_robot(farm: MakeFarm, calls: Calls) -> None:
    stand = farm("-r", "oz", "--naio-route", "motors=there:1")
    client = stand.call()
    line = Line(calls.made[0][2])
    stand.drive(client, 127, 126, 0.2)
    assert stand.oz.robot.pose.x == 0.0
    frame = bytes(line.written[:17])
    assert decode(frame[6], frame[11:13]) == HaMotors(127, 126)


def test_a_lost_line_is_told_once_and_tried_again(farm: MakeFarm, calls: Calls) -> None:
    stand = farm("-r", "oz", "--naio-route", "lidar=there:1")
    later: list[tuple[float, Callable[[], None]]] = []
    route = calls.made[0][2]
    route._service.stage.clock.later = lambda seconds, call: later.append((seconds, call))  # type: ignore[method-assign]
    for _ in range(3):
        route.lost("there:1: Connection refused")
        seconds, again = later.pop()
        assert seconds == RETRY_SECONDS
        again()
    assert len(calls.made) == 4
    assert stand.logged("Lidar is simulated: no line to there:1 (Connection refused)") == 1


def test_nothing_is_tried_again_when_the_robot_is_gone(farm: MakeFarm, calls: Calls) -> None:
    stand = farm("-r", "oz", "--naio-route", "lidar=there:1")
    line = Line(calls.made[0][2])
    stand.service.dismiss(stand.oz.robot)
    assert line.closed
    assert len(calls.made) == 1


def test_only_the_first_oz_is_routed(farm: MakeFarm, calls: Calls) -> None:
    farm("-r", "oz", "-r", "oz:second", "--naio-route", "lidar=a:1", "--naio-route", "lidar=b:2")
    assert [(host, port) for host, port, _ in calls.made] == [("b", 2)]
