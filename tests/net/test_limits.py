"""How much may wait for a client that does not read."""

from __future__ import annotations

from mobilesim_py.net.limits import ByBytes, ByMessages


def test_a_stream_takes_what_fits() -> None:
    limit = ByBytes(1000)
    assert limit.admits(0, 1000)
    assert limit.admits(900, 100)
    assert not limit.admits(901, 100)


def test_a_picture_larger_than_any_buffer_may_leave_when_none_waits() -> None:
    limit = ByMessages(1)
    assert limit.admits(0, 722_000)
    assert not limit.admits(722_000, 722_000)
    assert not limit.admits(1, 722_000), "its last byte has not left"
    assert limit.admits(0, 722_000)


def test_pictures_are_counted_however_large_each_of_them_is() -> None:
    limit = ByMessages(3)
    assert [limit.admits(pending, size) for pending, size in ((0, 10), (10, 500), (510, 1), (511, 1))] == [
        True,
        True,
        True,
        False,
    ]
    assert not limit.admits(505, 1), "half of the first has left"
    assert limit.admits(501, 7), "the first has left"
    assert not limit.admits(508, 1)
