"""The table of routes, its handlers and its documentation."""

from __future__ import annotations

from pathlib import Path

from mobilesim_py.view.page.routes import ROUTES, openapi_document


def test_every_route_has_a_handler_and_is_documented() -> None:
    from mobilesim_py.view.page.api import Api

    document = openapi_document()
    for route in ROUTES:
        assert callable(getattr(Api, "maps_" if route.handler == "maps" else route.handler)), route.handler
        assert route.method.lower() in document["paths"][route.path]
    operations = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(operations) == len(set(operations))


def test_the_page_of_the_api_names_every_route() -> None:
    page = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    for route in ROUTES:
        assert f"| {route.method} | `{route.path}` | {route.about}" in page
