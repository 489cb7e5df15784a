"""Names of the numbers in packets. Packets hold plain integers: a number without a name is no error."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class PadButton(IntFlag):
    """The bits of a remote's `buttons`."""

    RIGHT = 1 << 0
    DOWN = 1 << 1
    LEFT = 1 << 2
    UP = 1 << 3
    SQUARE = 1 << 4
    CROSS = 1 << 5
    CIRCLE = 1 << 6
    TRIANGLE = 1 << 7


class PadShoulder(IntFlag):
    """The bits of a remote's `shoulders`: shoulder buttons, pressed sticks and the buttons in the middle."""

    L1 = 1 << 0
    L3 = 1 << 1
    R1 = 1 << 2
    R3 = 1 << 3
    SHARE = 1 << 4
    OPTION = 1 << 5
    PS = 1 << 6
    USB = 1 << 7


class GpsQuality(IntEnum):
    """How good a GPS position is."""

    NO_FIX = 0
    FIXING = 1
    FIX_2D = 2
    FIX_3D = 3
    SUPER_FIX_3D = 6


class GpsUnit(IntEnum):
    """The unit of the GPS altitude."""

    METRES = 1


class GpsSource(IntEnum):
    """Where an `ApiGps` position comes from."""

    RAW = 0
    PARTICLE = 1


class ManualToolOrder(IntEnum):
    """What `ManualActuator` asks of the tool."""

    RAISE = 1
    LOWER = 2
    FREEZE = 3


class ToolOrder(IntEnum):
    """What `ApiMoveActuator` asks of the tool; 3 to 100 is a position in per cent (100: down)."""

    HOLD = 0
    RAISE = 1
    LOWER = 2


class Camera(IntEnum):
    """One of the two cameras."""

    LEFT = 0
    RIGHT = 1


class PostColour(IntEnum):
    """The colour of a stake."""

    RED = 0
    YELLOW = 1


class ImageType(IntEnum):
    """What a stereo packet holds."""

    RAW = 1
    UNRECTIFIED = 2
    RECTIFIED = 3
    RAW_ZLIB = 4
    UNRECTIFIED_ZLIB = 5
    RECTIFIED_ZLIB = 6


class SmsType(IntEnum):
    """Which way a text message goes."""

    TO_SEND = 0
    RECEIVED = 1


class GprsType(IntEnum):
    """What a GPRS packet says."""

    OK = 0
    KO = 1
    OPEN = 2
    SEND = 3
    RECEIVED = 4
    CLOSE = 5


class CommandCode(IntEnum):
    """What `ApiCommand` asks for."""

    RESET_IMU = 0x01
    RECTIFIED_STEREO_ON = 0x02
    RECTIFIED_STEREO_OFF = 0x03
    SEND_INTRINSICS = 0x04
    SEND_EXTRINSICS = 0x05
    RAW_STEREO_ON = 0x06
    RAW_STEREO_OFF = 0x07
    UNRECTIFIED_STEREO_ON = 0x08
    UNRECTIFIED_STEREO_OFF = 0x09
    STOP_WORK = 0x0A
    PAUSE = 0x0B
    RESUME = 0x0C
    ZLIB_ON = 0x0D
    ZLIB_OFF = 0x0E


class FollowedSide(IntEnum):
    """On which side of a row the robot goes."""

    LEFT = 0
    CENTRE = 1
    RIGHT = 2


class NextRow(IntEnum):
    """Where the first next row lies."""

    LEFT = 0
    RIGHT = 1


class PostOption(IntEnum):
    """How stakes are used."""

    NO_POST = 0
    USE_POST = 1
    USE_POST_SURE = 2


class Detector(IntEnum):
    """What rows are found with."""

    LIDAR = 0
    CAMERA = 1
    PLASTIC_MULCH = 2


class Work(IntEnum):
    """What is done in a plot."""

    HOE = 0
    RUN = 1


class Passage(IntEnum):
    """How often a row is passed at most."""

    ONE = 0
    TWO = 1
    THREE = 2


class ResponseKey(IntEnum):
    """The key that answered a question."""

    VALIDATE = 0
    CANCEL = 1
    LEFT = 2
    RIGHT = 3
    MINUS = 4
    PLUS = 5


class IhmButton(IntEnum):
    """A button of the robot's panel."""

    CANCEL = 0
    VALIDATE = 1
    PLUS = 2
    MINUS = 3
    NEXT = 4
    PREVIOUS = 5


class AutoState(IntEnum):
    """How the work goes, as `ApiAutoStatus` says it."""

    WATCHDOG = 0x00
    START = 0x01
    PAUSE = 0x02
    WAITING = 0x03
    RESUME = 0x04
    OBSTACLE = 0x05
    HOLE = 0x06
    TOO_LONG = 0x07
    NO_EXIT = 0x08
    NO_ENTRANCE = 0x09
    HARDWARE = 0xA0
