"""Oz robots in a program: their ports, who is let in, when they are hung up on, and how time treats them."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.app.compiling import load_compiled
from mobilesim_py.core.engines.engine import NumpyEngine
from mobilesim_py.protocols.naio import Dialect
from mobilesim_py.protocols.naio.api_packets import ApiCommand, ApiMotors, ApiStatus, ApiWatchdog
from mobilesim_py.protocols.naio.hardware_packets import HaAccelero, HaGps, HaGyro, HaLidar, HaMagneto, HaMotors, HaOdo
from mobilesim_py.protocols.naio.manual_packets import ManualGps
from mobilesim_py.protocols.naio.units import TICK_METRES, gyro_rates
from mobilesim_py.testing import ArcosClient, NaioClient
from tests.services.oz.conftest import IMAGE, MAIN, Farm

MakeFarm = Callable[..., Farm]


class ManualClient(NaioClient):
    """A client that speaks to the letter of the manuals."""

    dialect = Dialect.MANUAL


def test_the_first_oz_has_the_usual_ports_and_the_next_ten_higher(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "-r", "p3dx", "-r", "oz:second")
    ports = {door.port: door.robot for door in stand.doors}
    assert ports == {
        **dict.fromkeys((5559, 5555, 5557), "oz"),
        **dict.fromkeys((5569, 5565, 5567), "second"),
        8101: "p3dx",
    }


def test_port_moves_an_oz_that_is_alone_and_naio_port_any(farm: MakeFarm) -> None:
    assert [door.port for door in farm("-r", "oz", "-p", "6000").doors] == [6000, 5998]
    assert [door.port for door in farm("-r", "oz", "-r", "p3dx", "--naio-port", "7000").doors] == [7000, 6998, 8101]
    assert {door.port for door in farm("-r", "oz", "-p", "0").doors} == {49152, 49153}


def test_sensors_come_at_their_own_rates(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.drive(client, 0, 0, 0.04)
    client.received.clear()
    stand.drive(client, 127, 127, 2.0)
    kinds = (HaGyro, HaAccelero, HaLidar, HaMagneto, HaGps)
    assert [len(client.packets(kind)) for kind in kinds] == [100, 100, 40, 20, 2]


def test_an_oz_drives_a_metre_by_its_ticks(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.step(3)
    began = stand.oz.robot.pose.x
    last, ticks = client.packets(HaOdo)[-1], 0
    while ticks < round(1.0 / TICK_METRES):
        stand.drive(client, 100, 100, stand.simulation.dt)
        new = client.packets(HaOdo)[-1]
        ticks += new.front_left != last.front_left
        last = new
    assert stand.oz.robot.pose.x - began == pytest.approx(1.0, abs=TICK_METRES)


def test_an_oz_turns_a_quarter_by_its_gyro_which_is_negative_to_the_left(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    turned = 0.0
    while turned < 90.0:
        stand.drive(client, -60, 60, stand.simulation.dt)
        packet = client.packets(HaGyro)[-1]
        turned += gyro_rates(packet, Dialect.SIMULATOZ)[2] * stand.simulation.dt
    assert packet.z < 0
    assert math.degrees(stand.oz.robot.pose.heading) == pytest.approx(90.0, abs=2.0)


def test_both_kinds_of_motor_packets_drive(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.say(ApiMotors(127, 127))
    stand.run(0.4)
    assert stand.oz.robot.pose.x > 0.05


def test_motors_stop_half_a_second_after_the_last_word(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-idle", "0")
    client = stand.call()
    stand.drive(client, 127, 127, 1.0)
    stand.run(0.4)
    assert stand.oz.robot.velocity[0] > 0.2
    stand.run(1.0)
    assert stand.oz.robot.velocity[0] == pytest.approx(0.0, abs=0.001)
    assert stand.logged("the motors stop") == 1
    assert not client.closed


def test_a_silent_client_is_hung_up_on(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.run(0.9)
    assert not client.closed
    stand.run(0.2)
    assert client.closed
    assert stand.logged("sent nothing for 1 sec") == 1


def test_a_client_that_waits_for_us_is_not_hung_up_on_while_we_are_busy(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    for _ in range(20):
        stand.now += 3.0  # something else had the processor
        stand.step()
        client.say(HaMotors(0, 0))
    assert not client.closed
    for _ in range(20):
        stand.now += 3.0
        stand.step()
    assert client.closed, "it is silent for many steps"


def test_a_second_client_is_refused_with_a_line_in_the_log(farm: MakeFarm) -> None:
    stand = farm()
    first, second, old = stand.call(), stand.call(), stand.call(5555)
    assert (first.closed, second.closed, old.closed) == (False, True, True)
    assert stand.logged("is refused") == 2
    assert len(stand.service.clients()) == 1
    first.hang_up()
    assert not stand.call(5555).closed


def test_the_next_client_finds_the_robot_at_its_start(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.drive(client, 127, 60, 2.0)
    start, left = stand.oz.robot.start, stand.oz.robot.pose
    assert left.x > start.x + 0.1
    client.hang_up()
    stand.run(0.1)
    assert stand.oz.robot.pose.x > start.x + 0.1
    stand.call()
    assert stand.oz.robot.pose == start


def test_with_naio_keep_it_stays_where_it_is(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-keep")
    client = stand.call()
    stand.drive(client, 127, 127, 2.0)
    client.hang_up()
    stand.run(0.1)
    left = stand.oz.robot.pose
    stand.call()
    assert stand.oz.robot.pose == left


def test_status_is_told_when_anything_was_commanded(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    stand.drive(client, 0, 0, 1.0)
    assert not client.packets(ApiStatus)
    client.say(ApiCommand(1))
    stand.drive(client, 127, 127, 1.0)
    told = client.packets(ApiStatus)
    assert len(told) == 10
    assert told[-1].imu_reset == 1
    assert told[-1].x == pytest.approx(0.26, abs=0.03)
    assert told[-1].battery == 100


def test_four_hours_of_work_empty_the_battery(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    battery = stand.oz.robot.battery
    assert battery is not None
    stand.drive(client, 1, 1, 10.0)
    assert battery.charge == pytest.approx(1.0 - 10.0 / (4 * 3600), abs=1.2 / (4 * 3600))
    battery.charge = 1e-6
    stand.drive(client, 100, 100, 1.1)
    assert not stand.oz.robot.motors


def test_in_the_manual_dialect_gps_is_in_milliseconds_since_the_epoch(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-dialect", "manual")
    client = stand.call(kind=ManualClient)
    stand.drive(client, 0, 0, 1.0)
    (position, *_) = client.packets(ManualGps)
    assert position.time > 1.4e12
    assert (position.latitude, position.longitude) == pytest.approx((43.5195488, 1.5361782))


def test_x_is_north_and_y_is_west(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-keep")
    client = stand.call()
    stand.oz.robot.place(100.0, 50.0, math.pi / 2)
    stand.drive(client, 0, 0, 1.1)
    position, field = client.packets(HaGps)[-1], client.packets(HaMagneto)[-1]
    assert position.latitude > 43.5195488 + 0.0008
    assert position.longitude < 1.5361782 - 0.0005
    assert (field.x, field.y, field.z) == (0, -100, -23), "looking west, which is a bearing of 270 degrees"


def test_a_pioneer_and_an_oz_live_in_one_world(farm: MakeFarm) -> None:
    stand = farm("-r", "p3dx", "-r", "oz")
    pioneer = stand.doors.connect(stand.doors.at(8101), ArcosClient).synchronise()
    client = stand.call()
    stand.drive(client, 50, 50, 1.0)
    assert len(pioneer.sips) in (10, 11)
    assert len(client.packets(HaGyro)) == 50


def test_lockstep_waits_for_a_word_after_each_turn_of_the_lidar(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--lockstep")
    client = stand.call()
    client.say(HaMotors(1, 1))
    stand.step()
    assert stand.service.awaits(), "the first turn was told"
    client.say(HaMotors(1, 1))
    assert not stand.service.awaits()
    turns = len(client.packets(HaLidar))
    while len(client.packets(HaLidar)) == turns:
        assert not stand.service.awaits()
        stand.step()
    assert stand.service.awaits()


def test_the_image_port_lives_on_watchdogs_and_is_told_no_sensors(farm: MakeFarm) -> None:
    stand = farm()
    main, image = stand.call(MAIN), stand.call(IMAGE)
    for _ in range(100):
        image.say(ApiWatchdog(42))
        main.say(HaMotors(0, 0))
        stand.step()
    assert not image.closed
    assert not image.received
    for _ in range(60):
        main.say(HaMotors(0, 0))
        stand.step()
    assert image.closed
    assert not main.closed


def test_noise_from_a_client_harms_nobody(farm: MakeFarm) -> None:
    stand = farm()
    client = stand.call()
    client.send(*(bytes(range(256)) * 4000 for _ in range(10)))
    stand.drive(client, 127, 127, 0.5)
    assert stand.oz.robot.pose.x > 0.1
    assert stand.oz.sessions[0].connection.pending < 4096


def test_each_feature_has_a_port_of_its_own(farm: MakeFarm) -> None:
    stand = farm("-r", "oz", "--naio-sockets")
    assert [door.port for door in stand.doors] == [*range(5601, 5610), IMAGE]
    motors, lidar, gyro = (stand.call(port) for port in (5601, 5603, 5604))
    stand.drive(motors, 127, 127, 1.0)
    assert stand.oz.robot.pose.x > 0.2
    assert {type(packet) for _, packet in lidar.received} == {HaLidar}
    assert {type(packet) for _, packet in gyro.received} == {HaGyro}
    assert not motors.received
    lidar.say(HaMotors(1, 1))
    assert stand.logged("does not belong to the lidar port") == 1
    stand.drive(motors, 0, 0, 2.0)
    assert not lidar.closed, "who only listens is never too silent"


def test_robots_added_and_removed_while_it_runs_bring_and_take_their_ports(farm: MakeFarm) -> None:
    stand = farm()
    added = stand.program.add_running("oz", "more")
    assert stand.doors.at(5569).robot == "more"
    client = stand.call(5569)
    stand.program.remove(added)
    assert client.closed
    assert 5569 not in [door.port for door in stand.doors]


def test_the_same_seed_gives_the_same_bytes_in_both_engines(farm: MakeFarm) -> None:
    pytest.importorskip("numba", reason="Numba does not exist for this Python")
    raw = []
    for engine in (NumpyEngine(), load_compiled()):
        stand = farm("-r", "oz", "--lockstep", "--reality", "1")
        stand.program.use_engine(engine)
        client = stand.call()
        stand.drive(client, 100, 90, 4.0)
        raw.append(bytes(client.raw))
    assert raw[0] == raw[1]
    assert len(raw[0]) > 50_000
