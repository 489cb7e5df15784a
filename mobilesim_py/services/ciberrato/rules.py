"""The two rule sets: as the contest's program plays, and as the rules of Explorer 2022 say."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mobilesim_py.formats.lab import EXPLORER_WALL_WIDTH, WALL_WIDTH, Parameters

MAX_SCORE = 250
EXPLORER_REQUESTS = 4
EXPLORER_COMPASS_LATENCY = 4

FIRST_ORIGIN = (1804289383 / 2**31 * 1000.0, 846930886 / 2**31 * 1000.0)
"""Where the program's GPS has its origin in its first run, always."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What differs between the rule sets."""

    name: str
    wall_width: float = WALL_WIDTH
    """Thickness of walls that are drawn in rows, for the reader of labs."""
    requested_sensors: bool = False
    """Obstacle sensors, compass and ground only on request, four in a cycle, and the compass four cycles late."""
    noise_fed_back: bool = True
    """Whether the motors' noise goes into the power that the next cycle starts from."""
    power_step: float | None = None
    """What orders of the motors are rounded to."""
    obstacle_range: tuple[float, float] | None = None
    """Where obstacle measures end."""
    drawn_origin: bool = False
    """Whether the GPS origin of the first run is drawn as well."""
    explorer_score: bool = False
    """Whether the score of the written rules counts, whatever the scoring mode."""
    checked_field: bool = False
    """Whether lab and grid must be as the rules want a field."""

    def applied(self, parameters: Parameters) -> Parameters:
        """Return the parameters as these rules want them."""
        if not self.requested_sensors:
            return parameters
        return replace(
            parameters,
            obstacle_requestable=True,
            compass_requestable=True,
            ground_requestable=True,
            requests_per_cycle=EXPLORER_REQUESTS,
            compass_latency=EXPLORER_COMPASS_LATENCY,
        )


CIBERRATO = Rules("ciberrato")
EXPLORER_2022 = Rules(
    "explorer-2022",
    wall_width=EXPLORER_WALL_WIDTH,
    requested_sensors=True,
    noise_fed_back=False,
    power_step=0.001,
    obstacle_range=(0.0, 100.0),
    drawn_origin=True,
    explorer_score=True,
    checked_field=True,
)

RULES: dict[str, Rules] = {rules.name: rules for rules in (CIBERRATO, EXPLORER_2022)}
"""The rule sets by the name that the command line knows."""
