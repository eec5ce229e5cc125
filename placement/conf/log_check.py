"""Check whether the service can log as configured. Commands check it, though they do not log.

No log file is opened: a command that runs as root might create one that the service cannot write.
Source: doc/how-to/logs.rst.
"""

import configparser
import contextlib
import errno
import logging
import os
import syslog
from logging import handlers

from oslo_config import cfg

_LEVELS = ("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")


class BadLogging(Exception):
    """The log cannot be set up as configured; the message names the option, without a newline."""


@contextlib.contextmanager
def _naming(*options, errors=Exception):
    """Context manager: name these options of the section [DEFAULT] in an error from inside.

    errors: the class of the errors that are due to the options
    Raises: BadLogging, in place of such an error. A cfg.Error names its option itself.
    """
    try:
        yield
    except (BadLogging, cfg.Error):
        raise
    except errors as error:
        # The text may have several lines, if it is about log_config_append.
        reason = " ".join(_sentence(error).split())
        names = f"[DEFAULT] {' and '.join(options)}: " if options else ""
        raise BadLogging(f"The log cannot be set up as configured: {names}{reason}") from error


def _sentence(error):
    """Return what an error says, without the number that an OSError begins with."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename} cannot be opened: {error.strerror}"
    return str(error)


@contextlib.contextmanager
def setting_up(conf):
    """Context manager for a call of oslo.log's setup(). Call check() first.

    Raises: BadLogging, in place of any other error; cfg.Error.
    """
    if conf.log_config_append:
        with _naming("log_config_append"):
            yield
        return
    # The first two options depend on what is installed; a log file depends on the account.
    with (
        _naming(*_in_use(conf, "use_journal", "publish_errors")),
        _naming(*_in_use(conf, "log_dir", "log_file"), errors=OSError),
    ):
        yield


def _in_use(conf, *options):
    return [name for name in options if conf[name]]


def check(conf):
    """Check that oslo.log could set up the log as a ConfigOpts says.

    Raises: BadLogging, cfg.Error.
    """
    if conf.log_config_append:
        with _naming("log_config_append"):
            _check_config(conf.log_config_append)
        return
    # The account that runs a command may lack the service's access to the directory.
    with _naming(*_in_use(conf, "log_dir", "log_file")), contextlib.suppress(PermissionError):
        _check_place(conf.log_dir, conf.log_file)
    if (conf.log_dir or conf.log_file) and conf.log_rotation_type.lower() == "interval":
        with _naming("log_rotate_interval"):
            _check_weekday(conf.log_rotate_interval_type, conf.log_rotate_interval)
    if conf.use_syslog or conf.use_journal:
        with _naming("syslog_log_facility"):
            _check_facility(conf.syslog_log_facility)
    with _naming("default_log_levels"):
        _check_levels(conf.default_log_levels)


def _check_place(directory, file):
    """Check that a log file can be in its directory; either may be None. Raises: OSError."""
    path = os.path.join(directory or "", file or "")
    if file and os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if path:
        parent = (os.path.dirname(path) or ".") if file else path
        # With a slash at the end, this fails unless the path is a directory.
        os.stat(os.path.join(parent, ""))


def _check_weekday(kind, interval):
    """Check the interval after which a log file is rotated. Raises: ValueError."""
    if kind.lower() == "weekday" and interval not in range(7):
        raise ValueError(
            f"{interval} is not a day from 0 (Monday) to 6, as log_rotate_interval_type asks for"
        )


def _check_facility(name):
    """Check that syslog has the facility `name`, with or without LOG_. Raises: ValueError."""
    known = (each.upper() for each in handlers.SysLogHandler.facility_names)
    known = [each for each in known if hasattr(syslog, f"LOG_{each}")]
    if name.upper().removeprefix("LOG_") not in known:
        raise ValueError(f"{name!r} is not one of {', '.join(known)}")


def _check_levels(pairs):
    """Check that in each "logger=level" the level is a number, or the name of a level.

    Raises: ValueError.
    """
    for pair in pairs:
        level = pair.partition("=")[2]
        with contextlib.suppress(ValueError):
            level = int(level)
        if not _is_level(level):
            raise ValueError(
                f"{pair!r} is not LOGGER=LEVEL with a level that is a number or one of "
                f"{', '.join(_LEVELS)}"
            )


def _is_level(level):
    """Return whether a logger could have a level: a number, or the name of a level."""
    try:
        logging.Logger("any").setLevel(level)
    except ValueError:
        return False
    return True


def _check_config(path):
    """Check that a logging configuration file has all sections that it names, with valid levels.

    Raises: ValueError, OSError.
    """
    parser = configparser.RawConfigParser()
    try:
        with contextlib.suppress(PermissionError), open(path) as lines:
            parser.read_file(lines)
            # With "keys = a,b" in [handlers], there must be [handler_a] and [handler_b].
            for kind in ("formatter", "handler", "logger"):
                for name in filter(None, parser.get(f"{kind}s", "keys").split(",")):
                    _check_section(kind, _section(parser, kind, name.strip()))
    except (configparser.Error, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def _section(parser, kind, name):
    """Return the section about a formatter, a handler or a logger. Raises: ValueError."""
    section = f"{kind}_{name}"
    if not parser.has_section(section):
        raise ValueError(f"There is no section [{section}], although [{kind}s] names {name!r}")
    return parser[section]


def _check_section(kind, section):
    """Check the level in the section of a handler or logger. Raises: ValueError."""
    level = section.get("level") if kind != "formatter" else None
    if level is not None and not _is_level(level):
        raise ValueError(
            f"[{section.name}] has the level {level!r}, which is not one of {', '.join(_LEVELS)}"
        )
