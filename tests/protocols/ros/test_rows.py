"""Rows of the table become definitions."""

from __future__ import annotations

from mobilesim_py.protocols.ros.rows import Constant, Dialect, Field, define, split_rows

ROWS = """
a/One       uint8 x | @1 uint32 seq
            @2 string[] names
a/One@2.0   One self
a/Ask       One[3] many --- bool done
"""


def test_rows_go_on_in_indented_lines_and_are_parted_by_dashes():
    rows = split_rows(ROWS)
    assert list(rows) == ["a/One", "a/One@2.0", "a/Ask"]
    assert [len(parts) for parts in rows.values()] == [1, 1, 2]


def test_marks_choose_the_fields_of_a_dialect():
    rows = split_rows(ROWS)
    old = define("a/One", rows["a/One"][0], Dialect.ROS1, rows)
    new = define("a/One", rows["a/One"][0], Dialect.ROS2, rows)
    assert old.fields == (Field("x", "uint8"), Field("seq", "uint32"))
    assert old.elsewhere == {"names"}
    assert new.fields == (Field("x", "uint8"), Field("names", "string", -1))
    assert new.elsewhere == {"seq"}


def test_constants_of_another_dialect_are_not_fields_elsewhere():
    made = define("a/B", "@1 uint8 A=0 | @2 uint8 A=1 | int8 B=-3 | uint8 x", Dialect.ROS2, {})
    assert made.constants == (Constant("A", "uint8", "1"), Constant("B", "int8", "-3"))
    assert made.constants[1].value == -3
    assert made.elsewhere == frozenset()


def test_a_version_refers_to_its_own_parts_first():
    rows = split_rows(ROWS)
    assert define("a/One@2.0", rows["a/One@2.0"][0], Dialect.ROS1, rows).fields == (Field("self", "a/One@2.0"),)
    assert define("a/Two@3.0", "One other", Dialect.ROS1, rows).fields == (Field("other", "a/One"),)


def test_texts_are_as_a_message_file_says_them():
    definition = define("a/B", "Header header | time t | duration[] d | float64[9] m", Dialect.ROS1, {})
    assert definition.text == "std_msgs/Header header\ntime t\nduration[] d\nfloat64[9] m\n"
    definition = define("a/B", "Header header | time t | duration[] d | float64[9] m", Dialect.ROS2, {})
    assert definition.text == (
        "std_msgs/Header header\nbuiltin_interfaces/Time t\nbuiltin_interfaces/Duration[] d\nfloat64[9] m\n"
    )
