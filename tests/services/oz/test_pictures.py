"""Pictures of an Oz: who gets them, in which form, and what happens to those who do not read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mobilesim_py.protocols.naio.api_packets import (
    ApiCameraExtrinsics,
    ApiCameraIntrinsics,
    ApiCommand,
    ApiPost,
    ApiStereo,
    ApiWatchdog,
)
from mobilesim_py.protocols.naio.hardware_packets import HaMotors
from mobilesim_py.protocols.naio.stereo import FORMS, pictures
from mobilesim_py.protocols.naio.values import Camera, CommandCode, ImageType
from mobilesim_py.services.oz import pictures as oz_pictures
from mobilesim_py.services.oz import service as oz_service
from mobilesim_py.services.oz.pictures import prepare_pictures
from mobilesim_py.testing import NaioClient
from mobilesim_py.world.plants import PlantKind, Plants
from mobilesim_py.world.world import Bounds, World
from tests.services.oz.conftest import IMAGE, Farm

MakeFarm = Callable[..., Farm]
STAKE = World("field", Bounds(-9, -9, 9, 9), plants=Plants.build([2.0], [0.0], [PlantKind.STAKE]))


def watch(stand: Farm, main: NaioClient, image: NaioClient, steps: int) -> None:
    """Let time pass with two clients that are there."""
    for _ in range(steps):
        main.say(HaMotors(0, 0))
        image.say(ApiWatchdog(1))
        stand.step()


@pytest.mark.parametrize("zlib", [False, True], ids=["plain", "zlib"])
@pytest.mark.parametrize(
    ("code", "image_type"),
    [
        (CommandCode.RAW_STEREO_ON, ImageType.RAW),
        (CommandCode.UNRECTIFIED_STEREO_ON, ImageType.UNRECTIFIED),
        (CommandCode.RECTIFIED_STEREO_ON, ImageType.RECTIFIED),
    ],
    ids=lambda value: value.name,
)
def test_pictures_come_to_the_image_port_as_they_were_asked_for(
    farm: MakeFarm, code: CommandCode, image_type: ImageType, zlib: bool
) -> None:
    stand = farm()
    main, image = stand.call(), stand.call(IMAGE)
    watch(stand, main, image, 2)
    main.say(ApiCommand(CommandCode.ZLIB_ON if zlib else CommandCode.ZLIB_OFF), ApiCommand(code))
    watch(stand, main, image, 3)
    assert not main.packets(ApiStereo)
    packet = image.packets(ApiStereo)[-1]
    assert packet.image_type == image_type + (3 if zlib else 0)
    left, right = pictures(packet)
    assert left.shape == right.shape == FORMS[image_type].shape
    assert np.ptp(left) > 20, "sky and ground"


def test_pictures_come_twenty_times_a_second_until_they_are_switched_off(farm: MakeFarm) -> None:
    stand = farm()
    main, image = stand.call(), stand.call(IMAGE)
    watch(stand, main, image, 2)
    main.say(ApiCommand(CommandCode.RAW_STEREO_ON))
    watch(stand, main, image, 10)
    assert len(image.packets(ApiStereo)) == 4
    main.say(ApiCommand(CommandCode.RAW_STEREO_OFF))
    watch(stand, main, image, 10)
    assert len(image.packets(ApiStereo)) == 4


def test_what_pictures_are_made_of_is_drawn_beside_the_simulation_when_a_client_comes(
    farm: MakeFarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(oz_service, "prepare_pictures", begun.append)
    stand = farm("-m", "level1.field", "-r", "oz")
    stand.call()
    assert begun == []
    stand.call(IMAGE)
    assert begun == ["sand"]
    prepare_pictures("sand").join(60.0)


def test_a_thousand_clients_have_what_pictures_are_made_of_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(oz_pictures, "_drawing", {})
    monkeypatch.setattr(oz_pictures, "soil_looks", drawn.append)
    monkeypatch.setattr(oz_pictures, "plant_looks", lambda: None)
    threads = {prepare_pictures("mud") for _ in range(1000)}
    assert len(threads) == 1
    for number in range(100):
        prepare_pictures(f"soil {number}").join(10.0)
    assert drawn.count("mud") == 1
    assert len(oz_pictures._drawing) <= 16


def test_who_does_not_read_loses_pictures(farm: MakeFarm) -> None:
    stand = farm()
    main, image = stand.call(), stand.call(IMAGE)
    main.say(ApiCommand(CommandCode.RAW_STEREO_ON))
    image.pending = 3_000_000
    watch(stand, main, image, 10)
    assert not image.packets(ApiStereo)
    (viewer,) = (client for client in stand.service.clients() if client.robot is None)
    assert viewer.packets_left_out in (4, 5)
    image.pending = 0
    watch(stand, main, image, 5)
    assert image.packets(ApiStereo)


def test_stakes_in_view_are_told_with_the_pictures(farm: MakeFarm) -> None:
    stand = farm()
    stand.simulation.replace_world(STAKE)
    main, image = stand.call(), stand.call(IMAGE)
    main.say(ApiCommand(CommandCode.RAW_STEREO_ON))
    watch(stand, main, image, 5)
    posts = image.packets(ApiPost)[-1].posts
    assert [post.camera for post in posts] == [Camera.LEFT, Camera.RIGHT]
    assert posts[0].x > posts[1].x, "what the left camera sees is farther to the right in its picture"


def test_the_cameras_are_described_to_who_asks(farm: MakeFarm) -> None:
    stand = farm()
    main = stand.call()
    main.say(ApiCommand(CommandCode.SEND_INTRINSICS), ApiCommand(CommandCode.SEND_EXTRINSICS))
    lenses = main.packets(ApiCameraIntrinsics)
    assert [lens.camera for lens in lenses] == [Camera.LEFT, Camera.RIGHT]
    assert lenses[0].focal_x == pytest.approx(376 / np.tan(1.63556 / 2), rel=1e-4)
    assert main.packets(ApiCameraExtrinsics)[0].translation == pytest.approx((-0.1, 0.0, 0.0))
