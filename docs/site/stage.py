"""Lay out the sources of the docs site: the pages, what stands above docs/, the examples, and the routes of the HTTP API.

python docs/site/stage.py build/site-source
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABOVE = {"index.md": "README.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
"""Pages of the site that are files at the top of the repository."""
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
CONTENTS = (
    ("Using it", "running viewer maps models time python tour experiments navigation options"),
    ("Robots and protocols", "devices lasers oz ciberrato trimbot ros commands naio"),
    ("HTTP API", "api http-routes"),
    ("How it is", "differences speed reliability security house CONTRIBUTING CHANGELOG"),
)


def stage(folder: Path) -> None:
    """Write all sources into a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("site", "__pycache__"))
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(Path(__file__).with_name("conf.py"), folder)
    for page in folder.glob("*.md"):
        page.write_text(relinked(page.read_text(), above=False))
    for name, source in ABOVE.items():
        (folder / name).write_text(
            relinked((ROOT / source).read_text(), above=True) + (contents() if name == "index.md" else "")
        )
    (folder / "http-routes.md").write_text(routes())


def relinked(text: str, *, above: bool) -> str:
    """Let links lead to where the files are in the site; `above` says that the page is not in docs/."""

    def rewritten(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if "://" not in target:
            target = target.removeprefix("docs/") if above else target.removeprefix("../")
            target = {"README.md": "index.md", "LICENSE": "LICENSE.txt"}.get(target, target)
        return f"]({target}{anchor})"

    return LINK.sub(rewritten, text)


def contents() -> str:
    """Return the tables of contents, which the site shows at the side; a page that no part names is in the first."""
    listed = " ".join(pages for _, pages in CONTENTS).split()
    others = sorted(page.stem for page in (ROOT / "docs").glob("*.md") if page.stem not in listed)
    trees = []
    for title, pages in CONTENTS:
        names = [*pages.split(), *(others if title == CONTENTS[0][0] else [])]
        trees.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(names) + "\n```\n")
    return "\n" + "\n".join(trees)


def routes() -> str:
    """Return the routes of the HTTP API as a page, from the document that the simulator serves at /api/openapi.json."""
    from mobilesim_py.view.page.routes import openapi_document

    lines = ["# Routes of the HTTP API", "", "As `/api/openapi.json` has them.", ""]
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            lines += [f"## {method.upper()} `{path}`", "", operation["summary"], ""]
            rows = [(one["name"], one["in"], one.get("description", "")) for one in operation.get("parameters", ())]
            for kind, body in operation.get("requestBody", {}).get("content", {}).items():
                properties = body["schema"].get("properties", {})
                rows += [(name, "body", schema.get("description", "")) for name, schema in properties.items()]
                rows += [] if properties else [("body", kind, "")]
            if rows:
                lines += ["| name | where | |", "|---|---|---|"]
                lines += [f"| `{name}` | {where} | {about.replace('|', chr(92) + '|')} |" for name, where, about in rows]
                lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
