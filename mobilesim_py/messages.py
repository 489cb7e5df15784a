"""The sentences that people search logs for, worded as the original words them; fill them in with `str.format`.

They stand in one place because the ports, the emulator and the application must say the same thing in the same words.
"""

from __future__ import annotations

from typing import Final

# Ports and connections
PORT_OPENED: Final = "{interface} port opened. Listening on TCP port {port}... [{fd}]"
READY: Final = "{interface} interface ready for a client to connect on TCP port {port}."
READY_AT: Final = "{interface} interface ready for a client to connect to address {address} on TCP port {port}."
READY_ON_DEVICE: Final = "{interface} interface ready for a client to connect on {device}."
CLIENT_CONNECTED: Final = "Client connected from {peer}"
STARTING_SESSION: Final = "Starting new session"
CLIENT_DISCONNECTED: Final = "Client disconnected."
CLOSING_CONNECTION: Final = "Closing connection."
READ_ERROR: Final = "Error reading client data. Ending session."
CLIENT_VANISHED: Final = "Client has not acknowledged anything for {seconds:.0f} sec. Ending session."
SLOW_CLIENT: Final = "Client does not read what it is sent. Left out {count} packets."
HANDSHAKE_TOO_LONG: Final = "Failed to handshake after {seconds:.0f} sec of trying! Aborting session and closing connection."
WATCHDOG: Final = (
    "Have not received a valid command packet in {silence} msec. (Watchdog timeout is {timeout} msec.) "
    "[no action taken other than this warning]"
)
WATCHDOG_STOP: Final = (
    "Have not received a valid command packet in {silence} msec. (Watchdog timeout is {timeout} msec.) [stopping the robot]"
)
DATA_RESTORED: Final = "Data reception restored, watchdog warning reset."

# Commands of clients
LASER: Final = "Laser {index} {state}"
SONAR: Final = "Sonar {state}"
SET_POSE: Final = "Client requested move to true pose ({x} mm, {y} mm, {th} deg)."
SIM_RESET: Final = "Client requested simulator reset. Moving robot back to its initial pose."
SETO: Final = "Client requested odometry reset to 0,0,0 with SETO command."
SETO_AT: Final = "Client requested odometry set to {x}, {y}, {th} with SETO command."
SIM_EXIT: Final = "Client requested exit with code {code} (SIM_EXIT command)."
OLD_SIM_EXIT: Final = "Client requested exit (OLDSIM_EXIT command #{number})."
MAP_REQUESTED: Final = 'Client requested new map file: "{file}".'
MASTER_MAP_REQUESTED: Final = 'Map master client requested new map file: "{file}".'
MASTER_MAP_REFUSED: Final = "Client requested new map file, but map master has already set it. Ignoring."
MASTER_MAP_CLEARED: Final = "Canceled map master mode, now any client can change the map."
UNKNOWN_SIM_CTRL: Final = "Unknown SIM_CTRL code {code}."
UNKNOWN_SIM_STAT: Final = "Received unrecognized argument {value} to SIM_STAT (expect 0, 1 or 2)"
BATTERY_VOLTAGE: Final = "Setting battery voltage value to {volts:.2f} volts (set by BATTEST command #250)"
BATTERY_RESET: Final = "Resetting battery voltage value to default value of {volts:.2f} volts (reset by BATTEST 0 command)"
BATTERY_CHARGE: Final = "Setting battery state of change to {percent}% (set by BATTEST command #250)"
TEMPERATURE_FLAG: Final = "Setting temperature warning flag {state} (override from DIGTEMPTEST client command 251)"
TEMPERATURE_SET: Final = "Setting temperature value {value} (override from SPOOFANALOGTEMP client command 252)"
TEMPERATURE_RESET: Final = "Resetting temperature to disabled (from SPOOFANALOGTEMP client command 252)"
ESTOP: Final = "Received ESTOP/QSTOP command, ESTOPping..."
AUX_TTY: Final = "For aux tty {number}: {text} ({count} bytes)"
IGNORED_COMMAND: Final = "Ignoring command {number}, as requested in program options."
OPEN_TO_STRANGERS: Final = (
    "MobileSim: Robots listen on all addresses, and whoever reaches them may end or crash the program. Close that with "
    "--bind-to-address 127.0.0.1 or --deny {groups}; --allow {groups} if it shall be so."
)
CLIENT_IDLE: Final = "Client has sent nothing for {seconds:g} s (--idle-limit). Closing connection."
FACTORY_FULL: Final = (
    "MobileSim: Refusing {peer}: the clients of factories have {count} robots, the most that there may be (--max-robots)."
)
REFUSED_COMMAND: Final = "Refusing command {number} ({name}): clients are denied {group} (--deny)."
UNSUPPORTED_COMMAND: Final = "Received unsupported command {number} ({name}). Ignoring."
UNKNOWN_DEVICE: Final = "Client asked for data of {type} {index}, which this robot does not have. Ignoring."
UNSUPPORTED_UNNAMED: Final = "Received unsupported command {number}. (Ignored)"
MAINTENANCE: Final = (
    "Received maintainence command {number}, aborting program. ABORT signal may trigger crash/debug handler if "
    "supported in this platform and installation (in noninteractive mode)."
)

# The program
VERSION: Final = "MobileSim version {version}"
ROBOT_NAMED: Final = 'MobileSim: Robot named "{name}" will be a "{model}"'
CONNECTION_CREATED: Final = (
    'MobileSim: Creating emulated Pioneer client connection for robot named "{name}" ("{model}") on TCP port {port}.'
)
FACTORY_READY: Final = 'MobileSim: Robot factory for "{model}" ready on port {port}'
FACTORY_READY_AT: Final = 'MobileSim: Robot factory for "{model}" ready on {address} port {port}'
FACTORY_CREATING: Final = "StageRobotFactory: Creating robot of type {model} with name {name}..."
DISCOVERY: Final = "MobileSim: Will respond to discovery requests on UDP port {port}"
IGNORE_COMMAND: Final = "MobileSim: Will ignore command #{number}."
TIMING: Final = "MobileSim: Will log timing information every {seconds:g} seconds."
CHANGING_DIRECTORY: Final = 'MobileSim: Changing to directory "{directory}"...'
NO_MAP: Final = "MobileSim: Will start with no map."
LOADING_MAP: Final = 'MobileSim: Loading map data from "{file}"...'
LOADED_MAP: Final = 'MobileSim: Finished loading map data from "{file}".'
MAP_FAILED: Final = 'MobileSim: Error loading map "{file}"! {why}'
MAP_SIZE: Final = 'New world from loading map "{file}" will be {width:f} x {height:f} meters in size.'
MAP_GEOREFERENCED: Final = (
    "MobileSim: Map has OriginLatLon point, will be able to send simulated GPS coordinates if requested."
)
START_HOME: Final = "MobileSim: Starting robots at map's default starting place of: {x:f}, {y:f}, {th:f}"
START_GIVEN: Final = "MobileSim: Starting robots at position given by --start option: {x:f}, {y:f}, {th:f}."
START_OUTSIDE: Final = "MobileSim: Starting robots 2m outside edge of map, at: {x:f}, {y:f}, {th:f}."
START_RANDOM: Final = "MobileSim: Starting robots at random positions in map."

# The log itself, and crashes
NO_LOG_TO_ROTATE: Final = "Cannot rotate log files, because we're not logging to a file."
ROTATING_LOGS: Final = "MobileSim: Rotating log files..."
ROTATED_TOO_OFTEN: Final = "Not rotating log files: clients asked for that too often, and the old files are worth keeping."
LOG_ROTATED: Final = 'Saved copies of old log files and started a new log in "{file}".'
LOG_REOPEN_FAILED: Final = 'Error opening new log file "{file}" after saving old files.'
LOG_FULL: Final = "MobileSim: This log file is full (maximum size {size} bytes). Rotating logs and starting a new one..."
RESTARTED_AFTER_CRASH: Final = (
    "MobileSim crashed and was automatically restarted.  See log files (-crash) for diagnostic information."
)
RESTARTING: Final = "MobileSim: Restarting MobileSim : {command}"
