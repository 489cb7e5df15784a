"""The master: goals that come, wait, fail and are cancelled, without a simulator: the vehicle is where it was told to go."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from mobilesim_py.formats.garden.world import read_sketch
from mobilesim_py.garden.gardener import LOST, PATIENCE, Gardener, Manner
from mobilesim_py.garden.goals import ObjectGoal, SimpleGoal
from mobilesim_py.garden.ground_plan import GroundPlan
from mobilesim_py.garden.occupancy import Occupancy
from mobilesim_py.garden.states import State
from mobilesim_py.garden.trimming import Body
from mobilesim_py.geometry import Pose
from mobilesim_py.navigation.following import STAND
from mobilesim_py.resources import maps_dir

DT = 0.1
USUAL = Manner()
LOOP = ["/Check for Trimming Object", "/Wait", "/Check for Simple Goal", "/Wait"]
TO_PLACE = [
    f"/Navigate to Simple Goal/{name}" for name in ("Find Simple Goal Position", "Log", "Validate", "Drive to Destination")
]
TO_OBJECT = [
    f"/Navigate to Object/{name}"
    for name in ("Find Trimming Position", "Log", "Validate", "Drive to Destination", "Approach Object")
]


class Course:
    """A gardener in the shipped lawn whose wheels do exactly what it says."""

    def __init__(self, manner: Manner = USUAL) -> None:
        self.sketch, _ = read_sketch(maps_dir() / "lawn.garden")
        self.said: list[str] = []
        self.pose = Pose(2.0, 2.0, 0.0)
        self.gardener = Gardener(
            GroundPlan(Occupancy(2.0, 2.0), self.sketch), Body(0.7, 0.5), manner=manner, say=self.said.append
        )
        self.now = 0.0
        self.age = 0.0
        self.speed = 0.0

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += DT
            motion = self.gardener.tick(self.now, self.pose, self.age) or STAND
            self.speed = abs(motion.forward) + abs(motion.rotation)
            heading = self.pose.heading + motion.rotation * DT
            way = motion.forward * DT
            self.pose = Pose(self.pose.x + way * math.cos(heading), self.pose.y + way * math.sin(heading), heading)

    def until(self, what: Callable[[], bool], seconds: float = 120.0) -> None:
        for _ in range(round(seconds / DT)):
            if what():
                return
            self.step()
        raise AssertionError(f"it did not happen; {self.gardener.state}, {self.said[-3:]}")

    def until_ended(self, count: int = 1) -> None:
        wanted = self.gardener.endings + count
        self.until(lambda: self.gardener.endings >= wanted)

    @property
    def states(self) -> list[str]:
        """The states so far, without the loop."""
        return [path for path in self.gardener.history if path not in LOOP]

    @property
    def last(self) -> tuple[str, str]:
        ended = self.gardener.ended[-1]
        return ended.outcome, ended.why


@pytest.fixture
def course() -> Course:
    return Course()


def test_without_a_goal_it_goes_round_the_loop(course: Course) -> None:
    course.step(60)
    history = list(course.gardener.history)
    assert history[:8] == [*LOOP, *LOOP]
    assert course.speed == 0.0


def test_a_simple_goal_is_reached_through_its_states_within_its_tolerance(course: Course) -> None:
    course.gardener.go(SimpleGoal(6.0, 5.0, math.pi))
    course.until_ended()
    assert course.states == TO_PLACE
    assert course.last == ("reached", "")
    assert math.hypot(course.pose.x - 6.0, course.pose.y - 5.0) <= 0.10
    assert abs(math.remainder(course.pose.heading - math.pi, math.tau)) <= math.radians(5.0)


def test_a_goal_without_room_becomes_the_nearest_place_with_room(course: Course) -> None:
    course.gardener.go(SimpleGoal(5.0, 2.2))  # in the middle of a topiary
    course.until_ended()
    assert course.last[0] == "reached"
    assert 0.9 < math.hypot(course.pose.x - 5.0, course.pose.y - 2.2) < 1.1
    assert any("where the nearest room for (5.00, 2.20) is" in line for line in course.said)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (SimpleGoal(11.0, 8.2), "there is no room at the goal"),
        (SimpleGoal(70.0, 0.0), "outside of the map"),
        (SimpleGoal(math.nan, 0.0), "a number in it that is none"),
    ],
)
def test_an_impossible_goal_is_rejected_with_a_reason_within_two_seconds(
    course: Course, goal: SimpleGoal, words: str
) -> None:
    course.step(3)
    course.gardener.go(goal)
    course.until(lambda: course.gardener.endings == 1, seconds=2.0)
    outcome, why = course.last
    assert outcome == "rejected"
    assert words in why
    assert course.states in ([], TO_PLACE[:3])
    assert course.pose == Pose(2.0, 2.0, 0.0)


def test_objects_are_trimmed_in_order_each_through_the_states_of_the_figures() -> None:
    course = Course(Manner(trim_time=1.0))
    course.gardener.trim([ObjectGoal.of(course.sketch.by_id[number]) for number in (7, 6)])
    course.until_ended(2)
    assert [ended.goal.id for ended in course.gardener.ended if isinstance(ended.goal, ObjectGoal)] == [7, 6]
    once = [*TO_OBJECT, "/Trimming", "/Trimming Successful"]
    assert course.states == [*once, *once]
    assert course.gardener.trimmed == {6, 7}


def test_an_object_that_cannot_be_reached_fails_and_the_next_one_is_served(course: Course) -> None:
    far = ObjectGoal(99, "Rose", ((50.0, 50.0), (51.0, 50.0), (51.0, 51.0)))
    course.gardener.trim([far, ObjectGoal.of(course.sketch.by_id[7])])
    course.until_ended(2)
    assert [(ended.outcome, bool(ended.why)) for ended in course.gardener.ended] == [("rejected", True), ("trimmed", False)]
    assert course.states[:4] == [*TO_OBJECT[:3], TO_OBJECT[0]]


def test_a_goal_that_comes_while_driving_waits_and_the_latest_wins(course: Course) -> None:
    course.gardener.go(SimpleGoal(6.0, 5.0))
    course.until(lambda: course.gardener.state is State.DRIVE_TO_PLACE)
    course.gardener.go(SimpleGoal(1.0, 5.0))
    course.gardener.go(SimpleGoal(3.0, 5.0))
    course.until_ended(2)
    assert [ended.outcome for ended in course.gardener.ended] == ["replaced", "reached", "reached"]
    assert course.pose.x == pytest.approx(3.0, abs=0.1)


def test_cancel_drops_what_is_driven_to_and_what_waits_and_a_new_goal_is_taken(course: Course) -> None:
    course.gardener.go(SimpleGoal(6.0, 5.0))
    course.until(lambda: course.speed > 0.3)
    course.gardener.go(SimpleGoal(1.0, 5.0))
    assert course.gardener.cancel()
    course.step()
    assert course.speed == 0.0
    assert not course.gardener.cancel()
    course.step(20)
    assert course.speed == 0.0
    course.gardener.go(SimpleGoal(3.0, 3.0))
    course.until_ended()
    assert [ended.outcome for ended in course.gardener.ended] == ["cancelled", "cancelled", "reached"]


def test_without_a_fix_it_stands_and_goes_on_when_there_is_one_again(course: Course) -> None:
    course.gardener.go(SimpleGoal(6.0, 5.0))
    course.until(lambda: course.speed > 0.3)
    course.age = LOST + 0.1
    course.step(30)
    assert (course.speed, course.gardener.is_lost) == (0.0, True)
    assert course.said.count("The localisation has no fix: the vehicle stands and keeps its goal.") == 1
    course.age = 0.0
    course.until_ended()
    assert course.last == ("reached", "")


def test_after_a_minute_without_a_fix_the_goal_is_given_up(course: Course) -> None:
    course.gardener.go(SimpleGoal(6.0, 5.0))
    course.until(lambda: course.speed > 0.3)
    course.age = math.inf
    course.step(round(PATIENCE / DT) + 5)
    assert course.last == ("failed", "there was no fix for 60 s")
    assert not course.gardener.is_busy


def test_a_vehicle_that_touches_something_on_its_approach_gives_up(course: Course) -> None:
    course.gardener.trim([ObjectGoal.of(course.sketch.by_id[7])])
    course.until(lambda: course.gardener.state is State.APPROACH)
    course.gardener.tick(course.now, course.pose, 0.0, pushes=True)
    assert course.last == ("failed", "it touched something on the way to it")


def test_after_trimming_it_first_goes_back_the_way_it_came(course: Course) -> None:
    course.gardener.trim([ObjectGoal.of(course.sketch.by_id[7])])
    course.until_ended()
    heading, there = course.pose.heading, course.pose
    course.gardener.go(SimpleGoal(2.0, 2.0))
    course.until(lambda: course.gardener.state is State.DRIVE_TO_PLACE and course.speed > 0.0)
    course.step(10)
    back = (course.pose.x - there.x) * math.cos(heading) + (course.pose.y - there.y) * math.sin(heading)
    assert back < -0.1
    assert course.pose.heading == pytest.approx(heading)


def test_a_vehicle_that_stands_in_a_bed_gets_out_of_it(course: Course) -> None:
    course.pose = Pose(9.2, 8.6, 0.5)  # at the edge of the dirt
    course.gardener.go(SimpleGoal(7.5, 6.5))
    course.until_ended()
    assert course.last == ("reached", "")
