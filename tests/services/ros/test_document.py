"""The tables of docs/ros.md are what the table of topics says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilesim_py.services.ros.document import END, TABLES, main, renewed

PAGE = Path(__file__).parents[3] / "docs" / "ros.md"


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page) == page, "run: make docs"


def test_only_what_stands_between_the_marks_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("".join(f"before {word}\n<!-- table: {word} -->\nold\n{END}\nbehind\n" for word in TABLES))
    main(str(page))
    text = page.read_text()
    assert "| `odom` | `nav_msgs/Odometry` | out | 0.1 s |" in text
    assert "| `cmd_vel` | `geometry_msgs/Twist` | in |" in text
    assert "old" not in text
    assert text.count("behind") == text.count("before") == len(TABLES)


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(SystemExit, match="table: topics"):
        renewed("nothing here")
