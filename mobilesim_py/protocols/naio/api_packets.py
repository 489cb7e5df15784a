"""The packets of the programs that run on the robot: what they sense, the pictures, the work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from .hardware_packets import RAYS
from .kinds import Direction, Kind
from .layout import Packet
from .records import Columns, Records
from .shorthand import blob32, f32, f64, f64s, i8, i16, i32, u8, u8s, u16, u16s, u64
from .values import (
    AutoState,
    Camera,
    CommandCode,
    Detector,
    FollowedSide,
    GpsQuality,
    GpsSource,
    GpsUnit,
    ImageType,
    NextRow,
    Passage,
    PostColour,
    PostOption,
    ToolOrder,
    Work,
)

MAX_IMAGE_BYTES = 2_199_980
"""The most bytes of pictures that a packet may carry."""


@dataclass(frozen=True)
class Post:
    """A stake in a picture."""

    camera: Annotated[int, u8("the camera that sees it", values=Camera)]
    colour: Annotated[int, u8("its colour", values=PostColour)]
    x: Annotated[float, f32("its place", "m")]
    y: Annotated[float, f32("its place", "m")]


@dataclass(frozen=True)
class ApiPost(Packet):
    """The stakes that the cameras see."""

    kind: ClassVar[Kind] = Kind.API_POST
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    posts: Annotated[tuple[Post, ...], Records("the stakes", record=Post, count_code="B", limit=255)]


@dataclass(frozen=True)
class ApiStereo(Packet):
    """A pair of pictures, the left one first, rows from the top; `stereo` makes and reads them."""

    kind: ClassVar[Kind] = Kind.API_STEREO
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    image_type: Annotated[int, u8("what the pictures are", values=ImageType)]
    data: Annotated[bytes, blob32(MAX_IMAGE_BYTES, "both pictures")]


@dataclass(frozen=True)
class ApiGps(Packet):
    """The GPS position, or the one that a particle filter makes of it."""

    kind: ClassVar[Kind] = Kind.API_GPS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    source: Annotated[int, u8("where it comes from", values=GpsSource)]
    time: Annotated[int, u64("time of the position", "ms")]
    latitude: Annotated[float, f64("latitude, north positive", "deg")]
    longitude: Annotated[float, f64("longitude, east positive", "deg")]
    altitude: Annotated[float, f64("altitude", "m")]
    unit: Annotated[int, u8("unit of the altitude", values=GpsUnit)]
    satellites: Annotated[int, u8("satellites in use")]
    quality: Annotated[int, u8("how good the position is", values=GpsQuality)]
    speed: Annotated[float, f64("speed over ground", "m/s")]
    track: Annotated[float, f64("bearing of the way over ground", "deg")]


@dataclass(frozen=True)
class ApiStatus(Packet):
    """What the robot knows of itself."""

    kind: ClassVar[Kind] = Kind.API_STATUS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    imu_reset: Annotated[int, u8("1: the IMU has been reset")]
    theta: Annotated[float, f64("heading")]
    odo_front_right: Annotated[int, i32("ticks of the front right wheel")]
    odo_rear_right: Annotated[int, i32("ticks of the rear right wheel")]
    odo_rear_left: Annotated[int, i32("ticks of the rear left wheel")]
    odo_front_left: Annotated[int, i32("ticks of the front left wheel")]
    x: Annotated[float, f64("position")]
    y: Annotated[float, f64("position")]
    distance: Annotated[float, f64("way gone")]
    actuator: Annotated[int, u8("position of the tool, 100 is down", "%")]
    battery: Annotated[int, u8("charge", "%")]
    magneto_x: Annotated[int, i16("magnetometer, as HaMagneto")]
    magneto_y: Annotated[int, i16("magnetometer")]
    magneto_z: Annotated[int, i16("magnetometer")]


@dataclass(frozen=True)
class ApiCommand(Packet):
    """A wish: pictures on and off, calibrations, the work."""

    kind: ClassVar[Kind] = Kind.API_COMMAND
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    command: Annotated[int, u8("the wish", values=CommandCode)]


@dataclass(frozen=True)
class ApiMotors(Packet):
    """The powers of the two pairs of wheels, as HaMotors."""

    kind: ClassVar[Kind] = Kind.API_MOTORS
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    left: Annotated[int, i8("power of the left wheels, 127 is full ahead", "1/127")]
    right: Annotated[int, i8("power of the right wheels", "1/127")]


@dataclass(frozen=True)
class ApiMoveActuator(Packet):
    """The tool: to the robot what it shall do, or the position in per cent (3 to 100); from the robot the position."""

    kind: ClassVar[Kind] = Kind.API_MOVE_ACTUATOR
    direction: ClassVar[Direction] = Direction.BOTH

    position: Annotated[int, u8("wish, or position (100 is down)", "%", values=ToolOrder)]


@dataclass(frozen=True)
class ApiLidar(Packet):
    """One turn of the lidar, without albedo."""

    kind: ClassVar[Kind] = Kind.API_LIDAR
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    distances: Annotated[tuple[int, ...], u16s(RAYS, "distance seen by each ray, as HaLidar", "mm")]


@dataclass(frozen=True)
class PlotRow:
    """One row of a plot."""

    width: Annotated[float, f32("its width", "m")]
    next_row_distance: Annotated[float, f32("distance to the next row", "m")]
    length: Annotated[int, u16("its length", "m")]


@dataclass(frozen=True)
class ApiRunPlot(Packet):
    """The work in a plot."""

    kind: ClassVar[Kind] = Kind.API_RUN_PLOT
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    rows: Annotated[tuple[PlotRow, ...], Columns("the rows", record=PlotRow, count_code="H", limit=100)]
    followed_side: Annotated[int, u8("side of the row to go on", values=FollowedSide)]
    first_next_direction: Annotated[int, u8("where the next row lies at first", values=NextRow)]
    shift: Annotated[float, f32("shift from the row", "m")]
    exterior: Annotated[tuple[int, ...], u8s(2, "1: the outer lines, first and last, are worked too")]
    max_speed: Annotated[int, u16("speed limit")]
    culture_width: Annotated[float, f32("width of the culture", "m")]
    post_option: Annotated[int, u8("how stakes are used", values=PostOption)]
    detector: Annotated[int, u8("what rows are found with", values=Detector)]
    work: Annotated[int, u8("what is done", values=Work)]
    passage: Annotated[int, u8("how often a row is passed at most", values=Passage)]


@dataclass(frozen=True)
class ApiWatchdog(Packet):
    """A sign of life; it keeps the image port alive."""

    kind: ClassVar[Kind] = Kind.API_WATCHDOG
    direction: ClassVar[Direction] = Direction.TO_ROBOT

    value: Annotated[int, u8("anything")]


@dataclass(frozen=True)
class ApiAutoStatus(Packet):
    """How the work goes."""

    kind: ClassVar[Kind] = Kind.API_AUTO_STATUS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    state: Annotated[int, u8("how it goes", values=AutoState)]


@dataclass(frozen=True)
class ApiCameraIntrinsics(Packet):
    """What a camera does to a picture."""

    kind: ClassVar[Kind] = Kind.API_CAMERA_INTRINSICS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    camera: Annotated[int, u8("the camera", values=Camera)]
    focal: Annotated[float, f64("focal length")]
    principal_x: Annotated[float, f64("principal point", "px")]
    principal_y: Annotated[float, f64("principal point", "px")]
    focal_x: Annotated[float, f64("focal length across", "px")]
    focal_y: Annotated[float, f64("focal length down", "px")]
    k1: Annotated[float, f64("radial distortion")]
    k2: Annotated[float, f64("radial distortion")]
    p1: Annotated[float, f64("tangential distortion")]
    p2: Annotated[float, f64("tangential distortion")]
    k3: Annotated[float, f64("radial distortion")]
    k4: Annotated[float, f64("radial distortion")]
    k5: Annotated[float, f64("radial distortion")]
    k6: Annotated[float, f64("radial distortion")]


@dataclass(frozen=True)
class ApiCameraExtrinsics(Packet):
    """How the cameras stand to each other."""

    kind: ClassVar[Kind] = Kind.API_CAMERA_EXTRINSICS
    direction: ClassVar[Direction] = Direction.FROM_ROBOT

    rotation: Annotated[tuple[float, ...], f64s(9, "rotation matrix, row by row")]
    translation: Annotated[tuple[float, ...], f64s(3, "translation")]


PACKETS: tuple[type[Packet], ...] = (
    ApiPost,
    ApiStereo,
    ApiGps,
    ApiStatus,
    ApiCommand,
    ApiMotors,
    ApiMoveActuator,
    ApiLidar,
    ApiRunPlot,
    ApiWatchdog,
    ApiAutoStatus,
    ApiCameraIntrinsics,
    ApiCameraExtrinsics,
)
"""All of them, in the order of their ids."""
