"""The pictures of an Oz's cameras for the page."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from mobilesim_py.services.oz import views
from mobilesim_py.services.oz.pictures import prepare_pictures
from mobilesim_py.services.panelled import Picture
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until what pictures are made of is drawn."""

    def prepare(soil: str) -> threading.Thread:
        thread = prepare_pictures(soil)
        thread.join(60.0)
        return thread

    monkeypatch.setattr(views, "prepare_pictures", prepare)


def opened(picture: Picture | None) -> Image.Image:
    assert picture is not None
    assert picture.content_type == "image/jpeg"
    return Image.open(io.BytesIO(picture.data))


def test_left_right_and_both_beside_each_other(farm: MakeFarm) -> None:
    service = farm("-m", "level1.field", "-r", "oz").service
    left, right, pair = (opened(service.picture(f"{name}-1")) for name in ("left", "right", "pair"))
    assert (left.size, right.size, pair.size) == ((376, 240), (376, 240), (752, 240))
    sky, soil = np.asarray(left)[5, 5].astype(int), np.asarray(left)[230, 188].astype(int)
    assert sky[2] > sky[0], "the sky is blue"
    assert soil[0] > soil[2], "the ground is not"


def test_a_moment_is_painted_once(farm: MakeFarm, monkeypatch: object) -> None:
    stand = farm("-m", "level1.field", "-r", "oz")
    service = stand.service
    taken = []
    original = views.take_pictures
    monkeypatch.setattr(views, "take_pictures", lambda robot: taken.append(robot) or original(robot))  # type: ignore[attr-defined]
    service.picture("left-1")
    service.picture("right-1")
    assert len(taken) == 1
    stand.step()
    service.picture("left-1")
    assert len(taken) == 2


def test_slow_painting_is_not_repeated_at_once(farm: MakeFarm) -> None:
    stand = farm("-m", "level1.field", "-r", "oz")
    times = iter([0.0, 0.3, 1.0, 3.0, 3.1])
    looks = views.Views(stand.simulation, lambda: next(times))
    first = looks.picture([stand.oz], "left-1")
    stand.oz.robot.place(3.0, 0.0, 0.0)
    stand.step()
    assert looks.picture([stand.oz], "left-1") == first
    assert looks.picture([stand.oz], "left-1") != first


def test_until_what_pictures_are_made_of_is_drawn_they_are_blank(farm: MakeFarm, monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    slow = threading.Thread(target=end.wait)
    slow.start()
    monkeypatch.setattr(views, "prepare_pictures", lambda soil: slow)
    service = farm("-m", "level1.field", "-r", "oz").service
    pair = opened(service.picture("pair-1"))
    assert (pair.size, len(pair.getcolors() or [])) == ((752, 240), 1)
    end.set()
    slow.join(60.0)
    assert len(opened(service.picture("pair-1")).getcolors(1 << 20) or []) > 100


def test_there_are_no_other_pictures(farm: MakeFarm) -> None:
    service = farm("-r", "oz", "-r", "p3dx").service
    assert [service.picture(name) for name in ("up-1", "left-2", "left", "left-x", "")] == [None] * 5
