"""Movies that viewers record."""

from __future__ import annotations

import io

from mobilesim_py.app.program import Program
from tests.view.conftest import run, step, visiting


def test_a_movie_is_recorded_and_fetched(program: Program) -> None:
    from PIL import Image

    async def test() -> None:
        async with visiting(program) as (visitor, site):
            assert (await visitor.ask("GET", "/api/movie/file"))[0] == 404
            assert (await visitor.ask("POST", "/api/movie/stop"))[0] == 409
            wish = {"format": "gif", "interval": 0.1, "size": 200}
            assert (await visitor.ask("POST", "/api/movie", wish))[0] == 200
            assert (await visitor.ask("POST", "/api/movie", wish))[0] == 409
            program.simulation.robots[0].drive(0.5)
            step(program, 8)
            _, state = await visitor.ask("POST", "/api/movie/stop")
            assert (state["recording"], state["pictures"], state["file"]) == (False, 8, "mobilesim.gif")
            _, data = await visitor.ask("GET", "/api/movie/file")
            assert Image.open(io.BytesIO(data)).n_frames == 8
            for bad in ({"format": "exe"}, {"interval": 0}, {"size": 1}):
                assert (await visitor.ask("POST", "/api/movie", bad))[0] == 400
            assert program.after_step == []
            folder = site.api.filming._folder
        assert not folder.exists()

    run(test)
