"""Finished pictures."""

from __future__ import annotations

import pytest

from mobilesim_py.errors import UsageError
from mobilesim_py.view.pictures.picture import Picture


def test_a_picture_is_saved_under_a_name_that_fits_it(tmp_path) -> None:
    assert Picture(b"dots").save(tmp_path / "a.PNG").read_bytes() == b"dots"
    with pytest.raises(UsageError, match=r"must end with \.png"):
        Picture(b"dots").save(tmp_path / "a.jpg")


def test_a_place_that_cannot_be_written_is_told(tmp_path) -> None:
    with pytest.raises(UsageError, match="cannot write the picture"):
        Picture(b"dots").save(tmp_path / "nowhere" / "a.png")
