"""Who is let in: hosts, origins and tokens of real requests."""

from __future__ import annotations

import pytest

from mobilesim_py.app.program import Program
from mobilesim_py.view.page.guard import Guard
from tests.view.conftest import run, visiting


def test_foreign_hosts_and_origins_are_turned_away(program: Program) -> None:
    async def test() -> None:
        async with visiting(program) as (visitor, _):
            assert (await visitor.ask("GET", "/api/state", headers={"Host": "evil.example"}))[0] == 403
            foreign = {"Origin": "http://evil.example"}
            assert (await visitor.ask("POST", "/api/pause", {}, headers=foreign))[0] == 403
            assert not program.clock.paused
            with pytest.raises(Exception, match="403"):
                await visitor.session.ws_connect(visitor.base + "/api/stream", headers=foreign)

    run(test)


def test_elsewhere_the_token_opens_the_door_and_becomes_a_cookie(program: Program) -> None:
    async def test() -> None:
        async with visiting(program, Guard("secret")) as (visitor, _):
            assert (await visitor.ask("GET", "/"))[0] == 401
            assert (await visitor.ask("GET", "/static/js/main.js"))[0] == 401
            bearer = {"Authorization": "Bearer secret"}
            assert (await visitor.ask("GET", "/api/state", headers=bearer))[0] == 200
            async with visitor.session.get(visitor.base + "/?token=secret", allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (303, "/")
                cookie = answer.headers["Set-Cookie"]
                assert "HttpOnly" in cookie
                assert "SameSite=Lax" in cookie
            name, _, value = cookie.partition(";")[0].partition("=")
            assert (await visitor.ask("GET", "/", headers={"Cookie": f"{name}={value}"}))[0] == 200

    run(test)
