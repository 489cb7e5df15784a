"""`mobilesim completion bash|zsh|fish`: completion for the shell, written from the table of options."""

from __future__ import annotations

from collections.abc import Iterable

from mobilesim_py.app.options import TABLE, Option
from mobilesim_py.errors import ExitCode, UsageError
from mobilesim_py.tools.table import TOOLS

USAGE = "mobilesim completion bash|zsh|fish"
PROGRAMS = ("MobileSim", "mobilesim")
_FISH_MODELS = 'mobilesim models --json 2>/dev/null | string match -rg "\\"name\\": \\"([^\\"]*)\\""'
_FILES, _DIRECTORIES = ("FILE", "LINK", "DEVICE"), ("DIR",)


def main(argv: list[str]) -> int:
    """Print the script for a shell; `source <(mobilesim completion bash)` uses it."""
    if argv in (["-h"], ["--help"]):
        print(f"Usage: {USAGE}\n\nFor example: source <(mobilesim completion bash)")
        return ExitCode.OK
    if len(argv) != 1 or argv[0] not in SHELLS:
        raise UsageError(f"Which shell? Usage: {USAGE}")
    print(SHELLS[argv[0]](), end="")
    return ExitCode.OK


def _visible() -> list[Option]:
    return [option for option in TABLE if not option.hidden]


def _spellings(option: Option) -> list[str]:
    return ([f"-{option.short}"] if option.short else []) + [f"--{name}" for name in option.names]


def _value_kind(option: Option) -> str:
    """Tell what to offer for a value: `models`, `files`, `directories`, or nothing in particular."""
    if option.value.startswith("MODEL"):
        return "models"
    word = option.value.strip("[]")
    if word.startswith(_FILES):
        return "files"
    return "directories" if word in _DIRECTORIES else ""


def bash() -> str:
    """Write the script for bash."""
    options = " ".join(spelling for option in _visible() for spelling in _spellings(option))
    cases = []
    for option in _visible():
        if not option.may_take_value:
            continue
        kind = _value_kind(option)
        if option.choices:
            offer = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word"))'
        elif kind == "models":
            offer = 'COMPREPLY=($(compgen -W "$(_mobilesim_models)" -- "$word"))'
        elif kind == "files":
            offer = 'COMPREPLY=($(compgen -f -- "$word"))'
        elif kind == "directories":
            offer = 'COMPREPLY=($(compgen -d -- "$word"))'
        else:
            offer = "COMPREPLY=()"
        if not option.takes_value:
            continue  # an optional value may as well be the next option
        cases.append(f"        {'|'.join(_spellings(option))}) {offer}; return ;;")
    return f"""\
# MobileSim completion for bash
_mobilesim_models() {{
    mobilesim models --json 2>/dev/null | sed -n 's/^ *"name": "\\(.*\\)",*$/\\1/p'
}}
_mobilesim() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    case $before in
{chr(10).join(cases)}
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "{options}" -- "$word"))
    elif [[ $COMP_CWORD == 1 ]]; then
        COMPREPLY=($(compgen -W "{" ".join(TOOLS)}" -- "$word") $(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _mobilesim {" ".join(PROGRAMS)}
"""


def zsh() -> str:
    """Write the script for zsh."""
    rows = []
    for option in _visible():
        star = "*" if option.repeatable else ""
        action = f":{_zsh_name(option)}:{_zsh_action(option)}" if option.takes_value else ""
        for spelling in _spellings(option):
            rows.append(f"    '{star}{spelling}[{_zsh_text(option.text)}]{action}'")
    tools = " ".join(f"'{name}:{_zsh_text(tool.about)}'" for name, tool in TOOLS.items())
    return f"""\
#compdef {" ".join(PROGRAMS)}
# MobileSim completion for zsh
_mobilesim_models() {{
  local -a models
  models=(${{(f)"$(mobilesim models --json 2>/dev/null | sed -n 's/^ *"name": "\\(.*\\)",*$/\\1/p')"}})
  _describe model models
}}
_mobilesim_first() {{
  local -a tools
  tools=({tools})
  (( CURRENT == 2 )) && _describe tool tools
  _files
}}
_mobilesim() {{
  _arguments \\
{_continued(rows)}
    '*:map:_mobilesim_first'
}}
compdef _mobilesim {" ".join(PROGRAMS)}
"""


def _continued(rows: Iterable[str]) -> str:
    return "\n".join(f"{row} \\" for row in rows)


def _zsh_name(option: Option) -> str:
    return "".join(letter for letter in option.value.lower() if letter.isalnum() or letter in " ,|")


def _zsh_text(text: str) -> str:
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", " -")


def _zsh_action(option: Option) -> str:
    if option.choices:
        return f"({' '.join(option.choices)})"
    return {"models": "_mobilesim_models", "files": "_files", "directories": "_files -/", "": " "}[_value_kind(option)]


def fish() -> str:
    """Write the script for fish."""
    lines = ["# MobileSim completion for fish"]
    for program in PROGRAMS:
        for name, tool in TOOLS.items():
            lines.append(f"complete -c {program} -n __fish_use_subcommand -a {name} -d '{_fish_text(tool.about)}'")
        for option in _visible():
            parts = [f"complete -c {program}"]
            parts += [f"-s {option.short}"] if option.short else []
            parts += [f"-l {name}" for name in option.names]
            kind = _value_kind(option)
            if option.takes_value:
                if option.choices:
                    parts.append(f"-x -a '{' '.join(option.choices)}'")
                elif kind == "models":
                    parts.append(f"-x -a '({_FISH_MODELS})'")
                else:
                    parts.append("-r -F" if kind else "-x")
            parts.append(f"-d '{_fish_text(option.text)}'")
            lines.append(" ".join(parts))
    return "\n".join(lines) + "\n"


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}
