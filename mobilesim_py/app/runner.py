"""The composition root: builds world, simulation and ports as the options ask, runs them, returns the exit code."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mobilesim_py import __version__, messages
from mobilesim_py.app.logs import Log, PythonRecords, open_log, replay
from mobilesim_py.app.memory import share_between_threads
from mobilesim_py.app.options import Options
from mobilesim_py.app.supervise import (
    END_SECONDS,
    END_SIGNALS,
    MOVIE_SECONDS,
    end_soon,
    ignore_end_signals,
    notify_ready,
    tell_end_signals,
    watch_end_signals,
)
from mobilesim_py.errors import DirectoryError, EmulationError, ExitCode, TemporaryFileError
from mobilesim_py.services.service import clients_of

if TYPE_CHECKING:
    from mobilesim_py.app.program import Program
    from mobilesim_py.app.worlds import Done, Work
    from mobilesim_py.core.engines.engine import Engine

Result = TypeVar("Result")
MakeProgram = Callable[[Options, Log, Callable[[], float]], "Program"]
"""Makes a program from its options, its log and its real clock."""
TIMING_TEXT = (
    "Timing: {steps} steps in {seconds:.1f} s, {mean:.2f} ms each ({longest:.2f} ms at most), "
    "real-time factor {ratio:.3f}, {robots} robots, {clients} clients, {packets} packets sent."
)

LOOK_SECONDS = 0.5
"""How often to look whether a thread has done its work, should its word not arrive."""
COMPILING_TEXT = "MobileSim: Compiling the engine beside the simulation, once; the NumPy engine serves meanwhile."
COMPILING_FIRST_TEXT = "MobileSim: Compiling the engine before the start, once; this takes about a minute."
COMPILED_TEXT = "MobileSim: The compiled engine is ready."


def run(options: Options, make_program: MakeProgram | None = None) -> int:
    """Run the simulator until it is told to end; the exit code. `make_program` makes another program than the usual one."""
    gc.disable()  # until everything is there: nothing of it is garbage
    share_between_threads()
    log = open_log(options)  # before --cwd, which is for the map names of clients
    records = PythonRecords(log)
    logging.getLogger().addHandler(records)
    try:
        if options.cwd is not None:
            _change_directory(options.cwd, log)
        # Of Windows' two event loops, this is the one that can watch sockets; elsewhere it is the usual one.
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(_main(options, log, make_program or _usual_program))
    finally:
        logging.getLogger().removeHandler(records)
        log.close()
        gc.enable()


def _change_directory(directory: str, log: Log) -> None:
    log.info(messages.CHANGING_DIRECTORY.format(directory=directory))
    try:
        os.chdir(directory)
    except OSError as error:
        raise DirectoryError(f"Could not change to directory {directory!r}: {error.strerror}.") from None


def _usual_program(options: Options, log: Log, now: Callable[[], float]) -> Program:
    from mobilesim_py.app.program import Program

    return Program(options, log, now=now, engine=_ready_engine(options))


def _ready_engine(options: Options) -> Engine | None:
    """Return the compiled engine if it is wanted and nothing has to be compiled for it."""
    if options.engine == "numpy":
        return None
    from mobilesim_py.app.compiling import load_ready

    return load_ready()


async def _main(options: Options, log: Log, make_program: MakeProgram) -> int:
    log.info(messages.VERSION.format(version=__version__))
    replay(log, options.notes)
    if options.web:
        _check_temporary_place()
    if options.record:
        from mobilesim_py.view.recording.files import check_library

        check_library()
    loop = asyncio.get_running_loop()
    runner = Runner(log)
    try:
        program = await runner.build(lambda: make_program(options, log, loop.time))
        if program is None:
            return int(ExitCode.OK)
        await runner.start()
        return await runner.run()
    finally:
        await runner.stop()
        runner.release_signals()


def _check_temporary_place() -> None:
    """The viewer keeps uploaded maps and movies in temporary files: better to know now that it cannot."""
    import tempfile

    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"MobileSim")
            file.flush()
    except OSError as error:
        why = error.strerror or error
        raise TemporaryFileError(
            f"No temporary file can be written, which the viewer needs for uploaded maps and movies ({why}). "
            "Set TMPDIR to a folder with room, or run without it: --no-web."
        ) from None


def beside(work: Callable[[], None], name: str) -> None:
    """Run something in a thread that the end of the program does not wait for."""
    threading.Thread(target=work, name=name, daemon=True).start()


class Runner:
    """Keeps a program in step with real time, with its clients, or with neither."""

    def __init__(self, log: Log) -> None:
        """Listen to signals; `build` makes the program."""
        self.log = log
        self._program: Program | None = None
        self._is_ending = False
        self._loop = asyncio.get_running_loop()
        self._sleeper: asyncio.Future[None] | None = None
        self._closing: list[Callable[[], Awaitable[None] | None]] = []
        self._failure: BaseException | None = None
        self._loop.set_exception_handler(self._unhandled)
        for number in END_SIGNALS:
            with contextlib.suppress(RuntimeError):
                try:
                    self._loop.add_signal_handler(number, self._signalled, number)
                except NotImplementedError:  # on Windows
                    tell_end_signals(lambda number: self._loop.call_soon_threadsafe(self._signalled, number))
        watch_end_signals()

    @property
    def program(self) -> Program:
        """The program, once it is built."""
        assert self._program is not None
        return self._program

    async def build(self, make_program: Callable[[], Program]) -> Program | None:
        """Make the program beside the loop, for it may take long when the map is large; None if a signal ended that."""
        self._program = await self._apart(make_program)
        return self._program

    async def _apart(self, work: Callable[[], Result]) -> Result | None:
        """Do what takes long in a thread, and wait for it; None, and the thread left to itself, if a signal came."""
        results: list[Result] = []
        errors: list[BaseException] = []

        def attempt() -> None:
            try:
                results.append(work())
            except BaseException as error:
                errors.append(error)
            with contextlib.suppress(RuntimeError):  # The loop may have ended meanwhile.
                self._loop.call_soon_threadsafe(self._wake)

        self._sleeper = self._loop.create_future()
        beside(attempt, "start")
        while not (self._sleeper.done() or results or errors):
            # Now and then by itself: the word of a thread may be lost when the system has no room for it.
            await asyncio.wait([self._sleeper], timeout=LOOK_SECONDS)
        self._sleeper = None
        if self._is_ending:
            return None
        if errors:
            raise errors[0]
        return results[0]

    def release_signals(self) -> None:
        """Let no further signal disturb the end, if the process is ours."""
        for number in END_SIGNALS:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                self._loop.remove_signal_handler(number)
        ignore_end_signals()

    async def start(self) -> None:
        """Open the doors, then load what may come later."""
        program, options = self.program, self.program.options
        program.clock.wake = self._wake
        program.clock.call_later = self._loop.call_later
        program.clock.call_soon = self._call_soon
        program.worlds.run_beside = self._run_beside
        is_compiled = program.simulation.engine.name == "compiled"
        if options.engine == "compiled" and not is_compiled:
            await self._apart(self._compile_engine_first)
        if self._is_ending:
            return
        program.open()
        if options.record:
            from mobilesim_py.view.recording.recorder import Recorder

            recording = Recorder(
                program,
                options.record,
                words=options.words,
                most_bytes=options.record_max_size * 1024 * 1024,
                interval=options.record_interval / 1000.0,
            )
            self._closing.append(recording.close)
            watch_end_signals(MOVIE_SECONDS)
        notify_ready()
        if options.network_discovery:
            await self._discover()
        if options.engine == "auto" and not is_compiled:
            beside(self._compile_engine_beside, "engine")
        if options.web:
            from mobilesim_py.view.page.server import Viewer

            viewer = Viewer(program)
            await viewer.start()
            self._closing.append(viewer.close)
        if options.dashboard:
            from mobilesim_py.view.terminal.dashboard import Dashboard

            dashboard = Dashboard(program)
            await dashboard.start()
            self._closing.append(dashboard.close)
        if options.record_movie:
            from mobilesim_py.view.pictures.movie import MovieRecorder

            recorder = MovieRecorder(program, options.record_movie, options.movie_interval / 1000.0)
            program.after_step.append(recorder.after_step)
            if program.waits_for_movie:
                program.clock.outrun = recorder.is_late
            self._closing.append(recorder.close)
            watch_end_signals(MOVIE_SECONDS)
        if options.log_timing_stats:
            self._loop.call_later(options.log_timing_stats, self._log_timing)
        gc.freeze()
        gc.enable()

    async def run(self) -> int:
        """Step until it is time to end."""
        program = self.program
        program.clock.resume()
        while program.exit_code is None:
            if self._failure is not None:
                raise self._failure
            wait = program.clock.wait()
            if wait > 0.0:
                await self._sleep(wait)
                if program.exit_code is not None or program.clock.wait() > 0.0:
                    continue
            else:
                # Twice: what arrived during the step is read in the first round and obeyed in the second.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            program.clock.step()
        return program.exit_code

    async def _sleep(self, seconds: float) -> None:
        """Wait for the next step, or until something happens that cannot wait for it."""
        self._sleeper = self._loop.create_future()
        timer = self._loop.call_later(seconds, self._wake)
        try:
            await self._sleeper
        finally:
            timer.cancel()
            self._sleeper = None

    def _wake(self) -> None:
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.set_result(None)

    async def stop(self) -> None:
        """Close everything; clients see a clean end."""
        if self._program is not None:
            self._program.close()
        for close in reversed(self._closing):
            closed = close()
            if closed is not None:
                await closed
        # Let the transports send what is pending.
        for _ in range(3):
            await asyncio.sleep(0)

    def _call_soon(self, call: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # The loop may have ended meanwhile.
            self._loop.call_soon_threadsafe(call)

    def _run_beside(self, work: Work, done: Done) -> None:
        """Run `work` in a thread, then `done(result, error)` here."""
        from mobilesim_py.app.worlds import attempt

        def both() -> None:
            result, error = attempt(work)
            with contextlib.suppress(RuntimeError):  # The loop may have ended meanwhile.
                self._loop.call_soon_threadsafe(done, result, error)

        beside(both, "load")

    async def _discover(self) -> None:
        from mobilesim_py.net.discovery import Discovery

        discovery = Discovery(self.program.log)
        if await discovery.open():
            self._closing.append(discovery.close)

    def _compile_engine_first(self) -> None:
        """Compile the engine before the start; the loop has nothing else to do meanwhile."""
        from mobilesim_py.app.compiling import load_compiled

        self.program.log.info(COMPILING_FIRST_TEXT)
        try:
            engine = load_compiled()
        except EmulationError as error:
            raise EmulationError(f"{error} Leave --engine out to run without it.") from None
        self.program.use_engine(engine)
        self.program.log.info(COMPILED_TEXT)

    def _compile_engine_beside(self) -> None:
        """Compile the engine while the simulation runs with NumPy; without it, that goes on."""
        from mobilesim_py.app import compiling

        program = self.program
        if not compiling.numba_problem():
            self._tell_from_thread(program.log.info, COMPILING_TEXT)
        try:
            engine = compiling.load_compiled()
        except Exception as error:
            why = str(error) if isinstance(error, EmulationError) else f"{type(error).__name__}: {error}"
            self._tell_from_thread(program.log.warning, f"MobileSim: {why} The NumPy engine goes on.")
        else:
            with contextlib.suppress(RuntimeError):  # The loop may have ended meanwhile.
                self._loop.call_soon_threadsafe(program.use_engine, engine)
            self._tell_from_thread(program.log.info, COMPILED_TEXT)

    def _tell_from_thread(self, tell: Callable[[str], None], text: str) -> None:
        with contextlib.suppress(RuntimeError):  # The loop may have ended meanwhile.
            self._loop.call_soon_threadsafe(tell, text)

    def _signalled(self, number: int) -> None:
        if not self._is_ending:
            self.log.info(f"MobileSim: Received signal {signal.Signals(number).name}. Exiting.")
        self._is_ending = True
        recording = self._program is not None and (self._program.options.record_movie or self._program.options.record)
        end_soon(MOVIE_SECONDS if recording else END_SECONDS)
        if self._program is not None:
            self._program.exit(int(ExitCode.OK))
        self._wake()

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error in a callback is ours, not a client's: end as a crash does."""
        error = context.get("exception")
        if error is None or isinstance(error, OSError):
            text = f"MobileSim: {context.get('message')} {error or ''}"
            self.log.occasionally(str(context.get("message")), text)
            return
        self._failure = error
        self._wake()

    def _log_timing(self) -> None:
        program, now = self.program, self._loop.time()
        account = program.clock.pacer.start_account(now)
        steps = max(1, account.steps)
        program.log.info(
            TIMING_TEXT.format(
                steps=account.steps,
                seconds=now - account.began,
                mean=1000.0 * account.busy / steps,
                longest=1000.0 * account.longest,
                ratio=account.ratio(now),
                robots=len(program.simulation.robots),
                clients=len(clients_of(program)),
                packets=program.packets_since_last_report(),
            )
        )
        self._loop.call_later(program.options.log_timing_stats, self._log_timing)
