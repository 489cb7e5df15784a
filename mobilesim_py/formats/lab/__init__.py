"""CiberRato's files: labs, grids, parameters and logs, read into plain facts and written back as text."""

from __future__ import annotations

from mobilesim_py.formats.lab.defaults import default_grid, default_lab
from mobilesim_py.formats.lab.elements import LabFileError
from mobilesim_py.formats.lab.facts import Beacon, Grid, Lab, Parameters, Point, StartPlace, Target, Wall
from mobilesim_py.formats.lab.grid_file import parse_grid, read_grid
from mobilesim_py.formats.lab.lab_file import parse_lab, read_lab
from mobilesim_py.formats.lab.log import LogFile, LoggedRobot, LogStep, RunLog, parse_log, read_log
from mobilesim_py.formats.lab.parameters_file import parse_parameters, read_parameters
from mobilesim_py.formats.lab.rows import EXPLORER_WALL_WIDTH, WALL_WIDTH
from mobilesim_py.formats.lab.writing import grid_text, lab_text, parameters_text

__all__ = [
    "EXPLORER_WALL_WIDTH",
    "WALL_WIDTH",
    "Beacon",
    "Grid",
    "Lab",
    "LabFileError",
    "LogFile",
    "LogStep",
    "LoggedRobot",
    "Parameters",
    "Point",
    "RunLog",
    "StartPlace",
    "Target",
    "Wall",
    "default_grid",
    "default_lab",
    "grid_text",
    "lab_text",
    "parameters_text",
    "parse_grid",
    "parse_lab",
    "parse_log",
    "parse_parameters",
    "read_grid",
    "read_lab",
    "read_log",
    "read_parameters",
]
