"""The program: `MobileSim OPTIONS` runs the simulator, `mobilesim TOOL ...` one of the tools beside it."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    # An interrupt while the rest is imported is an end like any other; `main` gives it its usual meaning back.
    import signal

    signal.signal(signal.SIGINT, lambda *_: os._exit(0))

import contextlib

# Before anything imports NumPy: a pool of threads for linear algebra would only spin beside the simulation.
for _pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_pool, "1")

from mobilesim_py.app.options import Options  # noqa: E402
from mobilesim_py.errors import ExitCode, MobileSimError, UsageError  # noqa: E402


def main(argv: list[str] | None = None) -> int:
    """Run what the command line says and return the exit code."""
    words = sys.argv[1:] or _words_of_name(sys.argv[0]) if argv is None else argv
    try:
        _interrupt_as_usual()
        is_tool = _is_tool(words)
        if argv is None and not is_tool:
            from mobilesim_py.app.supervise import own_process

            own_process()
        code = _run_tool(words) if is_tool else _run_simulator(words)
        # Here, and not at interpreter exit, where a reader that is gone makes a traceback.
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code)
    except BrokenPipeError:
        return _reader_gone()
    except MobileSimError as error:
        _complain(str(error))
        return int(error.exit_code)
    except KeyboardInterrupt:
        return int(ExitCode.OK)


def _interrupt_as_usual() -> None:
    """Have Ctrl-C raise KeyboardInterrupt, if we were started as a module and it ended the process so far."""
    if __name__ == "__main__":
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _words_of_name(name: str) -> list[str]:
    """Return what the name of the program means without a word after it: `mobilesim` lists the tools."""
    return ["help"] if os.path.splitext(os.path.basename(name))[0] == "mobilesim" else []


def _is_tool(words: list[str]) -> bool:
    """Tell whether the first word is a tool; options begin with a dash, and need not wait for the table of tools."""
    if not words or words[0].startswith("-"):
        return False
    from mobilesim_py.tools.table import TOOLS

    return words[0] in TOOLS


def _run_tool(words: list[str]) -> int:
    from importlib import import_module

    from mobilesim_py.tools.table import TOOLS

    tool = import_module(TOOLS[words[0]].module)
    return int(tool.main(words[1:]))


def _run_simulator(words: list[str]) -> int:
    from mobilesim_py.app.command_line import parse

    _check_first_word(words)
    options = parse(words, interactive=_at_terminal())
    if options.help:
        from mobilesim_py.app.option_docs import help_text
        from mobilesim_py.tools.tool_docs import tool_lines

        print(help_text(tool_lines()), end="")
        return ExitCode.OK
    if options.version:
        from mobilesim_py import APPLICATION, __version__

        print(f"{APPLICATION} {__version__}")
        return ExitCode.OK
    from mobilesim_py.app.supervise import leave_threads, run

    code = run(options, words, _simulate)
    leave_threads(code)
    return code


def _check_first_word(words: list[str]) -> None:
    """Tell of a mistyped tool: a first word without a dash that is neither a tool nor a map; UsageError if it is one."""
    first = words[0] if words else "-"
    if first.startswith("-"):
        return
    from mobilesim_py.app.words import nearest
    from mobilesim_py.tools.table import TOOLS

    guess = nearest(first, TOOLS, "`mobilesim ", "`")
    if len(words) == 1:
        from mobilesim_py.app.map_files import find_map
        from mobilesim_py.errors import MapError

        try:
            find_map(first)
        except MapError:
            if guess:
                raise UsageError(f'There is no tool or map "{first}".{guess}') from None
    elif guess or not words[1].startswith("-"):
        raise UsageError(f'There is no tool "{first}".{guess} The tools are {", ".join(TOOLS)}.')


def _simulate(options: Options) -> int:
    from mobilesim_py.app.runner import run

    return int(run(options))


def _at_terminal() -> bool:
    """Tell whether somebody could see a question and answer it."""
    try:
        return sys.stdin.isatty() and sys.stderr.isatty()
    except (AttributeError, ValueError, OSError):
        return False


def _complain(text: str) -> None:
    try:
        print(f"MobileSim: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def _reader_gone() -> int:
    """End well when nobody reads the rest, as in `MobileSim --help | head -1`."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(ExitCode.OK)


if __name__ == "__main__":
    sys.exit(main())
