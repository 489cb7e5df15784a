"""What becomes of the lines and exit codes of a child."""

from __future__ import annotations

import pytest

from mobilesim_py.clients.process import error_of
from mobilesim_py.errors import EmulationError, ExitCode, MapError, PortError, UsageError


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ExitCode.MAP, MapError),
        (ExitCode.PORT, PortError),
        (ExitCode.USAGE, UsageError),
        (ExitCode.EMULATION, EmulationError),
    ],
)
def test_an_exit_code_becomes_its_error_with_the_sentence(code: ExitCode, kind: type[Exception]) -> None:
    error = error_of(code, ["Wed MobileSim: Loading.", "MobileSim: That is wrong.", "more"])
    assert type(error) is kind
    assert str(error) == "That is wrong."


@pytest.mark.parametrize("code", [0, -9, 3])
def test_any_other_end_is_told_with_its_number(code: int) -> None:
    assert f"exit code {code}. It said: gone" in str(error_of(code, ["gone"]))
    assert "It said: nothing" in str(error_of(code, []))
