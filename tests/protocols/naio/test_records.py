"""Records behind their count, one after the other or as columns."""

from __future__ import annotations

import pytest

from mobilesim_py.protocols.naio import PayloadError, encode
from mobilesim_py.protocols.naio.api_packets import ApiRunPlot, PlotRow, Post
from mobilesim_py.protocols.naio.records import Columns, Records

POSTS = Records("stakes", record=Post, count_code="B", limit=3)
ROWS = Columns("rows", record=PlotRow, count_code="H", limit=3)


def payload(packet: ApiRunPlot) -> bytes:
    return encode(packet)[11:-4]


def test_rows_of_a_plot_are_columns() -> None:
    rows = (PlotRow(1.0, 2.0, 3), PlotRow(4.0, 5.0, 6))
    packet = ApiRunPlot(rows, 0, 0, 0.0, (0, 0), 0, 0.0, 0, 0, 0, 0)
    columns = "00020000803f00008040000000400000a04000030006"
    assert payload(packet).hex().startswith(columns)


def test_records_follow_each_other() -> None:
    posts = (Post(0, 1, 1.0, 2.0), Post(1, 0, 0.0, 0.0))
    wire = bytes.fromhex("0200010000803f0000004001000000000000000000")
    assert POSTS.pack(posts) == wire
    assert POSTS.unpack(b"x" + wire + b"y", 1) == (posts, 22)


@pytest.mark.parametrize("wire", [POSTS, ROWS])
def test_there_may_be_no_record(wire: Records) -> None:
    assert wire.unpack(wire.pack(()), 0) == ((), wire.smallest)


@pytest.mark.parametrize("wire", [POSTS, ROWS])
def test_the_size_has_room_for_as_many_as_there_may_be(wire: Records) -> None:
    assert (wire.smallest, wire.largest) == (wire.counter.size, wire.counter.size + 30)


def test_types_are_named_with_their_fields() -> None:
    assert POSTS.type_name == "u8 n, n times (camera u8, colour u8, x f32, y f32)"
    assert ROWS.type_name == "u16 n, width f32[n], next_row_distance f32[n], length u16[n]"


def test_columns_that_are_not_all_there_are_refused() -> None:
    wire = ROWS.pack((PlotRow(1.0, 2.0, 3),) * 2)
    with pytest.raises(PayloadError, match="21 bytes where at least 22 belong"):
        ROWS.unpack(wire[:-1], 0)
