"""Snapshots and movies that the page or the simulator makes."""

from __future__ import annotations

import io
from pathlib import Path

from .conftest import Open, Start, settled

ROOT = Path(__file__).parent.parent.parent


def test_snapshots_are_not_blank(simulator: Start, open_page: Open) -> None:
    from PIL import Image

    running = simulator("-m", "office.map", "-r", "p3dx")
    page = open_page(running)
    settled(page)
    with page.expect_download() as download:
        page.click("#save-png")
    picture = Image.open(io.BytesIO(Path(download.value.path()).read_bytes())).convert("RGB")
    assert picture.width > 500
    assert len(picture.getcolors(1 << 24) or []) > 20
    with page.expect_download() as download:
        page.click("#save-svg")
    text = Path(download.value.path()).read_text()
    assert text.startswith("<svg")
    assert "p3dx" in text


def test_movies_are_recorded_by_the_page_and_by_the_simulator(simulator: Start, open_page: Open) -> None:
    from PIL import Image

    running = simulator("-m", "office.map", "-r", "p3dx:robot")
    page = open_page(running)
    page.click("#robots button")
    page.focus("#stage")
    page.keyboard.down("ArrowLeft")
    for kind, ending in (("gif", ".gif"), ("webm-page", ".webm")):
        page.select_option("#movie-format", kind)
        page.click("#record")
        page.wait_for_selector("#record[aria-pressed=true]")
        began = running.get("/api/state")["time"]
        running.until(lambda since=began: running.get("/api/state")["time"] > since + 1.0)
        with page.expect_download() as download:
            page.click("#record")
        data = Path(download.value.path()).read_bytes()
        assert download.value.suggested_filename.endswith(ending)
        if kind == "gif":
            assert Image.open(io.BytesIO(data)).n_frames > 3
        else:
            assert len(data) > 1000
