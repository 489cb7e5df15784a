"""Frames: JSON, CBOR, PNG."""

from __future__ import annotations

import base64
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from mobilesim_py.protocols.ros import cbor
from mobilesim_py.protocols.ros.errors import WireError
from mobilesim_py.protocols.rosbridge.encoding import png_of_text, read_frame, text_of_png, write_text

LIMIT = 1 << 20


def test_an_operation_comes_as_json_or_as_cbor():
    assert read_frame('{"op": "publish", "x": NaN}', LIMIT)["op"] == "publish"
    assert read_frame(cbor.encode({"op": "publish"}), LIMIT) == {"op": "publish"}


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "[]",
        "{}",
        '{"op": 5}',
        "{",
        '{"op":"x"' + ',"a":[' * 5,
        "[" * 100_000,
        "1" * 5000,
        b"",
        b"\x01",
        b"\xa1",
        cbor.encode([1]),
    ],
)
def test_what_is_no_operation_is_refused(frame):
    with pytest.raises(WireError):
        read_frame(frame, LIMIT)


def test_a_frame_that_is_too_long_is_refused_unread():
    with pytest.raises(WireError, match="11 bytes, where at most 10"):
        read_frame("x" * 11, 10)


def test_json_has_no_nan():
    with pytest.raises(ValueError, match=r"JSON|NaN|nan"):
        write_text(float("nan"))


@settings(deadline=None)
@given(st.text(max_size=500))
def test_a_text_comes_back_from_its_pixels_with_line_ends_behind_it(text):
    encoded = png_of_text(text.encode("utf-8", "replace").decode())
    assert text_of_png(encoded, LIMIT).rstrip("\n") == text.encode("utf-8", "replace").decode().rstrip("\n")


def test_the_picture_is_as_square_as_the_original_makes_it():
    with Image.open(io.BytesIO(base64.b64decode(png_of_text("x" * 1000)))) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (18, 19))


def test_a_map_shrinks():
    assert len(png_of_text("-1," * 160_000)) < 4000


def picture(mode: str, size: tuple[int, int]) -> str:
    file = io.BytesIO()
    Image.new(mode, size).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("encoded", "reason"),
    [
        ("!", "not base64"),
        ("AAAA", "cannot be read"),
        (picture("L", (2, 2)), "pixels of L"),
        (picture("RGB", (1000, 1000)), "1000 x 1000"),
        (picture("RGB", (9, 9))[:64], "cannot be read|not base64"),
    ],
)
def test_pictures_that_are_none_of_a_text_are_refused(encoded, reason):
    with pytest.raises(WireError, match=reason):
        text_of_png(encoded, LIMIT)
