"""The docs as a site: every page is in it, and a link that leads nowhere fails the build."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the docs site needs the extra `docs`: pip install -e '.[docs]'")
pytest.importorskip("furo", reason="the docs site needs the extra `docs`: pip install -e '.[docs]'")

ROOT = Path(__file__).parents[1]
STAGE = [sys.executable, str(ROOT / "docs" / "site" / "stage.py")]


def built(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(source), str(site)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "source"
    subprocess.run([*STAGE, str(folder)], check=True, timeout=60)
    return folder


def test_the_site_is_built_with_every_page_and_can_be_searched(source: Path, tmp_path: Path) -> None:
    done = built(source, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for page in (ROOT / "docs").glob("*.md"):
        assert (tmp_path / f"{page.stem}.html").is_file(), page.name
    index = (tmp_path / "index.html").read_text()
    for page in ("viewer", "http-routes", "CHANGELOG", "house"):
        assert f'href="{page}.html"' in index
    assert "/api/robots" in (tmp_path / "http-routes.html").read_text()
    words = json.loads((tmp_path / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")"))
    assert "lockstep" in words["terms"]


@pytest.mark.parametrize(
    "link", ["[gone](no-such-page.md)", "[gone](viewer.md#no-such-heading)", "![gone](pictures/none.png)"]
)
def test_a_link_that_leads_nowhere_fails_the_build(link: str, source: Path, tmp_path: Path) -> None:
    few = tmp_path / "few"
    few.mkdir()
    (few / "conf.py").write_text((source / "conf.py").read_text())
    (few / "viewer.md").write_text("# Viewer\n")
    (few / "index.md").write_text(f"# Start\n\n{link}\n\n```{{toctree}}\nviewer\n```\n")
    done = built(few, tmp_path / "site")
    assert done.returncode != 0
    assert "no" in done.stderr
