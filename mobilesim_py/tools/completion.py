"""`mobilesim completion bash|zsh|fish`: completion for the shell, written from the tables of options and tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mobilesim_py.app.option_table import TABLE
from mobilesim_py.app.words import Argument, Option
from mobilesim_py.errors import ExitCode
from mobilesim_py.tools.table import HELP, TOOLS, Tool, Verb
from mobilesim_py.tools.words import Given, run

PROGRAMS = ("MobileSim", "mobilesim")
_FILES, _DIRECTORIES = ("FILE", "LINK", "DEVICE", "IN", "OUT"), ("DIR",)
_VISIBLE = tuple(option for option in TABLE if not option.hidden)


def main(argv: list[str]) -> int:
    """Run the tool; return the exit code."""
    return run("completion", argv, {"": _print_script})


def _print_script(given: Given) -> int:
    print(WRITERS[given.shell](), end="")
    return ExitCode.OK


def _value_kind(value: str) -> str:
    """Tell what to offer for a value of this name: `models`, `files`, `directories`, or nothing in particular."""
    word = value.strip("[]")
    if word.startswith("MODEL"):
        return "models"
    if word.startswith(_FILES):
        return "files"
    return "directories" if word in _DIRECTORIES else ""


def _options_of(verb: Verb) -> tuple[Option, ...]:
    """Return all options of a verb; those of the simulator, where it takes them, come after its own."""
    own = (*verb.options, HELP)
    names = {option.names[0] for option in own}
    return (*own, *(option for option in _VISIBLE if verb.takes_world and option.names[0] not in names))


# bash


def bash() -> str:
    """Write the script for bash."""
    tools = "\n".join(line for tool in TOOLS.values() for line in _bash_tool(tool))
    return f"""\
# MobileSim completion for bash
_mobilesim_models() {{
    mobilesim models --json 2>/dev/null | sed -n 's/^ *"name": "\\(.*\\)",*$/\\1/p'
}}
_mobilesim() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    if [[ $COMP_CWORD -gt 1 ]]; then
        case ${{COMP_WORDS[1]}} in
{tools}
        esac
    fi
{_bash_verb(_VISIBLE, "", 1)}
    if [[ $COMP_CWORD == 1 && $word != -* ]]; then
        COMPREPLY+=($(compgen -W "{" ".join(TOOLS)}" -- "$word"))
    fi
}}
complete -o filenames -F _mobilesim {" ".join(PROGRAMS)}
"""


def _bash_tool(tool: Tool) -> Iterator[str]:
    """Complete the words of a tool, by its verb where it has several."""
    yield f"        {tool.name})"
    names = [verb.name for verb in tool.verbs if verb.name]
    if names:
        yield "            if [[ $COMP_CWORD -gt 2 ]]; then"
        yield "                case ${COMP_WORDS[2]} in"
        for verb in tool.verbs:
            yield f"                {verb.name})"
            yield _bash_verb(_options_of(verb), verb.arguments, 5)
            yield "                    return ;;"
        yield "                esac"
        yield "            fi"
    main = next((verb for verb in tool.verbs if verb.name == tool.default), Verb("", ""))
    yield _bash_verb(_options_of(main), main.arguments, 3)
    if names:
        yield f"""            [[ $COMP_CWORD == 2 ]] && COMPREPLY+=($(compgen -W "{" ".join(names)}" -- "$word"))"""
    yield "            return ;;"


def _bash_verb(options: Iterable[Option], arguments: tuple[Argument, ...] | str, depth: int) -> str:
    """Complete values by the option before them, then options, then arguments (any file for the simulator itself)."""
    cases = [
        f"{'|'.join(option.spellings)}) {_bash_offer(option.choices, option.value)}; return ;;"
        for option in options
        if option.takes_value  # an optional value may as well be the next option
    ]
    if isinstance(arguments, str):
        other = _bash_offer((), "FILE")
    else:
        other = _bash_offer(arguments[-1].choices, arguments[-1].name) if arguments else "COMPREPLY=()"
    names = " ".join(spelling for option in options for spelling in option.spellings)
    lines = [
        *(["case $before in", *cases, "esac"] if cases else []),
        "if [[ $word == -* ]]; then",
        f'    COMPREPLY=($(compgen -W "{names}" -- "$word"))',
        "else",
        f"    {other}",
        "fi",
    ]
    return "\n".join("    " * depth + line for line in lines)


def _bash_offer(choices: tuple[str, ...], value: str) -> str:
    if choices:
        return f'COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$word"))'
    words = {"models": '-W "$(_mobilesim_models)"', "files": "-f", "directories": "-d"}.get(_value_kind(value))
    return f'COMPREPLY=($(compgen {words} -- "$word"))' if words else "COMPREPLY=()"


# zsh


def zsh() -> str:
    """Write the script for zsh."""
    tools = " ".join(f"'{name}:{_zsh_text(tool.about)}'" for name, tool in TOOLS.items())
    cases = "\n".join(line for tool in TOOLS.values() for line in _zsh_tool(tool))
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
  if (( CURRENT > 2 )); then
    case $words[2] in
{cases}
    esac
  fi
  _arguments \\
{_continued(_zsh_rows(_VISIBLE))}
    '*:map:_mobilesim_first'
}}
compdef _mobilesim {" ".join(PROGRAMS)}
"""


def _zsh_tool(tool: Tool) -> Iterator[str]:
    yield f"    {tool.name})"
    named = [verb for verb in tool.verbs if verb.name]
    for verb in named:
        yield f"    if (( CURRENT > 3 )) && [[ $words[3] == {verb.name} ]]; then"
        yield f"      shift 2 words; (( CURRENT -= 2 ))\n{_zsh_arguments(verb)}\n      return\n    fi"
    if named:
        yield f"    (( CURRENT == 3 )) && compadd {' '.join(verb.name for verb in named)}"
    main = next((verb for verb in tool.verbs if verb.name == tool.default), Verb("", ""))
    yield f"      shift words; (( CURRENT -= 1 ))\n{_zsh_arguments(main)}\n      return ;;"


def _zsh_arguments(verb: Verb) -> str:
    rows = _zsh_rows(_options_of(verb))
    for number, argument in enumerate(verb.arguments, start=1):
        place = "*" if argument.many else str(number)
        rows.append(f"    '{place}:{_zsh_name(argument.name)}:{_zsh_action(argument.choices, argument.name)}'")
    return "      _arguments \\\n" + _continued(rows).removesuffix(" \\")


def _zsh_rows(options: Iterable[Option]) -> list[str]:
    rows = []
    for option in options:
        star = "*" if option.repeatable else ""
        action = f":{_zsh_name(option.value)}:{_zsh_action(option.choices, option.value)}" if option.takes_value else ""
        for spelling in option.spellings:
            rows.append(f"    '{star}{spelling}[{_zsh_text(option.text)}]{action}'")
    return rows


def _continued(rows: Iterable[str]) -> str:
    return "\n".join(f"{row} \\" for row in rows)


def _zsh_name(value: str) -> str:
    return "".join(letter for letter in value.lower() if letter.isalnum() or letter in " ,|")


def _zsh_text(text: str) -> str:
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", " -")


def _zsh_action(choices: tuple[str, ...], value: str) -> str:
    if choices:
        return f"({' '.join(choices)})"
    return {"models": "_mobilesim_models", "files": "_files", "directories": "_files -/", "": " "}[_value_kind(value)]


# fish

_FISH_MODELS = 'mobilesim models --json 2>/dev/null | string match -rg "\\"name\\": \\"([^\\"]*)\\""'


def fish() -> str:
    """Write the script for fish."""
    lines = ["# MobileSim completion for fish"]
    own_words = [tool.name for tool in TOOLS.values() if not any(verb.takes_world for verb in tool.verbs)]
    for program in PROGRAMS:
        start = f"complete -c {program}"
        for tool in TOOLS.values():
            lines.append(f"{start} -n __fish_use_subcommand -a {tool.name} -d '{_fish_text(tool.about)}'")
            lines += _fish_tool(f"{start} -n '__fish_seen_subcommand_from {tool.name}", tool)
        simulator = f"{start} -n 'not __fish_seen_subcommand_from {' '.join(own_words)}'"
        lines += [f"{simulator} {_fish_option(option)}" for option in _VISIBLE]
    return "\n".join(lines) + "\n"


def _fish_tool(start: str, tool: Tool) -> Iterator[str]:
    names = " ".join(verb.name for verb in tool.verbs if verb.name)
    for verb in tool.verbs:
        when = f"{start}; and __fish_seen_subcommand_from {verb.name}'" if verb.name else f"{start}'"
        if verb.name:
            before = f"{start}; and not __fish_seen_subcommand_from {names}'"
            yield f"{before} -a {verb.name} -d '{_fish_text(verb.about)}'"
        for argument in verb.arguments:
            yield f"{when} {_fish_offer(argument.choices, argument.name)}"
        for option in (*verb.options, HELP):
            yield f"{when} {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    parts = [f"-s {option.short}"] if option.short else []
    parts += [f"-l {name}" for name in option.names]
    if option.takes_value:
        parts.append(_fish_offer(option.choices, option.value))
    return " ".join([*parts, f"-d '{_fish_text(option.text)}'"])


def _fish_offer(choices: tuple[str, ...], value: str) -> str:
    if choices:
        return f"-x -a '{' '.join(choices)}'"
    kind = _value_kind(value)
    if kind == "models":
        return f"-x -a '({_FISH_MODELS})'"
    return "-r -F" if kind else "-x"


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


WRITERS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
