"""What sensors see, beside the recordings and beside an independent ray caster.

For the comparison with the recordings our lasers are asked for the original's beam angles and stand where the original
has them; ranges may differ by 30 mm, because the original's end at the borders of 20 mm cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mobilesim_py.catalogue.catalogue import Catalogue
from mobilesim_py.catalogue.model import RobotModel
from mobilesim_py.core.devices.laser import LaserUnit
from mobilesim_py.core.robot import Robot
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.formats.format import Settings, load_world
from mobilesim_py.geometry import Pose
from mobilesim_py.world.world import World

from .caster import cast, read_segments
from .maps import STONES, field_maps, square
from .recording import load
from .scans import RecordedScan, echoes, scans

NEAR = 0.030
"""What ranges may differ by [m]."""
ROOM_SHARE, OFFICE_SHARE, COLUMBIA_SHARE = 0.96, 0.96, 0.87
"""How many readings must be that near; columbia's walls are loose points that rays slip between differently."""
EXACT = 0.001
"""What ranges may differ by from the independent caster's [m]."""
PLACES = {"p3dx-sh": 0.0, "p3dx-sh-noiseless": 0.0, "p3dx-sh-lms1xx": 0.055, "patrolbot-sh": 0.037}
"""Where the original has these models' lasers, forward of the centre [m]."""
NOISE = {"p3dx-sh": 0.005, "p3dx-sh-lms1xx": 0.0075, "patrolbot-sh": 0.005, "p3dx-sh-noiseless": 0.0}


@dataclass
class Eye:
    """A noiseless robot of a recording in a world, with sensors on."""

    robot: Robot

    @property
    def laser(self) -> LaserUnit:
        return self.robot.lasers[0]

    def look(self, pose: tuple[int, int, int]) -> None:
        self.robot.place(pose[0] / 1000.0, pose[1] / 1000.0, math.radians(pose[2]))

    def scan(self, recorded: RecordedScan) -> np.ndarray:
        """Our ranges at the angles of a recorded scan."""
        first, last = recorded.start, recorded.start + (len(recorded.ranges) - 1) * recorded.increment
        if self.laser.model.reverse:
            first, last = last, first
        self.look(recorded.pose)
        self.laser.configure(first, last, recorded.increment)
        return self.laser.ranges

    def rays(self) -> tuple[float, float, np.ndarray]:
        """Where the laser is and where its beams go."""
        pose, mount = self.robot.pose, self.laser.model.pose
        x = pose.x + mount.x * math.cos(pose.heading) - mount.y * math.sin(pose.heading)
        y = pose.y + mount.x * math.sin(pose.heading) + mount.y * math.cos(pose.heading)
        beams = self.laser.start + np.arange(self.laser.count) * self.laser.increment
        return x, y, pose.heading + mount.heading + beams


def recorded_model(name: str) -> RobotModel:
    model = Catalogue.load().find(name.removesuffix("-noiseless"))
    first = replace(model.lasers[0], pose=Pose(PLACES[name], 0.0, 0.0))
    return replace(model, devices=(model.sonar, first))


@cache
def world_of(path: Path, resolution: float) -> World:
    return load_world(path, Settings(resolution))


def eye_in(recording_name: str, directory: Path) -> Eye:
    options = load(recording_name).options
    path = directory / options[options.index("-m") + 1]
    resolution = float(options[options.index("--resolution") + 1]) if "--resolution" in options else 20.0
    simulation = Simulation(world_of(path, resolution / 1000.0), noise=False)
    robot = simulation.add_robot(recorded_model(load(recording_name).model), "robot1")
    robot.sonar_on = True
    robot.lasers[0].on = True
    return Eye(robot)


def laser_share(name: str, directory: Path) -> float:
    """The share of laser readings that agree with a recording."""
    recording, eye = load(name), eye_in(name, directory)
    near = NEAR + NOISE[recording.model]
    view = math.degrees(eye.laser.model.field_of_view)
    good = [np.abs(eye.scan(scan) - scan.ranges) <= near for scan in scans(recording, view)]
    assert len(good) >= 3
    return float(np.concatenate(good).mean())


def sonar_share(name: str, directory: Path) -> float:
    """The share of sonar readings that agree with a recording."""
    eye = eye_in(name, directory)
    good = []
    for round_ in echoes(load(name)):
        eye.look(round_.pose)
        good.append(np.abs(eye.robot.sonar - round_.ranges) <= NEAR)
    assert len(good) >= 3
    return float(np.concatenate(good).mean())


ROOM_SCANS = (
    "laser_noiseless_5mm_room",
    "laser_default_room",
    "laser_1deg_180_room",
    "laser_halfdeg_180_room",
    "laser_lms1xx_room",
)


@pytest.mark.parametrize("name", ROOM_SCANS)
def test_laser_scans_in_a_room_agree_with_the_recording(name: str, maps: Path) -> None:
    assert laser_share(name, maps) >= ROOM_SHARE


@pytest.mark.parametrize("name", ["sonar_poses_room", "sonar_poses_room_noiseless"])
def test_sonar_in_a_room_agrees_with_the_recording(name: str, maps: Path) -> None:
    assert sonar_share(name, maps) >= ROOM_SHARE


@pytest.mark.parametrize("name", ["laser_noiseless_amroffice", "laser_noiseless_5mm_amroffice"])
def test_laser_scans_in_an_office_agree_with_the_recording(name: str, tmp_path: Path) -> None:
    assert laser_share(name, without_boxes(field_maps(), tmp_path)) >= OFFICE_SHARE


@pytest.mark.parametrize("name", ["laser_noiseless_columbia", "laser_reverse_patrolbot"])
def test_laser_scans_in_columbia_agree_with_the_recording(name: str) -> None:
    assert laser_share(name, field_maps()) >= COLUMBIA_SHARE


@pytest.mark.parametrize("name", ["sonar_poses_columbia", "sonar_poses_columbia_noiseless"])
def test_sonar_in_columbia_agrees_with_the_recording(name: str) -> None:
    assert sonar_share(name, field_maps()) >= COLUMBIA_SHARE


def without_boxes(directory: Path, into: Path) -> Path:
    """The office without its Sim.BoxObstacle boxes, which the original does not make."""
    lines = (directory / "AMROffice.map").read_text(encoding="latin-1").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("Cairn: Sim."))
    (into / "AMROffice.map").write_text(text + "\n", encoding="latin-1")
    return into


# An independent caster over all segments: every reading to a millimetre.


def farthest_from_brute_force(eye: Eye, path: Path) -> float:
    segments = read_segments(path)
    reach = eye.laser.model.range_max
    x, y, angles = eye.rays()
    return float(np.abs(cast(segments, x, y, angles, reach) - eye.laser.ranges).max())


@pytest.mark.parametrize("pose", [(0, 0, 0), (1003, 2007, 30), (-4000, 3000, -120), (4700, -4700, 77), (1900, 1000, 80)])
def test_every_laser_reading_in_a_room_is_that_of_brute_force(pose: tuple[int, int, int], tmp_path: Path) -> None:
    (tmp_path / "room.map").write_text(square(5000, points=STONES))
    eye = eye_in("laser_noiseless_5mm_room", tmp_path)
    eye.robot._simulation.replace_world(load_world(tmp_path / "room.map"))
    eye.look(pose)
    eye.laser.configure(-math.pi, math.pi, math.radians(0.25))
    assert farthest_from_brute_force(eye, tmp_path / "room.map") < EXACT


def test_every_laser_reading_among_random_walls_and_points_is_that_of_brute_force(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    ends = random.integers(-12000, 12000, (150, 2))
    walls = np.concatenate([ends, ends + random.integers(-2500, 2500, (150, 2))], axis=1)
    points = random.integers(-12000, 12000, (1500, 2)) // 20 * 20
    lines = ["2D-Map", f"NumLines: {len(walls)}", f"NumPoints: {len(points)}", "Resolution: 20", "LINES"]
    lines += [" ".join(map(str, wall)) for wall in walls] + ["DATA"] + [" ".join(map(str, point)) for point in points]
    path = tmp_path / "room.map"
    path.write_text("\n".join(lines) + "\n")
    eye = eye_in("laser_default_room", tmp_path)
    for pose in random.integers(-9000, 9000, (20, 3)).tolist():
        eye.look((pose[0], pose[1], pose[2] % 360))
        eye.laser.configure(-math.pi, math.pi, math.radians(0.5))
        assert farthest_from_brute_force(eye, path) < EXACT


def test_every_sonar_reading_in_a_room_is_that_of_brute_force(maps: Path) -> None:
    eye = eye_in("sonar_poses_room_noiseless", maps)
    segments, sonar = read_segments(maps / "room.map"), eye.robot.model.sonar
    for pose in ((0, 0, 0), (3000, 1000, 20), (-4300, 4400, 200)):
        eye.look(pose)
        place = eye.robot.pose
        for transducer, heard in zip(sonar.transducers, eye.robot.sonar, strict=True):
            x = place.x + transducer.x * math.cos(place.heading) - transducer.y * math.sin(place.heading)
            y = place.y + transducer.x * math.sin(place.heading) + transducer.y * math.cos(place.heading)
            angle = np.array([place.heading + transducer.heading])
            expected = max(sonar.range_min, float(cast(segments, x, y, angle, sonar.range_max)[0]))
            assert heard == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("name", ["laser_noiseless_columbia", "laser_noiseless_amroffice"])
def test_every_laser_reading_in_the_field_maps_is_that_of_brute_force(name: str, tmp_path: Path) -> None:
    directory = field_maps()
    options = load(name).options
    map_name = options[options.index("-m") + 1]
    if map_name == "AMROffice.map":
        # Objects of the map are obstacles too; here only its walls and points are looked at.
        text = (directory / map_name).read_text(encoding="latin-1").splitlines()
        plain = "\n".join(line for line in text if not line.startswith("Cairn:"))
        (tmp_path / map_name).write_text(plain + "\n", encoding="latin-1")
        directory = tmp_path
    eye = eye_in(name, directory)
    half_degrees = {scan.pose: scan for scan in scans(load(name), 180.0) if len(scan.ranges) == 361}
    assert len(half_degrees) >= 5
    for scan in half_degrees.values():
        eye.scan(scan)
        assert farthest_from_brute_force(eye, directory / map_name) < EXACT
