"""Labs, grids and parameters as text: for answers to viewers, replies and the head of a log."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from mobilesim_py.formats.lab.facts import Grid, Lab, Parameters


def lab_text(lab: Lab) -> str:
    """Return the Lab message: rows as polygons, without the border."""
    lines = [f'<Lab Name="{attribute(lab.name)}" Height="{lab.height:g}" Width="{lab.width:g}">\n']
    lines += [f'\t<Beacon X="{beacon.x:g}" Y="{beacon.y:g}" Height="{beacon.height:g}"/>\n' for beacon in lab.beacons]
    lines += [f'\t<Target X="{target.x:g}" Y="{target.y:g}" Radius="{target.radius:g}"/>\n' for target in lab.targets]
    for wall in lab.walls:
        lines.append(f'\t<Wall Height="{wall.height:g}">\n')
        lines += [f'\t\t<Corner X="{x:g}" Y="{y:g}"/>\n' for x, y in wall.corners]
        lines.append("\t</Wall>\n")
    return "".join([*lines, "</Lab>\n"])


def grid_text(grid: Grid) -> str:
    """Return the Grid message, directions in degrees."""
    places = [
        f'\t<Position X="{place.x:g}" Y="{place.y:g}" Dir="{place.heading * (180 / math.pi):g}"/>\n' for place in grid.places
    ]
    return "".join(["<Grid>\n", *places, "</Grid>\n"])


def parameters_text(parameters: Parameters, beacons: int, files: bool = True) -> str:
    """Return the Parameters element as replies and logs have it, with or without the names of the lab and grid files."""
    p = parameters
    text = (
        f'<Parameters SimTime="{p.sim_time}" CycleTime="{p.cycle_time_ms}"\n'
        f'\t\tCompassNoise="{p.compass_noise_deg:g}" BeaconNoise="{p.beacon_noise_deg:g}" '
        f'ObstacleNoise="{p.obstacle_noise:g}"\n'
        f'\t\tMotorsNoise="{p.motors_noise_percent:g}" KeyTime="{p.key_time}"\n'
        f'\t\tGPS="{on(p.gps)}" GPSLinNoise="{p.gps_linear_noise:g}" GPSDirNoise="{p.gps_direction_noise_deg:g}" \n'
        f'\t\tBeaconSensor="{on(p.beacon_sensor)}" \n'
        f'\t\tCompassSensor="{on(p.compass_sensor)}" \n'
        f'\t\tScoreSensor="{on(p.score_sensor)}" ShowActions="{p.show_actions}" NBeacons="{beacons}" \n'
        f'\t\tNRequestsPerCycle="{p.requests_per_cycle}" \n'
        f'\t\tObstacleRequestable="{on(p.obstacle_requestable)}" BeaconRequestable="{on(p.beacon_requestable)}" \n'
        f'\t\tGroundRequestable="{on(p.ground_requestable)}" CompassRequestable="{on(p.compass_requestable)}"\n'
        f'\t\tCollisionRequestable="{on(p.collision_requestable)}"\n'
        f'\t\tObstacleLatency="{p.obstacle_latency}" BeaconLatency="{p.beacon_latency}" \n'
        f'\t\tGroundLatency="{p.ground_latency}" CompassLatency="{p.compass_latency}"\n'
        f'\t\tCollisionLatency="{p.collision_latency}"\n'
        f'\t\tBeaconAperture="{p.beacon_aperture:f}"\n'
        f'\t\tReturnTimePenalty="{p.return_time_penalty}" ArrivalTimePenalty="{p.arrival_time_penalty}" \n'
        f'\t\tCollisionWallPenalty="{p.collision_wall_penalty}" CollisionRobotPenalty="{p.collision_robot_penalty}" \n'
        f'\t\tTargetReward="{p.target_reward}" HomeReward="{p.home_reward}"\n'
    )
    if files and p.lab_file is not None:
        text += f'\t\tLab="{attribute(p.lab_file)}"\n'
    if files and p.grid_file is not None:
        text += f'\t\tGrid="{attribute(p.grid_file)}"\n'
    return text + "/>\n"


def on(value: bool) -> str:
    """Return the word for a switch."""
    return "On" if value else "Off"


def attribute(text: str) -> str:
    """Return a text escaped for an attribute."""
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
