"""Blocks in the field: placed, seen, bumped into, taken away, and still there when the next client comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.protocols.naio.hardware_packets import HaLidar
from mobilesim_py.services.oz.blocks import MOST_BLOCKS
from mobilesim_py.services.panelled import OrderError
from mobilesim_py.services.service import WorldChange, WorldChangeKind
from tests.services.oz.conftest import Farm

MakeFarm = Callable[..., Farm]


def ahead_mm(stand: Farm) -> int:
    client = stand.call()
    stand.drive(client, 0, 0, 0.1)
    distance = client.packets(HaLidar)[-1].distances[135]
    client.hang_up()
    return distance


def test_the_lidar_sees_a_block_until_it_is_taken_away(farm: MakeFarm) -> None:
    stand = farm()
    assert ahead_mm(stand) == 0
    stand.service.order("place", {"x": 1.5, "y": 0.0, "size": 40})
    assert ahead_mm(stand) == pytest.approx((1.5 - 0.2 - 0.3715) * 1000, abs=40)
    assert stand.service.facts()["blocks"] == 1
    stand.service.order("remove", {"x": 1.55, "y": 0.1})
    assert ahead_mm(stand) == 0
    assert stand.service.facts()["blocks"] == 0


def test_a_block_is_in_the_way(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.service.blocks.place(1.0, 0.0, 60)
    stand.drive(client, 127, 127, 4.0)
    assert stand.oz.robot.pose.x < 0.5
    assert stand.oz.robot.stalled


def test_a_block_outside_of_the_map_counts_too(farm: MakeFarm) -> None:
    stand = farm("-m", "level1.field", "-r", "oz")
    stand.service.blocks.place(-20.0, 30.0, 10)
    assert stand.service.blocks.count == 1
    assert stand.service.blocks.remove(-20.0, 30.0) == "placed block 1"


def test_blocks_stay_when_the_field_is_as_at_the_start_again(farm: MakeFarm) -> None:
    stand = farm("-m", "level1.field", "-r", "oz")
    stand.service.blocks.place(5.0, 0.0, 20)
    stand.service.blocks.place(6.0, 0.0, 20)
    stand.service.blocks.remove(6.0, 0.0)
    client = stand.call()
    stand.simulation.change_world(stand.simulation.world.trampled(stand.simulation.world.plants.near(2.0, 0.5, 0.3)))
    client.hang_up()
    stand.call()
    assert stand.service.blocks.count == 1
    assert not stand.simulation.world.plants.is_flat.any()


def test_resetting_takes_all_blocks_away_those_of_the_map_too(farm: MakeFarm, tmp_path: Path) -> None:
    path = tmp_path / "level1.obs"
    path.write_text("200 0 50\n300 100 20\n150 150 4 leek\n")
    stand = farm("-m", str(path), "-r", "oz")
    stand.service.blocks.place(5.0, 0.0, 20)
    assert stand.service.blocks.count == 3
    stand.service.order("reset", {})
    assert stand.service.blocks.count == 0
    stand.call()
    assert stand.service.blocks.count == 0, "the next client finds none, either"
    assert stand.service.blocks.place(5.0, 0.0, 20) == "placed block 1"
    stand.simulation.step()


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"x": 2, "y": 2, "size": 129}, "1 to 128 cm"),
        ({"x": 2, "y": 2, "size": 0}, "1 to 128 cm"),
        ({"x": 2, "y": 2}, "size"),
        ({"x": "here", "y": 2, "size": 10}, "x must be a number"),
        ({"x": 1e9, "y": 2, "size": 10}, "within"),
        ({"x": 0.2, "y": 0, "size": 10}, "oz stands there"),
    ],
)
def test_what_cannot_be_placed_is_refused(farm: MakeFarm, wish: dict[str, object], text: str) -> None:
    stand = farm()
    with pytest.raises(OrderError, match=text):
        stand.service.order("place", wish)
    assert stand.service.blocks.count == 0


def test_where_no_block_is_there_is_nothing_to_take_away(farm: MakeFarm) -> None:
    with pytest.raises(OrderError, match="no block there"):
        farm().service.order("remove", {"x": 3, "y": 0})


def test_there_is_an_end_to_blocks(farm: MakeFarm) -> None:
    stand = farm()
    blocks = stand.service.blocks
    blocks._made = MOST_BLOCKS
    with pytest.raises(OrderError, match="Reset"):
        blocks.place(3.0, 3.0, 10)


def test_another_map_begins_without_the_blocks_of_the_last(farm: MakeFarm) -> None:
    stand = farm()
    stand.service.blocks.place(3.0, 0.0, 20)
    stand.simulation.replace_world(type(stand.simulation.world)("other", stand.simulation.world.bounds))
    stand.service.world_changed(WorldChange(WorldChangeKind.LOADED, "other"))
    stand.call()
    assert stand.service.blocks.count == 0
