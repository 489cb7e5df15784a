"""The numbers of the ARCOS commands and what is said of each; `commands` makes the table of them."""

from __future__ import annotations

from enum import Enum, IntEnum


class Command(IntEnum):
    """Command numbers by name. Where protocols clash, one number has two names."""

    PULSE = 0
    SETLATV = 0
    OPEN = 1
    CLOSE = 2
    POLLING = 3
    ENABLE = 4
    SETA = 5
    SETV = 6
    SETO = 7
    MOVE = 8
    ROTATE = 9
    SETRV = 10
    VEL = 11
    HEAD = 12
    DHEAD = 13
    DROTATE = 14
    SAY = 15
    JOYINFO = 17
    CONFIG = 18
    ENCODER = 19
    SETRVDIR = 20
    RVEL = 21
    DCHEAD = 22
    SETRA = 23
    IMUREQUEST = 26
    SONAR = 28
    STOP = 29
    DIGOUT = 30
    SETPBIOPORT = 31
    VEL2 = 32
    GRIPPER = 33
    KICK = 34
    OLD_LRF_ENABLE = 35
    ADSEL = 35
    OLD_LRF_PARMSTART = 36
    GRIPPERVAL = 36
    OLD_LRF_PARMEND = 37
    GRIPPERPACREQUEST = 37
    OLD_LRF_PARMINC = 38
    IOREQUEST = 40
    PTUPOS = 41
    TTY2 = 42
    GETAUX = 43
    BUMPSTALL = 44
    TCM2 = 45
    JOYDRIVE = 47
    SONARCYCLE = 48
    MOVINGBLINK = 49
    HOSTBAUD = 50
    AUX1BAUD = 51
    AUX2BAUD = 52
    AUX3BAUD = 53
    ESTOP = 55
    ESTALL = 56
    QSTOP = 57
    GYRO = 58
    MESSAGE = 59
    TTY4 = 60
    GETAUX3 = 61
    OLD_LOADPARAM = 61
    BATTERYINFO = 62
    OLD_END_SIM = 62
    OLD_LOADWORLD = 63
    OLD_STEP = 64
    CALCOMP = 65
    TTY3 = 66
    OLD_SETORIGINX = 66
    GETAUX2 = 67
    OLD_SETORIGINY = 67
    CHARGE = 68
    OLD_SETORIGINTH = 68
    OLD_RESET_TO_ORIGIN = 69
    ROTKP = 82
    ROTKV = 83
    ROTKI = 84
    TRANSKP = 85
    TRANSKV = 86
    TRANSKI = 87
    REVCOUNT = 88
    DRIFTFACTOR = 89
    SOUND = 90
    PLAYLIST = 91
    SOUNDTOG = 92
    TICKSMM = 93
    POWER_PC = 95
    POWER_LRF = 96
    POWER_5V = 97
    POWER_12V = 98
    LATVEL = 110
    LATACCEL = 113
    POWER_PORTS = 116
    RECENTERWHEELS = 120
    ACCELINFO = 123
    TORQUEINFO = 124
    POWER_AUX_PC = 125
    POWER_TOUCHSCREEN = 126
    POWER_PTZ = 127
    POWER_AUDIO = 128
    POWER_LRF2 = 129
    HEADINGINFO = 149
    ROTVEL_CLOSEDLOOP_ENABLE = 150
    SRECORD = 210
    MARCDEBUG = 211
    WHEEL_LIGHT = 212
    ABSOLUTE_MAXES = 213
    SAFETY_STATE_INFO = 214
    SAFETY_SET_STATE = 215
    SAFETY_DISABLE_POWER_OFF_TIMER = 216
    SAFETY_ZONE_ACTIVE = 217
    WHEELINFO_REQUEST = 218
    MARC_CONFIG_SET = 219
    MARC_CONFIG_GET = 220
    SIM_SET_POSE = 224
    SIM_RESET = 225
    SIM_MODEL_CONFIG = 226
    SIM_DEVICE_DATA = 229
    SIM_LRF_ENABLE = 230
    SIM_LRF_SET_FOV_START = 231
    SIM_LRF_SET_FOV_END = 232
    SIM_LRF_SET_RES = 233
    SIM_CTRL = 236
    SIM_STAT = 237
    SIM_MESSAGE = 238
    SIM_EXIT = 239
    BATTEST = 250
    DIGTEMPTEST = 251
    SPOOFANALOGTEMP = 252
    RESET = 253
    MAINTENANCE = 255


class ArgumentKind(Enum):
    """What follows a command's number, and how a page of documentation writes it."""

    NONE = "none"
    INT = "int"
    OPTIONAL_INT = "int or none"
    TWO_BYTES = "2 bytes"
    STRING = "string"
    DATA = "bytes"
    ODOMETRY = "none, or int,int,int"
    POSE = "int4,int4,int4"
    LASER = "int, laser byte or none"
    CONTROL = "int, then more"
    DEVICE = "byte, name, int2"


_NONE, _INT, _OPTIONAL, _STRING = ArgumentKind.NONE, ArgumentKind.INT, ArgumentKind.OPTIONAL_INT, ArgumentKind.STRING

SUPPORTED: dict[str, tuple[ArgumentKind, str]] = {
    "PULSE": (
        _OPTIONAL,
        "Does nothing, but shows the watchdog that the client lives; its argument (SETLATV of lateral "
        "robots) sets the maximum lateral speed [mm/s].",
    ),
    "OPEN": (_OPTIONAL, "Starts the session: a SIP every 100 ms."),
    "CLOSE": (_OPTIONAL, "Ends the session and closes the connection."),
    "ENABLE": (
        _INT,
        "1 turns the motors on, 0 stops the robot and turns them off; without motors no motion command is obeyed.",
    ),
    "SETA": (_INT, "Sets the acceleration (positive) or the deceleration (negative) [mm/s2]; 0 means at once."),
    "SETV": (_INT, "Sets the maximum speed, which is also the speed of MOVE [mm/s]."),
    "SETO": (
        ArgumentKind.ODOMETRY,
        "Sets the odometry to 0,0,0, or to the pose that it carries [mm, mm, degrees]; the robot stays where it is.",
    ),
    "MOVE": (_INT, "Drives a distance forward (positive) or backward [mm]; ignored by models that do not know it."),
    "ROTATE": (_INT, "Sets the rotational speed [deg/s]; the same as RVEL."),
    "SETRV": (_INT, "Sets the maximum rotational speed, which is also the speed of HEAD and DHEAD [deg/s]."),
    "VEL": (_INT, "Sets the speed [mm/s]."),
    "HEAD": (_INT, "Turns to a heading of the odometry [degrees]."),
    "DHEAD": (_INT, "Turns by an angle [degrees]."),
    "CONFIG": (_OPTIONAL, "Asks for a CONFIG packet."),
    "RVEL": (_INT, "Sets the rotational speed [deg/s]; the same as ROTATE."),
    "SETRA": (
        _INT,
        "Sets the rotational acceleration (positive) or deceleration (negative) [deg/s2]; 0 means at once.",
    ),
    "SONAR": (_INT, "Turns the sonar on (not 0) or off (0); single arrays cannot be chosen."),
    "STOP": (_NONE, "Stops the robot with the set deceleration."),
    "DIGOUT": (ArgumentKind.TWO_BYTES, "Sets digital outputs: the high byte says which, the low byte to what."),
    "VEL2": (
        ArgumentKind.TWO_BYTES,
        "Sets the speed of each wheel, left in the high byte, right in the low byte [Vel2Divisor mm/s].",
    ),
    "TTY2": (_STRING, "Would go to the serial port AUX1: logged with --verbose."),
    "ESTOP": (_NONE, "Stops with the greatest deceleration; motion commands are ignored until the robot stands."),
    "QSTOP": (_NONE, "The same as ESTOP."),
    "MESSAGE": (_STRING, "Logs the text, whose first three bytes are codes."),
    "TTY4": (_STRING, "Would go to the serial port AUX3: logged with --verbose."),
    "LATVEL": (_INT, "Sets the lateral speed of robots that can move sideways [mm/s]."),
    "LATACCEL": (_INT, "Sets the lateral acceleration (positive) or deceleration (negative) [mm/s2]."),
    "SIM_SET_POSE": (
        ArgumentKind.POSE,
        "Puts the robot at a true pose [mm, mm, degrees]; its odometry does not change.",
    ),
    "SIM_RESET": (_NONE, "Puts the robot back where it started and its odometry to 0,0,0."),
    "SIM_DEVICE_DATA": (
        ArgumentKind.DEVICE,
        "Asks (not 0) for one packet of a simulated device; the only one is `gps` number 0.",
    ),
    "SIM_LRF_ENABLE": (ArgumentKind.LASER, "Turns the laser on (1: packets 0x60, 2: packets 0x61) or off (0)."),
    "SIM_LRF_SET_FOV_START": (
        ArgumentKind.LASER,
        "Sets the angle of the laser's first reading [degrees from straight ahead].",
    ),
    "SIM_LRF_SET_FOV_END": (
        ArgumentKind.LASER,
        "Sets the angle of the laser's last reading [degrees from straight ahead].",
    ),
    "SIM_LRF_SET_RES": (
        ArgumentKind.LASER,
        "Sets the angle between the laser's readings [1/100 degree]; 33 and 67 mean one and two thirds.",
    ),
    "SIM_CTRL": (
        ArgumentKind.CONTROL,
        "Operates the simulator: 1 load a map, 2 the same as master, 3 end master mode, 4 rotate logs, 5 log "
        "the state, 6 ask for SIMINFO, 7 become a ghost.",
    ),
    "SIM_STAT": (
        _OPTIONAL,
        "Asks for SIMSTAT packets: 1 or no argument for one, 2 for one before each SIP, 0 for no more.",
    ),
    "SIM_MESSAGE": (_STRING, "Logs the text."),
    "SIM_EXIT": (_INT, "Ends the simulator with this exit code."),
    "BATTEST": (_INT, "Sets the battery's voltage [1/10 V] or state of charge [%]; 0 means back to normal."),
    "DIGTEMPTEST": (_INT, "Sets (not 0) or clears (0) the temperature warning among the fault flags."),
    "SPOOFANALOGTEMP": (_INT, "Sets the temperature [degrees C]; -128 means that there is none."),
    "RESET": (_NONE, "Aborts the simulator, for debugging."),
    "MAINTENANCE": (_NONE, "Aborts the simulator, for debugging."),
}

UNSUPPORTED: dict[str, tuple[ArgumentKind, str]] = {
    "POLLING": (_STRING, "Order in which the sonar fire."),
    "DROTATE": (_INT, "Turn by an angle; no robot of today has it."),
    "SAY": (_STRING, "Tones of the buzzer."),
    "JOYINFO": (_INT, "Joystick packets."),
    "ENCODER": (_INT, "Encoder packets."),
    "SETRVDIR": (_INT, "Maximum rotational speed in one direction."),
    "DCHEAD": (_INT, "Turn relative to the last heading asked for."),
    "IMUREQUEST": (_INT, "Packets of the inertial unit."),
    "SETPBIOPORT": (ArgumentKind.TWO_BYTES, "Power of an I/O port."),
    "GRIPPER": (_INT, "Gripper motion."),
    "KICK": (_INT, "Kicker of soccer robots."),
    "ADSEL": (_INT, "Analog port in the SIP."),
    "GRIPPERVAL": (_INT, "Gripper value."),
    "GRIPPERPACREQUEST": (_INT, "Gripper packets."),
    "IOREQUEST": (_INT, "I/O packets."),
    "PTUPOS": (ArgumentKind.TWO_BYTES, "Servo position."),
    "GETAUX": (_INT, "Bytes from the serial port AUX1."),
    "BUMPSTALL": (_INT, "Which bumpers stall the robot; it has none that tell, and every collision stalls it."),
    "TCM2": (_INT, "Compass."),
    "JOYDRIVE": (_INT, "Driving by the robot's own joystick."),
    "SONARCYCLE": (_INT, "Time between sonar readings."),
    "MOVINGBLINK": (_INT, "Lamp that blinks before moving."),
    "HOSTBAUD": (_INT, "Speed of the host's serial port."),
    "AUX1BAUD": (_INT, "Speed of AUX1."),
    "AUX2BAUD": (_INT, "Speed of AUX2."),
    "AUX3BAUD": (_INT, "Speed of AUX3."),
    "ESTALL": (_INT, "Whether the emergency button counts as a stall."),
    "GYRO": (_INT, "Gyro packets."),
    "GETAUX3": (_INT, "Bytes from AUX3; SRISim's OLD_LOADPARAM had the same number."),
    "OLD_LOADWORLD": (_STRING, "SRISim: load a world file."),
    "OLD_STEP": (_INT, "SRISim: step the simulation."),
    "BATTERYINFO": (_INT, "Battery packets; ARIA asks for them at every connect."),
    "CALCOMP": (_INT, "Compass calibration."),
    "TTY3": (_STRING, "String for the serial port AUX2."),
    "GETAUX2": (_INT, "Bytes from AUX2."),
    "CHARGE": (_INT, "Charging contacts."),
    "ROTKP": (_INT, "Proportional gain of rotation."),
    "ROTKV": (_INT, "Differential gain of rotation."),
    "ROTKI": (_INT, "Integral gain of rotation."),
    "TRANSKP": (_INT, "Proportional gain of translation."),
    "TRANSKV": (_INT, "Differential gain of translation."),
    "TRANSKI": (_INT, "Integral gain of translation."),
    "REVCOUNT": (_INT, "Encoder ticks of half a turn of the robot."),
    "DRIFTFACTOR": (_INT, "Correction of unequal wheels."),
    "SOUND": (_INT, "Stored sound."),
    "PLAYLIST": (_INT, "Names of the stored sounds."),
    "SOUNDTOG": (_INT, "Sounds on or off."),
    "TICKSMM": (_INT, "Encoder ticks of one millimetre."),
    "POWER_PC": (_INT, "Power of the computer."),
    "POWER_LRF": (_INT, "Power of the laser."),
    "POWER_5V": (_INT, "Power of 5 V accessories."),
    "POWER_12V": (_INT, "Power of 12 V (or 24 V) accessories."),
    "POWER_PORTS": (_INT, "Power ports of the Seekur."),
    "RECENTERWHEELS": (_NONE, "Steering of the Seekur to the middle."),
    "ACCELINFO": (_INT, "Accelerometer packets."),
    "TORQUEINFO": (_INT, "Torque packets."),
    "POWER_AUX_PC": (_INT, "Power of the second computer."),
    "POWER_TOUCHSCREEN": (_INT, "Power of the touch screen."),
    "POWER_PTZ": (_INT, "Power of the camera."),
    "POWER_AUDIO": (_INT, "Power of the audio."),
    "POWER_LRF2": (_INT, "Power of the second laser."),
    "HEADINGINFO": (_INT, "Heading packets."),
    "ROTVEL_CLOSEDLOOP_ENABLE": (_INT, "Control of the rotational speed."),
    "SRECORD": (_INT, "Firmware download."),
    "MARCDEBUG": (ArgumentKind.DATA, "Debugging messages of the MTX."),
    "WHEEL_LIGHT": (ArgumentKind.DATA, "Wheel lights."),
    "ABSOLUTE_MAXES": (ArgumentKind.DATA, "Absolute limits of the MTX."),
    "SAFETY_STATE_INFO": (_INT, "Safety packets."),
    "SAFETY_SET_STATE": (ArgumentKind.TWO_BYTES, "Safety systems."),
    "SAFETY_DISABLE_POWER_OFF_TIMER": (_INT, "Safety timer."),
    "SAFETY_ZONE_ACTIVE": (_INT, "Active safety zone."),
    "WHEELINFO_REQUEST": (_INT, "Wheel packets."),
    "MARC_CONFIG_SET": (ArgumentKind.DATA, "Configuration of the MTX."),
    "MARC_CONFIG_GET": (ArgumentKind.DATA, "Configuration of the MTX."),
    "SIM_MODEL_CONFIG": (ArgumentKind.DATA, "Reserved for a robot's own parameters."),
}

LASER_COMPAT: dict[str, tuple[ArgumentKind, str]] = {
    "OLD_LRF_ENABLE": (_INT, "Turns the laser on (1: packets 0x60, 2: packets 0x61) or off (0)."),
    "OLD_LRF_PARMSTART": (
        _INT,
        "Sets the angle of the laser's first reading [degrees from straight ahead] and turns it off until OLD_LRF_ENABLE.",
    ),
    "OLD_LRF_PARMEND": (
        _INT,
        "Sets the angle of the laser's last reading and turns it off until OLD_LRF_ENABLE; "
        "0, 1 and 2 while the laser runs are GRIPPERPACREQUEST and ignored.",
    ),
    "OLD_LRF_PARMINC": (
        _INT,
        "Sets the angle between the laser's readings [1/100 degree]; 33 and 67 mean one and two thirds.",
    ),
}
SRISIM: dict[str, tuple[ArgumentKind, str]] = {
    "OLD_END_SIM": (_NONE, "Ends the simulator."),
    "OLD_SETORIGINX": (_INT, "Sets the robot's true x [mm]."),
    "OLD_SETORIGINY": (_INT, "Sets the robot's true y [mm]."),
    "OLD_SETORIGINTH": (_INT, "Sets the robot's true heading [degrees]."),
    "OLD_RESET_TO_ORIGIN": (_NONE, "Puts the robot to true pose 0,0,0."),
}
