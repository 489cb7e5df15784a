"""What clients' packets do to an Oz."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mobilesim_py.protocols.naio import TABLES, Dialect, Direction
from mobilesim_py.protocols.naio.api_packets import ApiCommand, ApiMoveActuator, ApiRunPlot
from mobilesim_py.protocols.naio.hardware_packets import HaActuator, HaGyro, HaLed, HaScreen, HaSpeaker
from mobilesim_py.protocols.naio.manual_packets import ManualActuator
from mobilesim_py.protocols.naio.panel_packets import ApiIhmAskValue, ApiIhmDisplay, ApiLogToRobot, ApiMessage
from mobilesim_py.protocols.naio.values import CommandCode, ImageType, ManualToolOrder
from mobilesim_py.services.oz.commands import HANDLERS
from mobilesim_py.testing import NaioClient
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]


class ManualClient(NaioClient):
    """A client that speaks to the letter of the manuals."""

    dialect = Dialect.MANUAL


def test_every_kind_that_comes_to_the_robot_is_obeyed_and_no_other() -> None:
    to_robot = {
        row.packet for table in TABLES.values() for row in table.values() if row.packet.direction != Direction.FROM_ROBOT
    }
    assert set(HANDLERS) == to_robot


def test_the_tool_goes_by_notches_and_to_positions(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-idle", "0")
    client = stand.call()
    client.say(ApiMoveActuator(2), ApiMoveActuator(2))
    stand.run(1.0)
    assert stand.oz.tool_percent == 10, "two notches of 5 mm of 100"
    client.say(ApiMoveActuator(1))
    stand.run(1.0)
    assert stand.oz.tool_percent == 5
    client.say(ApiMoveActuator(80))
    stand.run(0.5)
    assert 5 < stand.oz.tool_percent < 80
    client.say(ApiMoveActuator(0))
    held = stand.oz.tool_percent
    stand.run(2.0)
    assert stand.oz.tool_percent == held
    assert client.packets(ApiMoveActuator)[-1].position == held


def test_the_actuator_tells_its_position_when_asked(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-idle", "0")
    client = stand.call()
    client.say(HaActuator(0, 1, 60))
    stand.run(3.0)
    client.say(HaActuator(1, 0, 0))
    assert client.packets(HaActuator) == [HaActuator(0, 1, 60)]


def test_the_manuals_actuator_is_raised_lowered_and_frozen(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-idle", "0", "--naio-dialect", "manual")
    client = stand.call(kind=ManualClient)
    client.say(ManualActuator(ManualToolOrder.LOWER))
    stand.run(1.0)
    client.say(ManualActuator(ManualToolOrder.FREEZE))
    stand.run(5.0)
    assert stand.oz.tool_percent == 50
    client.say(ManualActuator(ManualToolOrder.RAISE))
    stand.run(5.0)
    assert stand.oz.tool_percent == 0


def test_commands_switch_pictures_and_zlib(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(ApiCommand(CommandCode.ZLIB_ON), ApiCommand(CommandCode.RAW_STEREO_ON))
    client.say(ApiCommand(CommandCode.RECTIFIED_STEREO_ON), ApiCommand(CommandCode.RAW_STEREO_OFF))
    assert stand.oz.pictures.zlib
    assert stand.oz.pictures.wanted == {ImageType.RECTIFIED}
    client.say(ApiCommand(CommandCode.ZLIB_OFF))
    assert not stand.oz.pictures.zlib


def test_resetting_the_imu_resets_odometry(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.drive(client, 127, 127, 1.0)
    client.say(ApiCommand(CommandCode.RESET_IMU))
    assert stand.oz.robot.odometry.x == 0.0
    stand.drive(client, 127, 127, 0.1)
    assert client.packets(HaGyro), "and it goes on"


def test_the_panel_shows_what_it_is_told(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(HaScreen("hello", "world"), ApiIhmDisplay("upper", "lower"), HaLed(3), HaSpeaker(10, 20))
    client.say(ApiIhmAskValue(7, "top", "How many?", 0, 10, 1, 5, "rows"))
    panel = stand.oz.panel
    assert (panel.screen, panel.display, panel.led, panel.beeps) == (("hello", "world"), ("upper", "lower"), 3, 1)
    assert panel.question is not None
    assert (panel.question.question, panel.question.question_id) == ("How many?", 7)


@pytest.mark.parametrize(
    ("packet", "text"),
    [
        (ApiLogToRobot("I am lost"), "Client: I am lost"),
        (ApiMessage(4), "leads nowhere"),
        (ApiCommand(CommandCode.PAUSE), "wishes to pause"),
        (ApiCommand(200), "no such command"),
        (ApiRunPlot((), 0, 0, 0.0, (0, 0), 0, 0.0, 0, 0, 0, 0), "0 rows worked"),
        (HaGyro(0, 0, 0), "only the robot sends it"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_leads_nowhere_is_logged(farm: MakeFarm, packet: object, text: str) -> None:
    stand = farm()
    stand.call().say(packet)  # type: ignore[arg-type]
    assert stand.logged(text) == 1
