"""--shell_completion: a script that completes the commands and options of a program in a shell.

oslo.config has the option, but its wheels lack the templates of the scripts.
"""

import argparse
import shlex

from placement.cmd import command_line

SHELLS = ("bash", "zsh")

_FUNCTION = """\
{function}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
    local commands="" choices="" each index
    COMPREPLY=()
    # Bash splits --option=value into three words.
    if [ "$word" = "=" ]; then
        word=""
    elif [ "$previous" = "=" ]; then
        previous="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    for (( index = 1; index < COMP_CWORD; index++ )); do
        each="${{COMP_WORDS[index]}}"
        case "$commands $each" in
            {commands}) commands="$commands $each" ;;
        esac
    done
    case "$commands $previous" in
{values}
    esac
    if [ -z "$choices" ]; then
        case "$commands" in
{words}
        esac
        # Options are offered once a - is typed.
        if [ "${{word#-}}" = "$word" ]; then
            case "$commands" in
{arguments}
            esac
        fi
    fi
    COMPREPLY=( $(compgen -W "$choices" -- "$word") )
}}
complete -F {function} {program}
"""
# After these lines, zsh can run the function that is written for bash.
_ZSH = """\
autoload -U compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
"""
# An argument with one of these metavars is completed with file names.
_FILE_METAVARS = ("FILE", "PATH")
_FILES = """\
            COMPREPLY=( $(compgen -f -- "$word") )
            compopt -o filenames 2> /dev/null
            return
            ;;"""


def requested_shell(program, options):
    """Return the shell named in the options before a command; None if there is none.

    Raises: SystemExit if there is no script for it.
    """
    parser = argparse.ArgumentParser(prog=program, add_help=False, allow_abbrev=False)
    parser.add_argument(command_line.SHELL_COMPLETION, choices=SHELLS)
    return parser.parse_known_args(options)[0].shell_completion


def script(parser, shell):
    """Return the script with which a shell, one of SHELLS, completes the program of this parser."""
    # For each placeholder in _FUNCTION: the lines that replace it.
    commands, values, words, arguments = [], [], [], []
    # A path has a space before each word of a command; the path of the program itself is empty.
    for path, command in _commands(parser):
        if path:
            commands.append(f'"{path}"')
        next_words = [*command_line.subcommands(command)]
        for action in command._actions:
            next_words += action.option_strings
            values += _values(path, action)
            if not action.option_strings and action.metavar in _FILE_METAVARS:
                arguments.append(f'            "{path}")\n{_FILES}')
        words.append(f'            "{path}") choices={shlex.quote(" ".join(next_words))} ;;')
    function = _FUNCTION.format(
        function=f"_{parser.prog.replace('-', '_')}",
        program=parser.prog,
        commands=" | ".join(commands),
        values="\n".join(values),
        words="\n".join(words),
        arguments="\n".join(arguments),
    )
    return _ZSH + function if shell == "zsh" else function


def _commands(parser, path=""):
    """Yield (path, parser) of each command; the program itself comes first, with the path ""."""
    yield path, parser
    for name, each in command_line.subcommands(parser).items():
        yield from _commands(each, f"{path} {name}")


def _values(path, action):
    """Return the lines of the script that complete the value of an option.

    `action` is the argparse.Action for an option of the command at `path`. The lines list the known
    values, or complete file names.
    """
    options = " | ".join(f'"{path} {option}"' for option in action.option_strings)
    # listing.py sets `completed` on an option whose values are not its `choices`.
    choices = getattr(action, "completed", None) or action.choices
    if not options:
        return []
    if choices:
        return [f"        {options}) choices={shlex.quote(' '.join(map(str, choices)))} ;;"]
    if action.metavar in _FILE_METAVARS:
        return [f"        {options})\n{_FILES}"]
    return []
