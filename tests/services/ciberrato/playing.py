"""Games for tests: labs drawn in rows, robots registered and run, without noise unless a test wants it."""

from __future__ import annotations

from dataclasses import replace

from mobilesim_py.formats.lab import Beacon, Grid, Lab, Parameters, StartPlace, Target
from mobilesim_py.formats.lab.rows import row_walls
from mobilesim_py.protocols.ciber import Actions, RobotRequest
from mobilesim_py.services.ciberrato import CIBERRATO, Game, Robot, Rules, Setup
from mobilesim_py.services.ciberrato.noise import Noise

QUIET = Parameters(
    sim_time=1000,
    key_time=600,
    compass_noise_deg=0.0,
    beacon_noise_deg=0.0,
    obstacle_noise=0.0,
    motors_noise_percent=0.0,
    gps_linear_noise=0.0,
    line_sensor_true_probability=1.0,
)


def lab_of(
    width: float, height: float, rows: dict[int, str] | None = None, wall_height: float = 4.0, targets=(), beacons=()
) -> Lab:
    walls = [wall for position, pattern in (rows or {}).items() for wall in row_walls(position, pattern, wall_height)[0]]
    return Lab("test", width, height, tuple(Beacon(*b) for b in beacons), tuple(Target(*t) for t in targets), tuple(walls))


def game_of(
    lab: Lab,
    places=((1.0, 1.0, 0.0),),
    parameters: Parameters = QUIET,
    scoring: int = 0,
    rules: Rules = CIBERRATO,
    noise: Noise | None = None,
    **changes,
) -> Game:
    grid = Grid(tuple(StartPlace(*place) for place in places))
    return Game(Setup(lab, grid, replace(parameters, **changes), rules, scoring), noise)


def cycle(game: Game, *actions: Actions | None) -> None:
    """Play a cycle with one message, or none, for each robot by its number."""
    game.begin_cycle()
    for number, action in enumerate(actions, start=1):
        if action is not None:
            game.act(number, action)
    game.advance()
    game.settle()


def started(game: Game, robots: int = 1) -> list[Robot]:
    """Register robots and let the run start; the next cycle is the first of the running ones."""
    for number in range(1, robots + 1):
        assert game.register(RobotRequest(f"robot{number}")) == number
    cycle(game)
    game.start()
    cycle(game)
    return game.present


def put(robot: Robot, x: float, y: float) -> None:
    """Set a robot down somewhere."""
    robot.x, robot.y = x, y
