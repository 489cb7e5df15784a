"""One test for each thing that ARIA's map parser accepts, skips or rejects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilesim_py.errors import ExitCode, MapError
from mobilesim_py.formats.armap.armap import CATEGORIES, INFO_KEYWORDS
from mobilesim_py.formats.armap.reader import parse_map, read_map

ROOM = "LINES\n0 0 1000 0\n"


def lines(text: str) -> list[list[int]]:
    return parse_map(text).lines.tolist()


def points(text: str) -> list[list[int]]:
    return parse_map(text).points.tolist()


def header(*rows: str) -> str:
    return "\n".join(["2D-Map", *rows, ROOM])


def rejection(text: str) -> MapError:
    with pytest.raises(MapError) as caught:
        parse_map(text, "my.map")
    return caught.value


# ---- the category


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_is_read(category: str) -> None:
    assert parse_map(f"{category}\n{ROOM}").category == category


def test_the_category_is_read_without_regard_to_case() -> None:
    assert parse_map("2d-mAP-ex2\n" + ROOM).category == "2D-Map-Ex2"


def test_a_newer_category_is_rejected_with_what_can_be_read() -> None:
    assert "2D-Map-Ex4" in str(rejection("2D-Map-Ex5\n" + ROOM))


def test_a_file_without_a_category_is_rejected() -> None:
    assert "my.map:1: not a map file" in str(rejection("hello\n" + ROOM))


def test_an_empty_file_is_rejected() -> None:
    assert rejection("").exit_code == ExitCode.MAP


def test_unknown_lines_before_the_category_are_skipped_and_kept() -> None:
    armap = parse_map("made by hand\nMinPos: not numbers\n2D-Map\n" + ROOM)
    assert armap.preamble == ("made by hand", "MinPos: not numbers")


def test_data_before_the_category_is_not_read() -> None:
    assert lines("LINES\n1 1 2 2\n2D-Map\n" + ROOM) == [[0, 0, 1000, 0]]


# ---- header lines


def test_windows_line_ends_are_read() -> None:
    armap = parse_map('2D-Map\r\nResolution: 20\r\nCairn: Goal 1 2 3 "" ICON "a b"\r\nLINES\r\n1 2 3 4\r\nDATA\r\n5 6\r\n')
    assert (armap.resolution, armap.cairns[0].name) == (20, "a b")
    assert (armap.lines.tolist(), armap.points.tolist()) == ([[1, 2, 3, 4]], [[5, 6]])


def test_there_are_no_comments() -> None:
    assert parse_map(header("# not a comment", "; nor this")).remainder == ("# not a comment", "; nor this")


def test_blank_lines_in_the_header_are_ignored() -> None:
    assert parse_map(header("", "   \t", "Resolution: 20")).remainder == ()


def test_keywords_are_read_without_regard_to_case_and_may_be_indented_or_quoted() -> None:
    assert parse_map(header("  rEsOlUtIoN: 30")).resolution == 30
    assert parse_map(header('"Resolution:" 40')).resolution == 40


def test_bounds_and_flags_of_the_header_are_kept() -> None:
    scan = parse_map(
        header("MinPos: -1 -2", "MaxPos: 3 4", "LineMinPos: -5 -6", "LineMaxPos: 7 8", "PointsAreSorted: true")
    ).scans[0]
    assert (scan.min_pos, scan.max_pos) == ((-1, -2), (3, 4))
    assert (scan.line_min_pos, scan.line_max_pos) == ((-5, -6), (7, 8))
    assert (scan.points_are_sorted, scan.lines_are_sorted) == (True, False)


@pytest.mark.parametrize("keyword", ["MinPos:", "MaxPos:", "LineMinPos:", "LineMaxPos:"])
@pytest.mark.parametrize("value", ["", "1", "1 2 3", "1.5 2", "a b", "99999999999 0"])
def test_a_position_that_is_not_two_whole_numbers_rejects_the_map(keyword: str, value: str) -> None:
    assert rejection(header("Resolution: 20", f"{keyword} {value}")).line == 3


@pytest.mark.parametrize("row", ["Resolution:", "Resolution: 2.5", "Resolution: 20 30", "NumPoints: many", "NumLines: -3"])
def test_a_count_or_resolution_that_is_no_whole_number_rejects_the_map(row: str) -> None:
    assert rejection(header(row)).line == 2


@pytest.mark.parametrize("row", ["PointsAreSorted: maybe", "LinesAreSorted:"])
def test_a_flag_that_is_neither_true_nor_false_rejects_the_map(row: str) -> None:
    assert "`true` or `false`" in str(rejection(header(row)))


def test_counts_only_announce_and_the_rows_read_count() -> None:
    assert len(lines("2D-Map\nNumLines: 7\nNumPoints: 9\n" + ROOM)) == 1


def test_a_count_of_zero_is_read_but_noted_since_some_clients_reject_it() -> None:
    assert parse_map(header("NumPoints: 0")).problems[0].line == 2


def test_the_display_text_loses_its_quotes() -> None:
    assert parse_map(header('Display: "Top laser"')).scans[0].display == "Top laser"


def test_the_origin_is_three_numbers() -> None:
    assert parse_map(header("OriginLatLongAlt: 42.5 -71.25 72")).origin == (42.5, -71.25, 72.0)


def test_an_origin_without_numbers_takes_it_back() -> None:
    assert parse_map(header("OriginLatLongAlt: 1 2 3", "OriginLatLongAlt:")).origin is None


def test_an_incomplete_origin_rejects_the_map() -> None:
    assert "latitude" in str(rejection(header("OriginLatLongAlt: 42.5 -71.25")))


def test_an_origin_that_is_nowhere_on_earth_is_noted_and_not_used() -> None:
    armap = parse_map(header("OriginLatLongAlt: 142.5 0 0"))
    assert armap.origin is None
    assert armap.problems


@pytest.mark.parametrize("keyword", INFO_KEYWORDS)
def test_info_lines_are_kept_with_their_arguments(keyword: str) -> None:
    (info,) = parse_map(header(f'{keyword} SectorType Name=Box "Label=My box" Bare')).infos
    assert info.keyword == keyword
    assert info.arguments == ("SectorType", "Name=Box", "Label=My box", "Bare")
    assert info.attributes == {"name": "Box", "label": "My box", "bare": ""}


def test_unknown_header_lines_are_kept_in_order() -> None:
    assert parse_map(header("Flavour: sweet", "Resolution: 20", "Colour: red")).remainder == (
        "Flavour: sweet",
        "Colour: red",
    )


def test_a_long_line_is_read_whole_and_noted() -> None:
    armap = parse_map(header("Note: " + "x" * 13_000))
    assert len(armap.remainder[0]) == 13_006
    assert "12000" in armap.problems[0].text


# ---- cairns


def test_a_cairn_is_read_with_its_quoted_name() -> None:
    (cairn,) = parse_map(header('Cairn: GoalWithHeading 100 -200.5 45.5 "on the left" ICON "Front door"')).cairns
    assert (cairn.kind, cairn.x, cairn.y, cairn.heading) == ("GoalWithHeading", 100.0, -200.5, 45.5)
    assert (cairn.description, cairn.icon, cairn.name, cairn.corners) == ("on the left", "ICON", "Front door", None)


def test_a_cairn_with_four_more_numbers_is_a_line_or_area() -> None:
    (cairn,) = parse_map(header('Cairn: ForbiddenArea 0 0 30 "" ICON "" -1 -2 3 4.5')).cairns
    assert cairn.corners == (-1.0, -2.0, 3.0, 4.5)


def test_a_description_at_the_end_takes_the_place_of_the_first() -> None:
    text = header('Cairn: Goal 0 0 0 "old" ICON "n" "new one"', 'Cairn: Area 0 0 0 "old" ICON "n" 1 2 3 4 "new two"')
    assert [cairn.description for cairn in parse_map(text).cairns] == ["new one", "new two"]


@pytest.mark.parametrize("row", ['Cairn: Goal 0 0 0 "" ICON', "Cairn:", 'Cairn: Goal 0 0 0 "a b" ICON'])
def test_a_cairn_with_fewer_than_seven_values_rejects_the_map(row: str) -> None:
    error = rejection(header("Resolution: 20", row))
    assert error.line == 3
    assert "needs 7" in str(error)


@pytest.mark.parametrize("row", ['Cairn: Goal x 0 0 "" ICON "n"', 'Cairn: Area 0 0 0 "" ICON "n" 1 2 3 four'])
def test_a_cairn_with_a_word_for_a_number_rejects_the_map(row: str) -> None:
    assert "where a number belongs" in str(rejection(header(row)))


def test_inactive_and_child_cairns_are_kept_apart() -> None:
    armap = parse_map(header('_Cairn: RobotHome 1 2 0 "" ICON ""', 'ChildCairn: Goal 1 2 0 "" ICON ""'))
    assert [cairn.keyword for cairn in armap.cairns] == ["_Cairn:", "ChildCairn:"]
    assert armap.cairns_of("RobotHome", "Goal") == ()


# ---- sources


def test_sources_have_their_own_header_lines_and_rows() -> None:
    armap = parse_map(
        "2D-Map\nSources: SickLaser Sonar\nResolution: 20\nSonarResolution: 100\nSonarMinPos: 1 2\n"
        "LINES\n0 0 1 1\nSonar_DATA\n5 6\nDATA\n7 8\nSonar_LINES\n2 2 3 3\n"
    )
    assert armap.sources == ("SickLaser", "Sonar")
    assert [scan.resolution for scan in armap.scans] == [20, 100]
    assert [scan.points.tolist() for scan in armap.scans] == [[[7, 8]], [[5, 6]]]
    assert armap.lines.tolist() == [[0, 0, 1, 1], [2, 2, 3, 3]]


def test_sources_without_a_name_reject_the_map() -> None:
    assert "at least one name" in str(rejection(header("Sources:")))


def test_a_source_named_twice_is_noted_and_the_line_ignored() -> None:
    armap = parse_map(header("Sources: a A"))
    assert armap.sources == ("",)
    assert armap.problems[0].line == 2


def test_rows_of_a_source_that_was_not_announced_are_a_skipped_line() -> None:
    armap = parse_map("2D-Map\nLINES\n0 0 1 1\nSonar_DATA\n5 6\n")
    assert [problem.line for problem in armap.problems] == [4, 5]


# ---- number rows


def test_a_file_without_lines_and_data_is_rejected() -> None:
    assert "LINES" in str(rejection("2D-Map\nResolution: 20\n"))


def test_a_header_that_ends_with_lines_and_no_rows_is_a_map() -> None:
    assert len(lines("2D-Map\nLINES\n")) == 0


def test_lines_and_data_come_in_any_order_and_repeated() -> None:
    text = "2D-Map\nDATA\n1 2\nLINES\n0 0 1 1\ndata\n3 4\nlines\n2 2 3 3\n"
    assert points(text) == [[1, 2], [3, 4]]
    assert lines(text) == [[0, 0, 1, 1], [2, 2, 3, 3]]


def test_a_section_begins_where_a_line_begins_with_its_keyword() -> None:
    assert points("2D-Map\nLINES\n0 0 1 1\nDATAPOINTS of today\n3 4\n") == [[3, 4]]


def test_any_blanks_may_stand_between_numbers() -> None:
    assert points("2D-Map\nDATA\n1  \t 2\n-3\t-4  \n") == [[1, 2], [-3, -4]]


def test_text_after_the_last_number_is_ignored_and_noted() -> None:
    armap = parse_map("2D-Map\nLINES\n1 2 3 4 5\n1 2 3 4.5\n")
    assert armap.lines.tolist() == [[1, 2, 3, 4], [1, 2, 3, 4]]
    assert [problem.line for problem in armap.problems] == [3, 4]


@pytest.mark.parametrize(
    "row", ["1.5 0 2 2", " 1 2 3 4", "+1 2 3 4", "1 2 3", "1,2,3,4", 'Cairn: Goal 0 0 0 "" ICON "late"']
)
def test_a_row_that_is_not_whole_numbers_is_skipped_and_noted(row: str) -> None:
    armap = parse_map(f"2D-Map\nLINES\n0 0 1 1\n{row}\n2 2 3 3\n")
    assert armap.lines.tolist() == [[0, 0, 1, 1], [2, 2, 3, 3]]
    assert [problem.line for problem in armap.problems] == [4]


def test_blank_rows_are_skipped_without_a_word() -> None:
    armap = parse_map("2D-Map\nDATA\n1 2\n\n   \n3 4\n\n")
    assert (armap.points.tolist(), armap.problems) == ([[1, 2], [3, 4]], ())


def test_a_number_beyond_32_bits_is_skipped_and_noted() -> None:
    armap = parse_map("2D-Map\nDATA\n1 2\n3000000000 1\n1 99999999999999999999999\n")
    assert (len(armap.points), len(armap.problems)) == (1, 2)


def test_the_last_line_is_read_without_a_newline() -> None:
    assert points("2D-Map\nDATA\n1 2\n3 4") == [[1, 2], [3, 4]]


def test_problems_are_counted_when_there_are_very_many() -> None:
    armap = parse_map("2D-Map\nDATA\n" + "x\n" * 1000)
    assert (len(armap.problems), armap.problems[-1].text) == (201, "and 800 more problems like these")


def test_a_map_of_more_than_two_kilometres_is_rejected() -> None:
    assert "2 km" in str(rejection("2D-Map\nLINES\n0 0 2000001 0\n"))


def test_wrong_bounds_in_the_header_do_not_reject_a_small_map() -> None:
    assert parse_map(header("MinPos: -9000000 0", "MaxPos: 9000000 0")).data_bounds == (0, 0, 1000, 0)


def test_rows_are_the_same_whether_read_in_blocks_or_one_by_one() -> None:
    rows = np.random.default_rng(4).integers(-1_000_000, 1_000_000, (30_000, 2))
    text = "2D-Map\nDATA\n" + "\n".join(f"{x} {y}" for x, y in rows) + "\n"
    armap = parse_map(text + "not a row\n")
    assert np.array_equal(armap.points, rows)
    assert armap.problems[0].line == 30_003


def test_a_byte_order_mark_is_read_over_and_noted() -> None:
    assert parse_map(b"\xef\xbb\xbf2D-Map\n" + ROOM.encode()).problems[0].line == 1


def test_a_file_that_is_not_there_is_an_error_with_its_name() -> None:
    with pytest.raises(MapError, match=r"nowhere\.map: cannot read"):
        read_map("nowhere.map")


# ---- arbitrary text

ROWS = st.sampled_from(
    [
        *("2D-Map", "LINES", "DATA", "MinPos: 1 2", "1 2 3 4", "1 2", "-5 7", '"', "Sources: a b", "a_DATA", "a_LINES"),
        *('Cairn: Goal 0 0 0 "" ICON "x"', "aMinPos: 3 4", "MapInfo: SectorType Name=x Sim.Obstacle=yes"),
        *("OriginLatLongAlt: 1 2 3", "\r", "\t"),
    ]
)


@given(st.one_of(st.text(), st.binary(), st.lists(st.one_of(ROWS, st.text(max_size=20))).map("\n".join)))
@settings(max_examples=300, deadline=None)
def test_arbitrary_text_is_a_map_or_a_map_error(text: str | bytes) -> None:
    try:
        outcome = parse_map(text, "any.map").category
    except MapError as error:
        outcome = str(error)
    assert outcome in CATEGORIES or outcome.startswith("any.map:")
