"""Plans are made here one after the other, in a thread beside the simulation where there is one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from mobilesim_py.errors import MobileSimError
from mobilesim_py.navigation.navigator import Beside, Done, Work


class Desk:
    """A queue of plans: it runs one at a time, so that many robots do not take the machine from the simulation."""

    def __init__(self, beside: Beside, delivered: Callable[[], None] = lambda: None) -> None:
        """`beside` runs one piece of work; `delivered` is called whenever a plan was handed over."""
        self._beside = beside
        self._delivered = delivered
        self._jobs: deque[_Job] = deque()

    def __call__(self, work: Work, done: Done) -> None:
        """Run work when its turn has come, then `done` with what it returned or what went wrong: a `Beside`."""
        self._jobs.append(_Job(work, done))
        if len(self._jobs) == 1:
            self._begin()

    @property
    def is_busy(self) -> bool:
        """Whether any plan is not made yet."""
        return bool(self._jobs)

    def finish(self) -> None:
        """Wait until all plans are made, and hand them over: in lockstep they are all there before the next step."""
        while self._jobs:
            job = self._jobs[0]
            job.made.wait()
            self._deliver(job)

    def _begin(self) -> None:
        job = self._jobs[0]
        self._beside(job.run, lambda result, error: self._deliver(job))

    def _deliver(self, job: _Job) -> None:
        if not self._jobs or self._jobs[0] is not job:
            return  # handed over already, by `finish`
        self._jobs.popleft()
        if self._jobs:
            self._begin()
        if job.failure is not None:
            raise job.failure
        job.done(job.result, job.error)
        self._delivered()


class _Job:
    def __init__(self, work: Work, done: Done) -> None:
        self.done = done
        self.made = threading.Event()
        self.result: Any = None
        self.error: MobileSimError | None = None
        self.failure: Exception | None = None
        """A mistake of ours, which must not pass in silence because it happened in a thread."""
        self._work = work

    def run(self) -> None:
        try:
            self.result = self._work()
        except MobileSimError as error:
            self.error = error
        except MemoryError:
            self.error = MobileSimError("there is not enough memory to plan in a world of this size")
        except Exception as error:
            self.failure = error
        finally:
            self.made.set()
