"""Pairs of pictures: every type, compressed or not, and nothing unpacked that does not belong there."""

from __future__ import annotations

import tracemalloc
import zlib

import numpy as np
import pytest

from mobilesim_py.protocols.naio import decode, encode
from mobilesim_py.protocols.naio.api_packets import ApiStereo
from mobilesim_py.protocols.naio.stereo import FORMS, PictureError, picture_bytes, pictures, stereo_packet
from mobilesim_py.protocols.naio.values import ImageType


def pair(image_type: ImageType) -> tuple[np.ndarray, np.ndarray]:
    noise = np.random.default_rng(14).integers(0, 256, (2, *FORMS[image_type].shape), dtype=np.uint8)
    return noise[0], noise[1]


@pytest.mark.parametrize("image_type", ImageType)
def test_pictures_of_every_type_arrive_as_they_were_sent(image_type: ImageType) -> None:
    left, right = pair(image_type)
    wire = encode(stereo_packet(left, right, image_type))
    assert len(wire) <= 2_200_000
    packet = decode(0xA2, wire[11:-4])
    assert isinstance(packet, ApiStereo)
    left_again, right_again = pictures(packet)
    assert np.array_equal(left, left_again)
    assert np.array_equal(right, right_again)


def test_the_right_raw_picture_begins_at_360_960() -> None:
    left, right = pair(ImageType.RAW)
    data = stereo_packet(left, right, ImageType.RAW).data
    assert len(data) == 721_920
    assert data[:360_960] == left.tobytes()
    assert data[752] == left[1, 0]


@pytest.mark.parametrize(("image_type", "size"), [(2, 752 * 480 * 3 * 2), (3, 376 * 240 * 3 * 2)])
def test_colour_pictures_have_three_bytes_for_a_pixel(image_type: int, size: int) -> None:
    form = FORMS[ImageType(image_type)]
    assert 2 * form.size == size


def test_a_picture_of_another_form_is_refused() -> None:
    left, right = pair(ImageType.RAW)
    with pytest.raises(PictureError, match=r"the right picture is uint8 \(100, 752\); RAW is uint8 \(480, 752\)"):
        stereo_packet(left, right[:100], ImageType.RAW)
    with pytest.raises(PictureError, match="the left picture is float64"):
        stereo_packet(left.astype(float), right, ImageType.RAW)


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (ApiStereo(9, b""), "no type 9"),
        (ApiStereo(1, bytes(10)), "721920 bytes, not 10"),
        (ApiStereo(1, bytes(721_921)), "721920 bytes, not more"),
        (ApiStereo(4, b"no zlib"), "cannot be uncompressed"),
        (ApiStereo(4, zlib.compress(bytes(100))), "721920 bytes, not 100"),
        (ApiStereo(4, zlib.compress(bytes(721_920))[:-20]), "721920 bytes, not"),
    ],
)
def test_a_packet_without_two_pictures_is_refused(packet: ApiStereo, reason: str) -> None:
    with pytest.raises(PictureError, match=reason):
        pictures(packet)


def test_a_packet_that_swells_is_not_unpacked_beyond_two_pictures() -> None:
    bomb = ApiStereo(ImageType.RAW_ZLIB, zlib.compress(bytes(100_000_000)))
    tracemalloc.start()
    try:
        with pytest.raises(PictureError, match="not more"):
            picture_bytes(bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000
