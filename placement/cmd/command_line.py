"""The words of a command line: where the command begins, and what mistyped words may mean.

Source: doc/reference/placement-manage.rst.
"""

import argparse
import difflib
import re

from oslo_utils import timeutils

from placement.queries import duration as durations
from placement.queries import moments

# The option that prints a completion script for a shell.
SHELL_COMPLETION = "--shell_completion"
# The options before the command that take a value. oslo.config and oslo.log define most of them.
TAKING_A_VALUE = (
    "--config-dir",
    "--config-file",
    "--log-config",
    "--log-config-append",
    "--log-date-format",
    "--log-dir",
    "--log-file",
    "--log_config",
    "--logdir",
    "--logfile",
    SHELL_COMPLETION,
    "--syslog-log-facility",
)
# The options of oslo.log that take no value; only its older versions have the last two.
LOGGING_FLAGS = (
    *("--debug", "--nodebug", "--use-journal", "--nouse-journal"),
    *("--use-json", "--nouse-json", "--use-syslog", "--nouse-syslog"),
    *("--watch-log-file", "--nowatch-log-file"),
)


def add(commands, name, summary, run, needs_database=True):
    """Add a command to `commands`, the subparsers of a parser, and return the command's own parser.

    summary         a sentence that the help of both parsers shows
    run             the function of the command, called with the configuration
    needs_database  whether the configuration has to name the database
    """
    parser = commands.add_parser(name, help=summary, description=summary)
    parser.set_defaults(run=run, needs_database=needs_database)
    return parser


def from_command(arguments):
    """Return the command and what follows it, such as ["db", "sync"]; only options precede it."""
    start = 0
    # The value of an option may be a word of its own.
    while start < len(arguments) and arguments[start].startswith("-"):
        start += 2 if _takes_next(arguments[start]) else 1
    return arguments[start:]


def _takes_next(option):
    """Return whether the next word is the option's value."""
    # Like argparse, this accepts the beginning of an option's name, but not dashes alone.
    return bool(option.strip("-")) and any(each.startswith(option) for each in TAKING_A_VALUE)


def subcommands(parser):
    """Return {name: parser} for the commands that a parser knows."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def complaint(parser, arguments):
    """Return what is wrong with a command, or with the options around it; None if nothing is."""
    words = from_command(arguments)
    if unknown := _unknown_before(parser, arguments[: len(arguments) - len(words)]):
        return unknown
    if not words:
        return f"A command is missing; '{parser.prog} --help' lists them."
    # The parser that the words examined so far lead to, and those words.
    here, typed = parser, []
    for index, word in enumerate(words):
        known = subcommands(here)
        if word in ("-h", "--help"):
            return None
        if word.startswith("-") and known:
            continue
        if not known:
            # The command is complete; only its options and arguments are left.
            rest = words[index:]
            command = " ".join(typed)
            return _unknown_option(here, command, rest) or _surplus(here, command, rest)
        typed.append(word)
        if word not in known:
            return _unknown_command(parser, " ".join(typed))
        here = known[word]
    return None


def _surplus(parser, command, words):
    """Return a complaint about a word or short option that a command does not take, or None."""
    _, surplus = parser.parse_known_args(words)
    if not surplus:
        return None
    return f"'{command}' does not take '{surplus[0]}'; '--help' shows what it takes."


def _unknown_command(parser, command):
    """Return the complaint about an unknown command, which may have several words: "db sink"."""
    if close := _closest(command, list(_commands(parser))):
        return f"There is no command '{command}'. Did you mean '{close}'?"
    return f"There is no command '{command}'; '{parser.prog} --help' lists them."


def _unknown_before(parser, options):
    """Return what is wrong with the long options before a command, or None."""
    known = [*_option_strings(parser), *TAKING_A_VALUE, *LOGGING_FLAGS]
    rest = list(options)
    while rest:
        word = rest.pop(0)
        if rest and _takes_next(word):
            # The next word is its value.
            rest.pop(0)
        option = word.partition("=")[0]
        if _is_unknown(option, known):
            of_commands = {name for each in _parsers(parser) for name in _option_strings(each)}
            hint = "; it belongs after the command." if option in of_commands else None
            return f"There is no option '{option}'{hint or _hint(option, known)}"
    return None


def _unknown_option(parser, command, words):
    """Return what is wrong with the long options after a command, or None."""
    known = _option_strings(parser)
    for word in words:
        option = word.partition("=")[0]
        if option == "--":
            return None
        if _is_unknown(option, known):
            return f"'{command}' has no option '{option}'{_hint(option, known)}"
    return None


def _option_strings(parser):
    return [name for action in parser._actions for name in action.option_strings]


def _is_unknown(option, known):
    """Return whether a long option is neither known nor the beginning of a known one."""
    # Like argparse, this accepts the beginning of a name.
    is_beginning = option != "--" and any(each.startswith(option) for each in known)
    return option.startswith("--") and not is_beginning


def _parsers(parser):
    """Yield the parsers of all commands below a parser."""
    for each in subcommands(parser).values():
        yield each
        yield from _parsers(each)


def _hint(option, known):
    """Return the end of the sentence about an option that is not in the list `known`."""
    if option in TAKING_A_VALUE:
        return "; it belongs before the command."
    close = _closest(option, known)
    return f". Did you mean '{close}'?" if close else "; '--help' lists them."


def _closest(typed, known):
    """Return the word in the list `known` that was probably meant, or None."""
    return next(iter(difflib.get_close_matches(typed, known)), None)


def _commands(parser, *words):
    """Yield each command that can be run, such as "db sync"; `words` lead to this parser."""
    known = subcommands(parser)
    if not known:
        yield " ".join(words)
    for name, each in known.items():
        yield from _commands(each, *words, name)


def duration(text):
    """Return `text` if it is a duration; a `type` for argparse. Raises: ArgumentTypeError."""
    if not re.fullmatch(durations.PATTERN, text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as {durations.EXAMPLES}")
    return text


def past(text):
    """Return the moment (naive UTC) that a date or duration stands for; a `type` for argparse.

    Raises: ArgumentTypeError.
    """
    now = timeutils.utcnow()
    try:
        moment = moments.parsed(text, now)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a time such as {durations.EXAMPLES} nor a date such as "
            f"{moments.EXAMPLES} (UTC)"
        ) from error
    if moment > now:
        raise argparse.ArgumentTypeError(
            f"{text!r} is in the future: without an offset such as +01:00, a time is in UTC, where "
            f"it is now {now:%Y-%m-%dT%H:%M}"
        )
    return moment
