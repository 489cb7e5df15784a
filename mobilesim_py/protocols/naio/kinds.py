"""The ids of all kinds of NAIO01 packets, and what else is said of a kind as a whole."""

from __future__ import annotations

from enum import Enum, IntEnum


class Kind(IntEnum):
    """Every kind of packet; its value is its id in the dialect that real clients speak.

    `Ha` kinds belong to the robot's hardware, `Api` kinds to the programs on top of it.
    """

    HA_MOTORS = 0x01
    HA_GPS = 0x04
    HA_ODO = 0x06
    HA_LIDAR = 0x07
    HA_DS4_REMOTE = 0x08
    HA_ACCELERO = 0x09
    HA_GYRO = 0x0A
    HA_MAGNETO = 0x0B
    HA_KEYPAD = 0x0C
    HA_SCREEN = 0x0D
    HA_SPEAKER = 0x0E
    HA_ACTUATOR = 0x0F
    HA_LED = 0x10
    HA_CAN = 0x66
    API_POST = 0xA1
    API_STEREO = 0xA2
    API_GPS = 0xA3
    API_SMS = 0xA4
    API_GPRS = 0xA5
    API_STATUS = 0xA6
    API_COMMAND = 0xA7
    API_MOTORS = 0xA8
    API_MOVE_ACTUATOR = 0xA9
    API_LIDAR = 0xAA
    API_IHM_DISPLAY = 0xAB
    API_IHM_ASK_ENUM = 0xAC
    API_IHM_ASK_VALUE = 0xAD
    API_RUN_PLOT = 0xAE
    API_ENUM_RESPONSE = 0xAF
    API_VALUE_RESPONSE = 0xB0
    API_PRESSED_IHM_BUTTON = 0xB1
    API_MESSAGE = 0xB2
    API_LOG_TO_ROBOT = 0xB3
    API_WATCHDOG = 0xB4
    API_AUTO_STATUS = 0xB5
    API_CAMERA_INTRINSICS = 0xB6
    API_CAMERA_EXTRINSICS = 0xB7


class Direction(Enum):
    """Which way packets of a kind go."""

    TO_ROBOT = "to the robot"
    FROM_ROBOT = "from the robot"
    BOTH = "both ways"


class Dialect(Enum):
    """Whose bytes are meant where the sources disagree."""

    SIMULATOZ = "simulatoz"
    """What the maker's simulator sends and existing clients decode."""
    MANUAL = "manual"
    """What the manuals print, to the letter."""
