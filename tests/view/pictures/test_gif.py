"""Animated GIFs: durations, and only what changes."""

from __future__ import annotations

import io

from PIL import Image, ImageChops

from mobilesim_py.view.pictures.gif import GifWriter


def test_a_gif_shows_each_picture_for_its_time() -> None:
    pictures = [Image.new("RGB", (60, 40), "white") for _ in range(4)]
    for number, picture in enumerate(pictures):
        picture.paste((200, 30 * number, 0), (10 * number, 5, 10 * number + 8, 15))
    file = io.BytesIO()
    writer = GifWriter(file)
    for number, picture in enumerate(pictures):
        writer.add(picture, 0.1 * (number + 1))
    writer.end()
    gif = Image.open(io.BytesIO(file.getvalue()))
    assert (gif.n_frames, gif.size, gif.info["loop"]) == (4, (60, 40), 0)
    for number, picture in enumerate(pictures):
        gif.seek(number)
        assert gif.info["duration"] == 100 * (number + 1)
        worst = ImageChops.difference(gif.convert("RGB"), picture).getextrema()
        assert max(high for _, high in worst) < 24


def test_a_gif_of_nothing_is_empty_and_one_of_stillness_is_small() -> None:
    file = io.BytesIO()
    GifWriter(file).end()
    assert file.getvalue() == b""
    writer = GifWriter(file)
    picture = Image.effect_noise((200, 200), 50).convert("RGB")
    writer.add(picture, 0.1)
    first = len(file.getvalue())
    writer.add(picture, 0.1)
    assert len(file.getvalue()) < first + 1000
