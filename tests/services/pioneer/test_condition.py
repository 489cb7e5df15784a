"""What a Pioneer tells of its own condition."""

from __future__ import annotations

import math

from mobilesim_py.protocols.arcos.quantities import State
from mobilesim_py.services.pioneer.condition import Condition, Told, gather


def test_a_new_robot_has_no_thermometer_and_all_its_lines_are_high() -> None:
    condition = Condition()
    assert (condition.temperature, condition.overheated, condition.digital_out) == (None, False, 0xFF)
    assert math.isnan(condition.values[Told.TEMPERATURE])
    assert condition.values[Told.DIGITAL_IN] == 0xFF


def test_what_is_set_stands_in_the_matrix_of_all_robots() -> None:
    first, second = Condition(), Condition()
    first.temperature = 30.0
    matrix = gather([first, second])
    second.temperature = -20.0
    second.overheated = True
    second.digital_out = 0x1F5
    assert matrix[:, Told.TEMPERATURE].tolist() == [30.0, -20.0]
    assert matrix[1, :4].tolist() == [-20.0, 1.0, 255.0, 0xF5]
    second.reset()
    assert matrix[1, 1:4].tolist() == [0.0, 255.0, 255.0]


def test_a_condition_moves_to_the_next_matrix_with_its_values() -> None:
    first, second = Condition(), Condition()
    gather([first, second])
    second.overheated = True
    matrix = gather([second])
    assert (matrix.shape, second.overheated) == ((1, len(Told)), True)
    assert gather([]).shape == (0, len(Told))


def test_a_condition_stands_in_a_report_in_one_piece() -> None:
    first = State[Told(0).name]
    assert [State[told.name] for told in Told] == list(range(first, first + len(Told)))
