"""The loop around the program."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest

from mobilesim_py.app import compiling
from mobilesim_py.app import runner as runner_module
from mobilesim_py.app.command_line import parse
from mobilesim_py.app.logs import Log
from mobilesim_py.app.program import Program
from mobilesim_py.app.runner import COMPILED_TEXT, COMPILING_TEXT, Runner, _usual_program
from mobilesim_py.core.engines.numpy.engine import NumpyEngine
from mobilesim_py.core.simulation import Simulation
from mobilesim_py.protocols.arcos.client import OPEN, SYNCS, command
from mobilesim_py.protocols.arcos.command_rows import Command
from mobilesim_py.services.service import clients_of
from tests.view.conftest import until

STEPS = 50


def test_what_arrives_during_a_step_is_obeyed_before_the_next_one_however_busy_it_is() -> None:
    """As fast as possible there is no pause between steps in which a client could be heard."""
    obeyed: list[int] = []

    async def story() -> None:
        options = parse(["--nomap", "-r", "p3dx", "--speed", "max", "--engine", "numpy", "--no-network-discovery"])
        options = replace(options, port=0, bind_to_address="127.0.0.1", web=False)
        loop = asyncio.get_running_loop()
        runner = Runner(Log())
        program = await runner.build(lambda: Program(options, Log(), now=loop.time))
        assert program is not None
        await runner.start()
        running = asyncio.create_task(runner.run())
        client = socket.create_connection(("127.0.0.1", next(door.port for door in program.doors) or 0))
        client.send(b"".join(SYNCS) + OPEN)
        await until(lambda: any(facts.is_active for facts in clients_of(program)))

        def busy(simulation: Simulation) -> None:
            (facts,) = clients_of(program)
            obeyed.append(facts.packets_received)
            client.recv(65536)
            if len(obeyed) <= STEPS:
                client.send(command(Command.PULSE))
            else:
                program.exit(0)

        program.after_step.append(busy)
        await running
        client.close()
        await runner.stop()

    asyncio.run(asyncio.wait_for(story(), 20.0))
    assert obeyed == list(range(obeyed[0], obeyed[0] + STEPS + 1)), "each step sees the command sent during the one before"


@pytest.mark.parametrize("cached", [False, True])
def test_the_log_says_once_that_compiling_goes_on_and_when_it_is_ready(
    monkeypatch: pytest.MonkeyPatch, cached: bool
) -> None:
    monkeypatch.setattr(compiling, "numba_problem", lambda: "")
    ready = NumpyEngine()
    ready.name = "compiled"
    monkeypatch.setattr(compiling, "load_ready", lambda: ready if cached else None)
    monkeypatch.setattr(compiling, "load_compiled", NumpyEngine)
    log = Log()

    async def story() -> None:
        loop = asyncio.get_running_loop()
        runner = Runner(log)
        await runner.build(lambda: _usual_program(parse(["--nomap", "-r", "p3dx"]), log, loop.time))
        if runner.program.simulation.engine is not ready:
            await asyncio.to_thread(runner._compile_engine_beside)
        await asyncio.sleep(0)

    asyncio.run(story())
    texts = [line.text for line in log.recent(50) if "ngine" in line.text]
    assert [text for text in texts if text in (COMPILING_TEXT, COMPILED_TEXT)] == (
        [] if cached else [COMPILING_TEXT, COMPILED_TEXT]
    )


def test_a_thread_whose_word_is_lost_is_noticed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop is woken by a byte in a socket, and the system may have no room for it."""
    monkeypatch.setattr(runner_module, "LOOK_SECONDS", 0.01)

    async def story() -> None:
        runner = Runner(Log())
        monkeypatch.setattr(asyncio.get_running_loop(), "_write_to_self", lambda: None)
        assert await runner._apart(lambda: 5) == 5

    asyncio.run(asyncio.wait_for(story(), 3.0))
