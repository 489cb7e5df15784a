"""Time in the program: when the next step is due, what a step is, and who is told after it.

Real time, `--speed`, `--speed max`, `--lockstep`, pausing and single steps mean the same for every service; each has a
period of its own in simulated time. The clock is injected, so tests turn it by hand.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mobilesim_py.app.pacing import Account, Pacer
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.log import Log
from mobilesim_py.net.limits import LAGGING
from mobilesim_py.services.service import Service

NOBODY_THERE = 1.0
"""How often a world that waits for its first client looks around [s]; a client wakes it up."""
IDLE_PAUSE = 0.1
"""How often a paused world looks around [s]."""
BACKLOG = LAGGING
BREATH = 0.001
"""How long to wait for a client that lags [s]."""
RATIO_WINDOW = 3.0
"""The ratio of simulated to real time is that of so many seconds [s]."""
RATIO_SAMPLE = 0.25
OVERLOAD = "The simulation cannot keep up: it fell {behind:.0f} ms behind ({why}). Simulated time slows."


@dataclass(frozen=True, slots=True)
class Pace:
    """How time shall pass, as the options say."""

    interval: float = 0.1
    """Real time of a step at speed 1 [s]."""
    speed: float = 1.0
    lockstep: bool = False
    lockstep_timeout: float = 1.0
    """Longest wait for a silent client [s]; 0: for ever."""


class Clockwork:
    """Steps a simulation and tells its services, in step with real time, with clients, or with neither."""

    def __init__(
        self,
        simulation: Simulation,
        services: Sequence[Service],
        log: Log,
        pace: Pace | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._simulation = simulation
        self._services = services
        self._log = log
        self._pace = pace or Pace()
        self._now = now
        self._speed = self._pace.speed
        self._paused = False
        self._told: dict[Service, int] = {}
        """How many of its periods each service has been told of."""
        self._waiting_since: float | None = None
        self._samples: deque[tuple[float, float]] = deque([(now(), simulation.time)])
        """Real times of the last seconds at which a step ended, and simulated ones, for the ratio."""
        self._stepped = self._samples[0]
        """Those of the last step."""
        self.steps_wanted = 0
        """Single steps to take while paused."""
        self.after_step: list[Callable[[Simulation], None]] = []
        self.turn: Callable[[], None] = lambda: None
        """Called when a step has ended and everybody was told: what clients may cause is counted by steps."""
        self.outrun: Callable[[], bool] = lambda: False
        """Whether somebody who is to see every step cannot follow; then the world waits where it is as fast as possible."""
        self.wake: Callable[[], None] = lambda: None
        """Called when a step may be due earlier than `wait` said."""
        self.call_later: Callable[[float, Callable[[], None]], object] = lambda seconds, call: None
        """Calls something when real time has passed; the event loop's, once there is one."""
        self.call_soon: Callable[[Callable[[], None]], object] = lambda call: call()
        """Calls something between two steps, whatever thread says so; the event loop's, once there is one."""
        self.pacer = Pacer(self.real_interval(), simulation.dt, now())

    # What time it is

    @property
    def simulated(self) -> float:
        """Simulated seconds since the start."""
        return self._simulation.time

    @property
    def lockstep(self) -> bool:
        """Whether the world waits for the word of every client."""
        return self._pace.lockstep

    @property
    def paused(self) -> bool:
        """Whether the world stands still until somebody lets it go on."""
        return self._paused

    @property
    def speed(self) -> float:
        """Simulated seconds per real second that were asked for; infinite for as fast as possible."""
        return self._speed

    @property
    def total(self) -> Account:
        """How it went since the start."""
        return self.pacer.total

    @property
    def ratio(self) -> float:
        """Simulated seconds per real second, of the last seconds."""
        now, (ended, simulated) = self._now(), self._stepped
        if self._paused or now - ended > max(RATIO_SAMPLE, 3.0 * self.real_interval()):
            ended = now  # The world stands still, and the longer it does the smaller is the ratio.
        while len(self._samples) > 1 and ended - self._samples[1][0] >= RATIO_WINDOW:
            self._samples.popleft()
        began, before = self._samples[0]
        if ended <= began:
            return 0.0 if self._paused or not math.isfinite(self._speed) else self._speed
        return (simulated - before) / (ended - began)

    def real(self) -> float:
        """Return seconds of a real clock; in lockstep, where bytes must repeat, of the simulated one."""
        return self._simulation.time if self.lockstep else self._now()

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something when real time has passed."""
        self.call_later(seconds, call)

    def soon(self, call: Callable[[], None]) -> None:
        """Call something between two steps; the one thing here that any thread may do."""
        self.call_soon(call)

    def real_interval(self) -> float:
        """Return the real time that a step should take [s]; 0 is as fast as possible."""
        return self._pace.interval / self._speed if math.isfinite(self._speed) else 0.0

    def last_interval(self) -> float:
        """Return the real time that the last step took [s]; in lockstep, where bytes must repeat, what it should take."""
        return self.real_interval() if self.lockstep else self.pacer.last_interval

    # What may be done to it

    def set_speed(self, speed: float) -> None:
        """Set simulated seconds per real second from now on; infinite is as fast as possible."""
        self._speed = speed
        self.pacer.set_interval(self.real_interval(), self._now())
        self.wake()

    def pause(self, paused: bool = True) -> None:
        """Stop the world, or let it go on; single steps that were not taken are then taken no more."""
        self._paused = paused
        if not paused:
            self.steps_wanted = 0
        self.resume()
        self.wake()

    def single_step(self, count: int = 1) -> None:
        """While paused, take so many steps."""
        self.steps_wanted += count
        self.wake()

    def resume(self) -> None:
        """Count from now on, without catching up with what has passed."""
        now = self._now()
        self.pacer.resume(now)
        self._samples.clear()
        self._stepped = (now, self._simulation.time)
        self._samples.append(self._stepped)

    # Steps

    def wait(self) -> float:
        """Return how long the next step is away [s]."""
        now = self._now()
        if self._paused:
            return 0.0 if self.steps_wanted else IDLE_PAUSE
        if self.lockstep:
            return self._wait_for_words(now)
        if self.pacer.interval > 0.0:
            return self.pacer.wait(now)
        if not any(service.is_busy() for service in self._services):
            # As fast as possible, but nobody is there: keep to real time.
            return max(0.0, self.pacer.total.began + self._simulation.time - now)
        return BREATH if self.outrun() or any(service.backlog() > BACKLOG for service in self._services) else 0.0

    def _wait_for_words(self, now: float) -> float:
        """With --lockstep: how long to wait for clients that have not sent anything since they were last told something."""
        busy = [service for service in self._services if service.is_busy()]
        if not busy:
            return NOBODY_THERE
        if not any(service.awaits() for service in busy):
            return 0.0
        if self._waiting_since is None:
            self._waiting_since = now
        if self._pace.lockstep_timeout <= 0.0:
            return NOBODY_THERE
        return max(0.0, self._waiting_since + self._pace.lockstep_timeout - now)

    def step(self) -> None:
        """Take one step, and tell everybody what must be told after it."""
        began = self._now()
        if self._paused:
            self.steps_wanted = max(0, self.steps_wanted - 1)
        self._simulation.step()
        self._tell()
        for watcher in tuple(self.after_step):
            watcher(self._simulation)
        self.turn()
        self._account(began, self._now())

    def _tell(self) -> None:
        """Tell the services whose period has passed; of several that have passed in one step, once."""
        now = self._simulation.time
        for service in self._services:
            # Counted and not added up, lest rounding shifts the schedule after days.
            passed = math.floor(now / service.period + 1e-6)
            if passed > self._told.get(service, 0):
                self._told[service] = passed
                self._waiting_since = None
                service.tell(now)

    def _account(self, began: float, ended: float) -> None:
        self._stepped = (ended, self._simulation.time)
        if ended - self._samples[-1][0] >= RATIO_SAMPLE:
            self._samples.append(self._stepped)
            while len(self._samples) > 2 and ended - self._samples[1][0] >= RATIO_WINDOW:
                self._samples.popleft()
        behind = self.pacer.total.skipped
        self.pacer.stepped(began, ended)
        behind = self.pacer.total.skipped - behind
        if behind > 0.0 and not self.lockstep:
            text = OVERLOAD.format(behind=1000.0 * behind, why=self._why(ended - began))
            self._log.occasionally("overload", text, every=30.0)

    def _why(self, took: float) -> str:
        """Say where the time went: into the step, or into whatever kept it from beginning."""
        since = self.pacer.last_interval
        if took >= since - took:
            return f"the last step took {1000.0 * took:.0f} ms"
        return (
            f"the last step began {1000.0 * since:.0f} ms after the one before, because the machine or something beside "
            f"the simulation was busy, and took {1000.0 * took:.0f} ms"
        )
