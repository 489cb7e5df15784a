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
    GYROCALCW = 38
    GYROCALCCW = 39
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
    ARM_INFO = 70
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
        "Does nothing, but shows the watchdog that the client lives; its argument (SETLATV of lateral robots) "
        "sets the maximum lateral speed [mm/s].",
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
    "SAY": (
        ArgumentKind.DATA,
        "Beeps: a count of pairs of a duration [20 ms] and a tone (0 a rest, 1 to 127 notes as in MIDI, more "
        "in steps of 32 Hz); logged, and heard on the page.",
    ),
    "JOYINFO": (_INT, "Asks for JOYSTICKpac: 0 no more, 1 one, 2 one with every SIP."),
    "CONFIG": (_OPTIONAL, "Asks for a CONFIG packet."),
    "ENCODER": (_INT, "Asks for ENCODERpac: 0 no more, 1 one, 2 one with every SIP."),
    "SETRVDIR": (_INT, "Sets the maximum rotational speed to the left (positive) or to the right (negative) [deg/s]."),
    "RVEL": (_INT, "Sets the rotational speed [deg/s]; the same as ROTATE."),
    "DCHEAD": (_INT, "Turns by an angle from the heading that was asked for last [degrees]."),
    "SETRA": (_INT, "Sets the rotational acceleration (positive) or deceleration (negative) [deg/s2]; 0 means at once."),
    "IMUREQUEST": (
        _INT,
        "Asks for packets of the inertial unit, of models that have one: 0 no more, 1 one, 2 one with every SIP.",
    ),
    "SONAR": (_INT, "Turns the sonar on (not 0) or off (0); single arrays cannot be chosen."),
    "STOP": (_NONE, "Stops the robot with the set deceleration."),
    "DIGOUT": (ArgumentKind.TWO_BYTES, "Sets digital outputs: the high byte says which, the low byte to what."),
    "SETPBIOPORT": (ArgumentKind.TWO_BYTES, "Switches the power of a port: logged."),
    "VEL2": (
        ArgumentKind.TWO_BYTES,
        "Sets the speed of each wheel, left in the high byte, right in the low byte [Vel2Divisor mm/s].",
    ),
    "GRIPPER": (
        _INT,
        "Moves the gripper: 1 open, 2 close, 3 stop the paddles, 4 lift up, 5 down, 6 stop the lift, 7 store, "
        "8 deploy, 15 halt; 16 and 17 say what GRIPPERVAL is.",
    ),
    "KICK": (_INT, "Sets output 0 for so many milliseconds."),
    "ADSEL": (_INT, "Chooses the analog port of the SIP."),
    "GRIPPERVAL": (
        _INT,
        "After GRIPPER 16 how long the paddles press [20 ms], after 17 how long the lift goes up (positive) "
        "or down [20 ms].",
    ),
    "GRIPPERPACREQUEST": (_INT, "Asks for GRIPPERpac: 0 no more, 1 one, 2 one with every SIP."),
    "GYROCALCW": (_INT, "Keeps a factor of the gyro, which CONFIG tells."),
    "GYROCALCCW": (_INT, "The same for the other direction."),
    "IOREQUEST": (_INT, "Asks for IOpac: 0 no more, 1 one, 2 one with every SIP."),
    "PTUPOS": (ArgumentKind.TWO_BYTES, "Sets the width of a servo's pulses: port, and width [100 us]."),
    "TTY2": (_STRING, "Sends bytes to the serial port AUX1; logged with --verbose."),
    "GETAUX": (_INT, "Asks for so many bytes from AUX1 as soon as they are there; 0 forgets what is there."),
    "BUMPSTALL": (
        _INT,
        "Which bumpers stop the robot when they are pressed: 0 none, 1 those in front when it drives ahead, 2 "
        "those behind when it drives back, 3 both.",
    ),
    "TCM2": (
        _INT,
        "The compass: 0 off, 1 in SIPs, 2 one TCM2pac, 3 one every 200 ms, 4 and 5 begin a calibration, 6 "
        "ends it, 7 resets it.",
    ),
    "JOYDRIVE": (_INT, "Lets the joystick drive the robot while its button is held."),
    "SONARCYCLE": (_INT, "Keeps a time between sonar readings [ms], which CONFIG tells."),
    "HOSTBAUD": (_INT, "Keeps the speed of the client's line, which CONFIG tells."),
    "AUX1BAUD": (_INT, "Keeps the speed of AUX1 (0 to 4: 9600 to 115200), which CONFIG tells."),
    "AUX2BAUD": (_INT, "The same of AUX2."),
    "AUX3BAUD": (_INT, "The same of AUX3."),
    "ESTOP": (_NONE, "Stops with the greatest deceleration; motion commands are ignored until the robot stands."),
    "ESTALL": (_INT, "Kept, without effect: nobody presses the emergency button."),
    "QSTOP": (_NONE, "The same as ESTOP."),
    "GYRO": (
        _INT,
        "A gyro of type 1: 1 asks for GYROpac, 0 ends them. One that the controller uses: 0 encoders only, 1 "
        "both, 2 gyro only.",
    ),
    "MESSAGE": (_STRING, "Logs the text, whose first three bytes are codes."),
    "TTY4": (_STRING, "Sends bytes to the serial port AUX3; logged with --verbose."),
    "GETAUX3": (_INT, "The same from AUX3."),
    "BATTERYINFO": (_INT, "Asks for BATTERYpac: 0 no more, 1 one, 2 one with every SIP; ARIA asks at every connect."),
    "CALCOMP": (_INT, "The same as TCM2 4 (not 0) and 6 (0)."),
    "TTY3": (_STRING, "Sends bytes to the serial port AUX2; logged with --verbose."),
    "GETAUX2": (_INT, "The same from AUX2."),
    "CHARGE": (_INT, "Puts out (not 0) or takes in (0) the contacts with which the robot charges at a dock."),
    "ARM_INFO": (_OPTIONAL, "Asks for ARMINFOpac: no robot has an arm."),
    "ROTKP": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "ROTKV": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "ROTKI": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "TRANSKP": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "TRANSKV": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "TRANSKI": (_INT, "Keeps a gain of the motors' control, which CONFIG tells."),
    "REVCOUNT": (_INT, "Sets the ticks of half a turn with which odometry reckons: more make turns smaller."),
    "DRIFTFACTOR": (
        _INT,
        "Lets the left wheel count more than it does [1/8192 of its way], so that odometry turns to the right.",
    ),
    "SOUND": (_INT, "Plays a stored sound: logged."),
    "PLAYLIST": (_INT, "Asks for the packet that names a stored sound; 0 for all."),
    "SOUNDTOG": (_INT, "Mutes the sounds (0), or lets them be heard."),
    "TICKSMM": (_INT, "Sets the ticks of a millimetre with which odometry reckons: more make ways shorter."),
    "POWER_PC": (_INT, "Power of the computer: logged."),
    "POWER_LRF": (_INT, "Power of the laser: logged."),
    "POWER_5V": (_INT, "Power of 5 V accessories: logged."),
    "POWER_12V": (_INT, "Power of 12 V (or 24 V) accessories: logged."),
    "LATVEL": (_INT, "Sets the lateral speed of robots that can move sideways [mm/s]."),
    "LATACCEL": (_INT, "Sets the lateral acceleration (positive) or deceleration (negative) [mm/s2]."),
    "POWER_PORTS": (ArgumentKind.TWO_BYTES, "Power ports of the Seekur: logged."),
    "POWER_AUX_PC": (_INT, "Power of the second computer: logged."),
    "POWER_TOUCHSCREEN": (_INT, "Power of the touch screen: logged."),
    "POWER_PTZ": (_INT, "Power of the camera: logged."),
    "POWER_AUDIO": (_INT, "Power of the audio: logged."),
    "POWER_LRF2": (_INT, "Power of the second laser: logged."),
    "SIM_SET_POSE": (ArgumentKind.POSE, "Puts the robot at a true pose [mm, mm, degrees]; its odometry does not change."),
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
    "SIM_LRF_SET_FOV_END": (ArgumentKind.LASER, "Sets the angle of the laser's last reading [degrees from straight ahead]."),
    "SIM_LRF_SET_RES": (
        ArgumentKind.LASER,
        "Sets the angle between the laser's readings [1/100 degree]; 33 and 67 mean one and two thirds.",
    ),
    "SIM_CTRL": (
        ArgumentKind.CONTROL,
        "Operates the simulator: 1 load a map, 2 the same as master, 3 end master mode, 4 rotate logs, 5 log "
        "the state, 6 ask for SIMINFO, 7 become a ghost.",
    ),
    "SIM_STAT": (_OPTIONAL, "Asks for SIMSTAT packets: 1 or no argument for one, 2 for one before each SIP, 0 for no more."),
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
    "MOVINGBLINK": (_INT, "Lamp that blinks before moving."),
    "OLD_LOADWORLD": (_STRING, "SRISim: load a world file."),
    "OLD_STEP": (_INT, "SRISim: step the simulation."),
    "RECENTERWHEELS": (_NONE, "Steering of the Seekur to the middle."),
    "ACCELINFO": (_INT, "Accelerometer packets."),
    "TORQUEINFO": (_INT, "Torque packets."),
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
    "OLD_LRF_ENABLE": (
        _INT,
        "Turns the laser on (1: packets 0x60, 2: packets 0x61) or off (0), once 36, 37 or 38 has set it up. "
        "Before that, and of 3 and more, it is ADSEL; with --srisim-compat 1 and 2 always mean the laser.",
    ),
    "OLD_LRF_PARMSTART": (
        _INT,
        "Sets the angle of the laser's first reading [degrees from straight ahead] and turns it off until OLD_LRF_ENABLE. "
        "Directly after GRIPPER 16 or 17 it is GRIPPERVAL.",
    ),
    "OLD_LRF_PARMEND": (
        _INT,
        "Sets the angle of the laser's last reading and turns it off until OLD_LRF_ENABLE. "
        "0, 1 and 2 are GRIPPERPACREQUEST unless OLD_LRF_PARMSTART comes directly before.",
    ),
    "OLD_LRF_PARMINC": (
        _INT,
        "Sets the angle between the laser's readings [1/100 degree]; 33 and 67 mean one and two thirds. "
        "It is GYROCALCW unless 36 or 37 came before.",
    ),
}
SRISIM: dict[str, tuple[ArgumentKind, str]] = {
    "OLD_LOADPARAM": (_STRING, "Makes the robot one of another model, which a file or a name says."),
    "OLD_END_SIM": (_NONE, "Ends the simulator; with an argument it is BATTERYINFO."),
    "OLD_LOADWORLD": (_STRING, "Loads a map, as SIM_CTRL 1 does."),
    "OLD_STEP": (_OPTIONAL, "Takes a step, if the simulation is paused."),
    "OLD_SETORIGINX": (_INT, "Sets the robot's true x [mm]."),
    "OLD_SETORIGINY": (_INT, "Sets the robot's true y [mm]."),
    "OLD_SETORIGINTH": (_INT, "Sets the robot's true heading [degrees]."),
    "OLD_RESET_TO_ORIGIN": (_NONE, "Puts the robot to true pose 0,0,0."),
}
