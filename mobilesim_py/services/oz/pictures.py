"""The pictures of an Oz's cameras as packets: painted when somebody wants them, at most twenty pairs in a second."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from mobilesim_py.core.cameras.colour import full_colour, half_colour
from mobilesim_py.core.cameras.optics import LEFT, eyes_of
from mobilesim_py.core.cameras.stakes import stakes_in_view
from mobilesim_py.core.cameras.textures import plant_looks, soil_looks
from mobilesim_py.core.devices.camera import CAMERA, CameraUnit
from mobilesim_py.protocols.naio import Packet
from mobilesim_py.protocols.naio.api_packets import ApiCameraExtrinsics, ApiCameraIntrinsics, ApiPost, ApiStereo, Post
from mobilesim_py.protocols.naio.stereo import COMPRESSED, stereo_packet
from mobilesim_py.protocols.naio.values import Camera, CommandCode, ImageType, PostColour
from mobilesim_py.world.obstacles import ByteArray

if TYPE_CHECKING:
    from mobilesim_py.core.robot import Robot
    from mobilesim_py.core.simulation import Simulation
    from mobilesim_py.services.oz.oz import Oz

_MOST_POSTS = 255


_MOST_SOILS = 16
_drawing: dict[str, threading.Thread] = {}
"""Who draws, or has drawn, what pictures of each kind of ground are made of."""


def prepare_pictures(soil: str) -> threading.Thread:
    """Draw what pictures of a field are made of, beside the simulation: it takes long, and once, however many ask for it."""
    thread = _drawing.get(soil)
    if thread is None:

        def draw() -> None:
            soil_looks(soil)
            plant_looks()

        while len(_drawing) >= _MOST_SOILS:
            del _drawing[next(iter(_drawing))]
        thread = _drawing[soil] = threading.Thread(target=draw, name="textures", daemon=True)
        thread.start()
    return thread


def camera_of(robot: Robot) -> CameraUnit | None:
    """Return a robot's pair of cameras, if it has one."""
    return next(iter(robot.units(CAMERA)), None)


def take_pictures(robot: Robot) -> tuple[ByteArray, ByteArray] | None:
    """Return what a robot's left and right camera see now, as mosaics; None without cameras."""
    camera = camera_of(robot)
    if camera is None:
        return None
    camera.on = True
    try:
        return camera.pictures
    finally:
        # Nothing is painted for those who only look at what devices read.
        camera.on = False


def stereo_packets(oz: Oz) -> list[ApiStereo]:
    """Return a packet for each kind of pictures that is wanted, all of this moment."""
    wanted = oz.pictures.wanted
    pictures = take_pictures(oz.robot) if wanted else None
    if pictures is None:
        return []
    return [_packet(*pictures, image_type, oz.pictures.zlib) for image_type in sorted(wanted)]


def _packet(left: ByteArray, right: ByteArray, image_type: ImageType, zlib: bool) -> ApiStereo:
    if image_type is not ImageType.RAW:
        colours = full_colour if image_type is ImageType.UNRECTIFIED else half_colour
        left, right = colours(left), colours(right)
    return stereo_packet(left, right, COMPRESSED[image_type] if zlib else image_type)


def posts(oz: Oz, simulation: Simulation) -> ApiPost | None:
    """Return the stakes in both pictures; None where there are none."""
    camera = camera_of(oz.robot)
    if camera is None:
        return None
    found = []
    for number, eye in enumerate(eyes_of(camera.model, oz.robot.pose)):
        side = Camera.LEFT if number == LEFT else Camera.RIGHT
        found += [Post(side, PostColour.RED, u, v) for u, v in stakes_in_view(simulation.world, eye).tolist()]
    return ApiPost(tuple(found[:_MOST_POSTS])) if found else None


def calibration_packets(robot: Robot, code: CommandCode) -> list[Packet]:
    """Return what a client must know of the cameras: intrinsics of both, or how they stand to each other."""
    camera = camera_of(robot)
    if camera is None:
        return []
    facts = camera.calibration
    if code is CommandCode.SEND_EXTRINSICS:
        return [ApiCameraExtrinsics(facts.rotation, facts.translation)]
    lens = (facts.focal, *facts.centre, facts.focal, facts.focal, *[0.0] * 8)
    return [ApiCameraIntrinsics(side, *lens) for side in Camera]
