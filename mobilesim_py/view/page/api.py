"""The handlers of the API, one for each row of `routes.ROUTES`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from mobilesim_py.errors import MobileSimError
from mobilesim_py.services.panelled import OrderError, Panelled, panelled
from mobilesim_py.view.page import describe
from mobilesim_py.view.page.audience import Audience
from mobilesim_py.view.page.control import Control, RefusedError
from mobilesim_py.view.page.filming import Filming
from mobilesim_py.view.page.maps import Maps
from mobilesim_py.view.page.metrics import CONTENT_TYPE, metrics_text
from mobilesim_py.view.page.page_stage import PageStage
from mobilesim_py.view.page.routes import openapi_document
from mobilesim_py.view.page.start_screen import StartScreen
from mobilesim_py.view.page.stream import Stream
from mobilesim_py.view.pictures.moment import take
from mobilesim_py.view.pictures.snapshot import DEFAULT_SIZE, LARGEST_SIZE, SMALLEST_SIZE, Painter, png_of, svg_of

MOST_VIEWERS = 64
MOST_LINES = 2000
LARGEST_BODY = 64 * 1024
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Api:
    """Answers HTTP requests."""

    def __init__(self, stage: PageStage, audience: Audience, clock: Callable[[], float]) -> None:
        self.stage = stage
        self.audience = audience
        self.control = Control(stage, audience.touched)
        self.maps = Maps(stage)
        self.filming = Filming(stage)
        self.start_screen = StartScreen(stage, self.maps)
        self.streams: set[Stream] = set()
        self._clock = clock
        self._painter = Painter()
        self._drawing = asyncio.Lock()

    async def close(self) -> None:
        """Close all streams and clean up."""
        await asyncio.gather(*(stream.close() for stream in list(self.streams)), return_exceptions=True)
        self.audience.close()
        self.control.close()
        self.maps.close()
        await self.filming.close()

    # State

    async def health(self, request: web.Request) -> web.StreamResponse:
        """Answer that the program runs."""
        ports = sorted(door.port for door in self.stage.doors if door.port is not None)
        return _json({"status": "ok", "ports": ports} | self._status())

    async def state(self, request: web.Request) -> web.StreamResponse:
        """Return the whole state except sensor readings."""
        simulation = self.stage.simulation
        self.audience.meter.update(self._clock())
        content = self._status() | {
            "robots": describe.robot_states(self.stage, self.audience.meter),
            "boxes": [describe.box_state(box) for box in simulation.boxes],
            "start_screen": self.start_screen.is_wanted,
        }
        return _json(content)

    def _status(self) -> dict[str, Any]:
        return describe.program_status(self.stage, len(self.streams))

    async def log(self, request: web.Request) -> web.StreamResponse:
        """Return the last lines of the log."""
        count = _whole(request, "count", 200, 0, MOST_LINES)
        return _json({"lines": [describe.log_line(line) for line in self.stage.log.recent(count)]})

    async def metrics(self, request: web.Request) -> web.StreamResponse:
        """Return the metrics for Prometheus."""
        text = metrics_text(self.stage, len(self.streams))
        return web.Response(body=text.encode(), headers={"Content-Type": CONTENT_TYPE})

    async def openapi(self, request: web.Request) -> web.StreamResponse:
        """Return the OpenAPI document."""
        return _json(openapi_document())

    async def clients(self, request: web.Request) -> web.StreamResponse:
        """Return all clients that are connected."""
        self.audience.meter.update(self._clock())
        return _json({"clients": describe.client_states(self.stage, self.audience.meter)})

    # Services with a panel

    async def services(self, request: web.Request) -> web.StreamResponse:
        """Return the services that have a panel, and what it shows."""
        return _json({"services": [describe.service_state(service) for service in panelled(self.stage)]})

    async def service(self, request: web.Request) -> web.StreamResponse:
        """Return what the panel of a service shows."""
        return _json(describe.service_state(self._service(request)))

    async def order(self, request: web.Request) -> web.StreamResponse:
        """Give an order to a service; return what its panel shows then."""
        service, name = self._service(request), request.match_info["order"]
        wish = await _body(request)
        try:
            service.order(name, wish)
        except OrderError as error:
            raise RefusedError(409, str(error)) from None
        self.audience.touched()
        return _json(describe.service_state(service))

    async def picture(self, request: web.Request) -> web.StreamResponse:
        """Return a picture of a service."""
        name = request.match_info["picture"]
        picture = self._service(request).picture(name)
        if picture is None:
            raise RefusedError(404, f"There is no picture {name!r}.")
        return web.Response(body=picture.data, content_type=picture.content_type)

    def _service(self, request: web.Request) -> Panelled:
        name = request.match_info["service"]
        for service in panelled(self.stage):
            if service.name == name:
                return service
        raise RefusedError(404, f"There is no service {name!r} with a panel.")

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Serve a viewer's WebSocket until it is closed."""
        if len(self.streams) >= MOST_VIEWERS:
            raise RefusedError(503, f"{MOST_VIEWERS} viewers look on already.")
        stream = Stream(self.audience, self.control)
        self.streams.add(stream)
        try:
            return await stream.run(request)
        finally:
            self.streams.discard(stream)

    # Robots and boxes

    async def robots(self, request: web.Request) -> web.StreamResponse:
        """Return all robots."""
        return _json({"robots": describe.robot_states(self.stage, self.audience.meter)})

    async def add_robot(self, request: web.Request) -> web.StreamResponse:
        """Add a robot."""
        thing = self.control.add(await _body(request), box=False)
        return _json(describe.thing_state(self.stage, thing, self.audience.meter), 201)

    async def robot(self, request: web.Request) -> web.StreamResponse:
        """Return one robot."""
        return self._robot(self.control.robot(request.match_info["key"]))

    async def adjust_robot(self, request: web.Request) -> web.StreamResponse:
        """Change the settings of a robot that can be changed."""
        robot = self.control.robot(request.match_info["key"])
        self.control.adjust(robot, await _body(request))
        return self._robot(robot)

    async def remove_robot(self, request: web.Request) -> web.StreamResponse:
        """Remove it from the world."""
        self.control.remove(self.control.robot(request.match_info["key"]))
        return _json({})

    async def place_robot(self, request: web.Request) -> web.StreamResponse:
        """Move it to another pose."""
        robot = self.control.robot(request.match_info["key"])
        self.control.place(robot, await _body(request), refuse_walls=True)
        return self._robot(robot)

    async def reset_robot(self, request: web.Request) -> web.StreamResponse:
        """Put it back to its start."""
        robot = self.control.robot(request.match_info["key"])
        self.control.reset(robot)
        return self._robot(robot)

    async def drive_robot(self, request: web.Request) -> web.StreamResponse:
        """Drive it for a short time."""
        robot = self.control.robot(request.match_info["key"])
        self.control.drive(robot, await _body(request))
        return self._robot(robot)

    async def goal(self, request: web.Request) -> web.StreamResponse:
        """Return where a robot is going."""
        return _json(self.control.goal(self.control.robot(request.match_info["key"])))

    async def send_robot(self, request: web.Request) -> web.StreamResponse:
        """Send a robot to a place."""
        robot = self.control.robot(request.match_info["key"])
        self.control.send(robot, await _body(request))
        return _json(self.control.goal(robot))

    async def stop_robot(self, request: web.Request) -> web.StreamResponse:
        """Let a robot give its goal up."""
        robot = self.control.robot(request.match_info["key"])
        self.control.give_up(robot)
        return _json(self.control.goal(robot))

    async def devices(self, request: web.Request) -> web.StreamResponse:
        """Return what its devices say."""
        return _json(self.control.devices(self.control.robot(request.match_info["key"])))

    async def adjust_devices(self, request: web.Request) -> web.StreamResponse:
        """Set inputs of its devices."""
        robot = self.control.robot(request.match_info["key"])
        self.control.set_devices(robot, await _body(request))
        return _json(self.control.devices(robot))

    async def joystick(self, request: web.Request) -> web.StreamResponse:
        """Move the joystick at its port."""
        robot = self.control.robot(request.match_info["key"])
        self.control.move_joystick(robot, await _body(request))
        return _json(self.control.devices(robot))

    async def readings(self, request: web.Request) -> web.StreamResponse:
        """Return its sensor readings."""
        return _json(describe.robot_readings(self.stage, self.control.robot(request.match_info["key"])))

    def _robot(self, robot: Any) -> web.StreamResponse:
        return _json(describe.robot_state(self.stage, robot, self.audience.meter))

    async def boxes(self, request: web.Request) -> web.StreamResponse:
        """Return all boxes."""
        return _json({"boxes": [describe.box_state(box) for box in self.stage.simulation.boxes]})

    async def box(self, request: web.Request) -> web.StreamResponse:
        """Return one box."""
        return _json(describe.box_state(self.control.box(request.match_info["key"])))

    async def add_box(self, request: web.Request) -> web.StreamResponse:
        """Add a box."""
        thing = self.control.add(await _body(request), box=True)
        return _json(describe.thing_state(self.stage, thing, self.audience.meter), 201)

    async def remove_box(self, request: web.Request) -> web.StreamResponse:
        """Remove it from the world."""
        self.control.remove(self.control.box(request.match_info["key"]))
        return _json({})

    async def place_box(self, request: web.Request) -> web.StreamResponse:
        """Move it to another pose."""
        box = self.control.box(request.match_info["key"])
        self.control.place(box, await _body(request), refuse_walls=True)
        return _json(describe.box_state(box))

    async def models(self, request: web.Request) -> web.StreamResponse:
        """Return all models."""
        return _json({"models": describe.models(self.stage)})

    async def model(self, request: web.Request) -> web.StreamResponse:
        """Return one model."""
        name = request.match_info["name"]
        if name not in self.stage.catalogue.names():
            raise RefusedError(404, f"There is no model {name!r}.")
        return _json(describe.model_facts(self.stage.catalogue.find(name)))

    # Maps

    async def maps_(self, request: web.Request) -> web.StreamResponse:
        """Return all maps that can be loaded by name."""
        return _json({"maps": self.maps.names(), "current": self.stage.simulation.world.name})

    async def map(self, request: web.Request) -> web.StreamResponse:
        """Return the map without its walls."""
        return _json(describe.map_facts(self.stage.simulation.world, self.audience.place.map))

    async def walls(self, request: web.Request) -> web.StreamResponse:
        """Return the walls in binary form."""
        self.audience.notice()
        return web.Response(body=self.audience.place.wall_bytes, content_type="application/octet-stream")

    async def choose_map(self, request: web.Request) -> web.StreamResponse:
        """Load another map."""
        name = (await _body(request)).get("name")
        if not isinstance(name, str):
            raise RefusedError(400, "name must be a text.")
        await self.maps.choose(name)
        self.audience.touched()
        return await self.map(request)

    async def upload_map(self, request: web.Request) -> web.StreamResponse:
        """Load a map that the user sends."""
        await self.maps.upload(request.query.get("name", "map"), request.content.iter_chunked(65536))
        self.audience.touched()
        return await self.map(request)

    async def start(self, request: web.Request) -> web.StreamResponse:
        """Apply the choices made on the start screen."""
        await self.start_screen.choose(await _body(request))
        self.audience.touched()
        return await self.state(request)

    # Time

    async def pause(self, request: web.Request) -> web.StreamResponse:
        """Pause or resume."""
        self.control.pause(await _body(request))
        return _json(self._status())

    async def step(self, request: web.Request) -> web.StreamResponse:
        """Take single steps."""
        self.control.step(await _body(request))
        return _json(self._status())

    async def speed(self, request: web.Request) -> web.StreamResponse:
        """Set the speed of simulated time."""
        self.control.speed(await _body(request))
        return _json(self._status())

    # Pictures

    async def snapshot_png(self, request: web.Request) -> web.StreamResponse:
        """Return a snapshot as PNG."""
        moment, size = self._moment(request)
        async with self._drawing:
            picture = await asyncio.to_thread(png_of, moment, size, self._painter)
        return web.Response(body=picture, content_type="image/png")

    async def snapshot_svg(self, request: web.Request) -> web.StreamResponse:
        """Return a snapshot as SVG."""
        moment, size = self._moment(request)
        async with self._drawing:
            text = await asyncio.to_thread(svg_of, moment, size)
        return web.Response(text=text, content_type="image/svg+xml")

    def _moment(self, request: web.Request) -> tuple[Any, int]:
        show = request.query.get("show", "laser,labels").split(",")
        moment = take(self.stage.simulation, **{name: name in show for name in ("laser", "sonar", "labels")})
        return moment, _whole(request, "size", DEFAULT_SIZE, SMALLEST_SIZE, LARGEST_SIZE)

    async def movie_state(self, request: web.Request) -> web.StreamResponse:
        """Return the state of the recording."""
        return _json(self.filming.state())

    async def movie_start(self, request: web.Request) -> web.StreamResponse:
        """Start recording."""
        self.filming.start(await _body(request))
        return _json(self.filming.state())

    async def movie_stop(self, request: web.Request) -> web.StreamResponse:
        """Stop recording."""
        await self.filming.stop()
        return _json(self.filming.state())

    async def movie_file(self, request: web.Request) -> web.StreamResponse:
        """Return the finished movie."""
        path = self.filming.file()
        return web.FileResponse(path, headers={"Content-Disposition": f'attachment; filename="{path.name}"'})


def handler_of(api: Api, name: str) -> Handler:
    """Return the handler method that a route names."""
    method: Handler = getattr(api, "maps_" if name == "maps" else name)
    return method


@web.middleware
async def say_what_is_wrong(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn errors into JSON answers with one sentence."""
    try:
        return await handler(request)
    except RefusedError as refused:
        return _json({"error": refused.text}, refused.status)
    except MobileSimError as error:
        return _json({"error": str(error)}, 422)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _json({"error": f"{error.reason}: {request.method} {request.path}"}, error.status)


async def _body(request: web.Request) -> dict[str, Any]:
    """Return the JSON object in a request; an empty body is an empty object."""
    if not request.can_read_body:
        return {}
    if request.content_type != "application/json":
        raise RefusedError(415, "Send application/json.")
    data = await request.content.read(LARGEST_BODY + 1)
    while len(data) <= LARGEST_BODY and (more := await request.content.read(LARGEST_BODY)):
        data += more
    if len(data) > LARGEST_BODY:
        raise RefusedError(413, "That is too long.")
    try:
        content = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        raise RefusedError(400, "The body is not JSON.") from None
    if not isinstance(content, dict):
        raise RefusedError(400, "The body must be a JSON object.")
    return content


def _json(content: dict[str, Any], status: int = 200) -> web.Response:
    return web.json_response(content, status=status)


def _whole(request: web.Request, name: str, default: int, least: int, most: int) -> int:
    text = request.query.get(name, str(default))
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= most):
        raise RefusedError(400, f"{name} must be a whole number from {least} to {most}.")
    return int(text)
