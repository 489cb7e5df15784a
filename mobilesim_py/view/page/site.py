"""The aiohttp application: routes, static files, and the guard before all of them. Imported when there is a viewer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware

from mobilesim_py.net.websocket import WebSocketPath
from mobilesim_py.view.page.api import Api, handler_of, say_what_is_wrong
from mobilesim_py.view.page.audience import Audience
from mobilesim_py.view.page.guard import HEADERS, Guard, Visit
from mobilesim_py.view.page.maps import LARGEST_UPLOAD
from mobilesim_py.view.page.page_stage import PageStage
from mobilesim_py.view.page.routes import ROUTES

STATIC = Path(__file__).resolve().parent / "static"
PAGES = {"/": "index.html", "/api/docs": "docs.html", "/favicon.ico": "favicon.svg"}
CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
SHUTDOWN_SECONDS = 1.0


class Site:
    """A program's web site on a listening socket."""

    def __init__(self, stage: PageStage, guard: Guard, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        self.api = Api(stage, Audience(stage, loop.time), loop.time)
        self._guard = guard
        self._socket = listening
        self._cookie = f"mobilesim_{listening.getsockname()[1]}"
        self._runner = web.AppRunner(
            self._application(), access_log=None, handle_signals=False, shutdown_timeout=SHUTDOWN_SECONDS
        )

    async def start(self) -> None:
        """Serve."""
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()

    async def close(self) -> None:
        """End all streams and stop serving."""
        await self.api.close()
        await self._runner.cleanup()

    def _application(self) -> web.Application:
        application = web.Application(middlewares=[self._admit(), say_what_is_wrong], client_max_size=LARGEST_UPLOAD + 1)
        for route in ROUTES:
            application.router.add_route(route.method, route.path, handler_of(self.api, route.handler))
        for door in self.api.stage.doors:
            if isinstance(door, WebSocketPath) and door.port is None:
                application.router.add_get(door.path, door.handle)
        for path, name in PAGES.items():
            application.router.add_get(path, _file_handler(STATIC / name))
        for file in sorted(STATIC.rglob("*")):
            if file.suffix in CONTENT_TYPES:
                application.router.add_get(f"/static/{file.relative_to(STATIC).as_posix()}", _file_handler(file))
        return application

    def _admit(self) -> Middleware:
        guard, cookie = self._guard, self._cookie

        @web.middleware
        async def admit(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            in_url = request.query.get("token", "")
            scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
            offered = (in_url, bearer.strip() if scheme.lower() == "bearer" else "", request.cookies.get(cookie, ""))
            refusal = guard.refuse(
                Visit(
                    host=request.headers.get("Host", ""),
                    origin=request.headers.get("Origin"),
                    fetch_site=request.headers.get("Sec-Fetch-Site"),
                    navigates=request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate",
                    tokens=tuple(token for token in offered if token),
                )
            )
            response: web.StreamResponse
            if refusal is not None:
                response = web.json_response({"error": refusal.text}, status=refusal.status)
            elif guard.token and in_url and request.path == "/":
                # Move the token out of address bar, history and Referer into a cookie that scripts cannot read.
                response = web.Response(status=303, headers={"Location": "/"})
                response.set_cookie(cookie, guard.token, httponly=True, samesite="Lax", path="/")
            else:
                response = await handler(request)
            if not response.prepared:
                response.headers.update(HEADERS)
                response.headers.setdefault("Cache-Control", "no-store")
            return response

        return admit


def _file_handler(path: Path) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return a handler that serves one file of the page from memory, with an ETag."""
    body = path.read_bytes()
    tag = f'"{hash(body) & 0xFFFFFFFFFFFF:x}"'
    kind = CONTENT_TYPES[path.suffix]

    async def send(request: web.Request) -> web.StreamResponse:
        headers = {"Cache-Control": "no-cache", "ETag": tag}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        charset = None if kind == "application/json" else "utf-8"
        return web.Response(body=body, content_type=kind, charset=charset, headers=headers)

    return send
