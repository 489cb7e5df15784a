"""Parsing worldfiles: definitions, inheritance, includes, units, and errors that point at their place."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilesim_py.catalogue.section import Section
from mobilesim_py.catalogue.worldfile import Worldfile
from mobilesim_py.errors import ExitCode, WorldfileError

Parse = Callable[[str], Section]


def test_properties_are_numbers_strings_words_and_tuples(section_of: Parse) -> None:
    section = section_of('a ( n 2.5 s "two words" w diff t [1 2 3] )')
    assert section.number("n") == 2.5
    assert section.text("s") == "two words"
    assert section.text("w") == "diff"
    assert section.numbers("t") == (1, 2, 3)


def test_a_tuple_may_go_over_several_lines(section_of: Parse) -> None:
    assert section_of("a ( t [1\n2 # two\n3] )").numbers("t") == (1, 2, 3)


def test_the_parenthesis_may_stand_on_the_next_line(section_of: Parse) -> None:
    assert section_of("a\n(\n n 1\n)").number("n") == 1


def test_the_last_of_two_properties_counts(section_of: Parse) -> None:
    assert section_of("a ( n 1 n 2 )").number("n") == 2


def test_a_section_inherits_from_its_definition(section_of: Parse) -> None:
    section = section_of("define b position ( n 1 m 1 ) b ( n 2 )")
    assert (section.kind, section.number("n"), section.number("m")) == ("position", 2, 1)


def test_inheritance_goes_over_several_definitions(section_of: Parse) -> None:
    section = section_of("define b position ( n 1 ) define c b ( m 2 ) c ( )")
    assert (section.number("n"), section.number("m"), section.lineage) == (1, 2, ("c", "b"))


def test_a_base_may_be_defined_later(section_of: Parse) -> None:
    assert section_of("define c b ( ) define b position ( n 1 ) c ( )").number("n") == 1


def test_children_of_the_base_come_before_its_own(section_of: Parse) -> None:
    section = section_of("define b position ( laser ( n 1 ) ) define c b ( laser ( n 2 ) ) c ( )")
    assert [child.number("n") for child in section.children] == [1, 2]


def test_children_inherit_too(section_of: Parse) -> None:
    section = section_of("define eye laser ( n 1 ) position ( eye ( m 2 ) )")
    child = section.children[0]
    assert (child.kind, child.name, child.number("n"), child.number("m")) == ("laser", "eye", 1, 2)


def test_of_two_definitions_the_later_one_counts(section_of: Parse) -> None:
    assert section_of("define b position ( n 1 ) define b position ( n 2 ) b ( )").number("n") == 2


def test_a_definition_based_on_its_own_name_extends_the_earlier_one(section_of: Parse) -> None:
    section = section_of("define b position ( n 1 m 1 ) define b b ( n 2 ) b ( )")
    assert (section.kind, section.number("n"), section.number("m")) == ("position", 2, 1)


def test_definitions_that_are_based_on_each_other_are_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match=r"test.world:\d+: .*based on itself"):
        section_of("define a b ( )\ndefine b a ( )\na ( )")


def test_a_definition_that_contains_itself_is_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match="too many parts"):
        section_of("define a position ( a ( ) a ( ) )\na ( )")


def test_lengths_and_angles_are_metres_and_degrees_unless_said(section_of: Parse) -> None:
    section = section_of("a ( pose [1 2 90] )")
    assert section.place("pose") == pytest.approx((1, 2, math.pi / 2))


def test_units_may_be_given_anywhere_in_the_file(section_of: Parse) -> None:
    section = section_of('unit_length "mm" a ( pose [1000 2 1] l 5 ) unit_angle "radians" b ( pose [1 1 1] )')
    assert section.place("pose") == pytest.approx((0.001, 0.001, 1.0))


def test_units_of_one_file_do_not_hold_for_another() -> None:
    worldfile = Worldfile()
    worldfile.load_text('unit_length "mm" define a position ( l 5 )')
    worldfile.load_text("define b a ( m 5 )")
    section = worldfile.find("b")
    assert section is not None
    assert (section.length("l"), section.length("m")) == (0.005, 5)


def test_unknown_units_are_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match=r"test.world:1: unit_length: expected one of m, cm, mm, found 'inch'"):
        section_of('unit_length "inch" a ( )')


def test_a_pose_of_four_has_its_angle_last(section_of: Parse) -> None:
    assert section_of("a ( pose [1 2 3 180] )").place("pose") == pytest.approx((1, 2, math.pi))


def test_included_files_are_found_beside_the_including_one(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.inc").write_text("define b position ( n 1 )")
    (tmp_path / "a.inc").write_text('include "sub/b.inc" define a b ( )')
    worldfile = Worldfile()
    worldfile.load(tmp_path / "a.inc")
    section = worldfile.find("a")
    assert section is not None
    assert section.number("n") == 1


def test_included_files_are_found_in_the_search_directories(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "b.inc").write_text("define b position ( )")
    (tmp_path / "a.world").write_text('include "b.inc"')
    worldfile = Worldfile(search=(tmp_path / "ours",))
    worldfile.load(tmp_path / "a.world")
    assert "b" in worldfile.definitions


def test_files_that_include_each_other_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.inc").write_text('include "b.inc"')
    (tmp_path / "b.inc").write_text('\ninclude "a.inc"')
    with pytest.raises(WorldfileError, match=r"b\.inc:2: .*being read already"):
        Worldfile().load(tmp_path / "a.inc")


def test_files_that_include_more_and_more_files_are_an_error(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number}.inc").write_text(f'include "{number + 1}.inc"\n' * 2)
    (tmp_path / "12.inc").write_text("")
    with pytest.raises(WorldfileError, match="too many files"):
        Worldfile().load(tmp_path / "0.inc")


def test_a_missing_include_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.inc").write_text('\n\ninclude "no.inc"')
    with pytest.raises(WorldfileError, match=r'a\.inc:3: include "no.inc": there is no such file'):
        Worldfile().load(tmp_path / "a.inc")


def test_a_missing_file_is_an_error_with_the_worldfile_exit_code(tmp_path: Path) -> None:
    with pytest.raises(WorldfileError, match="cannot be read") as caught:
        Worldfile().load(tmp_path / "no.world")
    assert caught.value.exit_code == ExitCode.WORLDFILE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\na ( n 1", r"test.world:2: expected '\)' to close 'a' of line 2, found the end of the file"),
        ("a ( )\n)", r"test.world:2: found '\)' without a '\(' before it"),
        ("define", "test.world:1: expected the name of a new model after 'define', found the end of the file"),
        ("define a (", "test.world:1: expected the model on which 'a' is based, found '\\('"),
        ("define a b n", r"test.world:1: expected '\(' to begin the definition of 'a', found 'n'"),
        ("a ( t [1 2 )", r"test.world:1: expected '\]' to close the tuple of line 1, found '\)'"),
        ("a ( t [1 [2] ] )", r"expected '\]' to close the tuple of line 1, found '\['"),
        ("a ( n )", r"expected a value or '\(' after 'n', found '\)'"),
        ("a ( n\nm 1 )", "test.world:1: expected a value or '\\(' after 'n', found 'm'"),
        ("a ( 5 6 )", "expected the name of a property or section, found '5'"),
    ],
)
def test_a_mistake_is_named_with_its_place(section_of: Parse, text: str, message: str) -> None:
    with pytest.raises(WorldfileError, match=message):
        section_of(text)


@pytest.mark.parametrize(
    ("text", "read", "message"),
    [
        ("a (\n n x )", lambda s: s.number("n"), "test.world:2: n: expected a number, found 'x'"),
        ("a ( n nan )", lambda s: s.number("n"), "expected a finite number"),
        ("a ( n 1.5 )", lambda s: s.integer("n"), "expected a whole number, found '1.5'"),
        ("a ( n 9 )", lambda s: s.integer("n", 0, 1, 5), "expected a number from 1 to 5, found 9"),
        ("a ( t [1] )", lambda s: s.place("t"), "expected at least 2 numbers, found 1"),
        ("a ( f maybe )", lambda s: s.flag("f"), "expected a number, found 'maybe'"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(
    section_of: Parse, text: str, read: Callable[[Section], object], message: str
) -> None:
    section = section_of(text)
    with pytest.raises(WorldfileError, match=message):
        read(section)


@pytest.mark.parametrize(("word", "truth"), [("1", True), ("0", False), ("true", True), ("no", False)])
def test_flags_are_numbers_or_words(section_of: Parse, word: str, truth: bool) -> None:
    assert section_of(f"a ( f {word} )").flag("f") is truth


def test_what_nobody_read_is_known(section_of: Parse) -> None:
    section = section_of("a ( n 1 strange 2 )")
    section.number("n")
    assert [found.name for found in section.unread()] == ["strange"]


PIECES = st.sampled_from(
    ["define", "include", "a", "b", "position", "(", ")", "[", "]", '"x"', "1", "-2.5", "spose[0]", "#c\n", "\n", " "]
)


def parse_and_resolve(text: str) -> None:
    worldfile = Worldfile()
    mistake: WorldfileError | None = None
    try:
        worldfile.load_text(text, "any.world")
        for name in worldfile.definitions:
            worldfile.find(name)
        for child in worldfile.root.children:
            worldfile.resolve(child)
    except WorldfileError as error:
        mistake = error
    assert mistake is None or (mistake.path == "any.world" and mistake.line >= 1)


@given(st.text())
def test_any_text_is_understood_or_an_error_with_its_place(text: str) -> None:
    parse_and_resolve(text)


@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_any_order_of_words_is_understood_or_an_error_with_its_place(text: str) -> None:
    parse_and_resolve(text)


def test_a_thousand_open_parentheses_are_an_error(section_of: Parse) -> None:
    with pytest.raises(WorldfileError, match="too many sections within sections"):
        section_of("a ( " * 1000)
