"""Checks whether the service can log as configured. Commands check this, though they do not log.

No log file is opened: a command that runs as root might create one that the service cannot write.
Source: doc/how-to/logs.rst.
"""

import configparser
import contextlib
import errno
import logging
import os

from oslo_log import log


def check(conf):
    """Check that oslo.log could set up what a ConfigOpts says.

    Raises: the same as oslo.log, for instance OSError, ValueError, LogConfigError.
    """
    if conf.log_config_append:
        _check_config(conf.log_config_append)
    else:
        # Unlike the service, this account may have no access to the directory.
        with contextlib.suppress(PermissionError):
            _check_place(conf.log_dir, conf.log_file)
        _check_levels(conf.default_log_levels)


def _check_place(directory, file):
    """Check that a log file can be in its directory; both may be None. Raises: OSError."""
    path = os.path.join(directory or "", file or "")
    if file and os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if path:
        parent = (os.path.dirname(path) or ".") if file else path
        # With a slash at the end, this fails unless the path is a directory.
        os.stat(os.path.join(parent, ""))


def _check_levels(pairs):
    """Check that in each "logger=level" the level is a number, or the name of one.

    Raises: ValueError.
    """
    for pair in pairs:
        level = pair.partition("=")[2]
        with contextlib.suppress(ValueError):
            level = int(level)
        logging.Logger("any").setLevel(level)


def _check_config(path):
    """Check that a logging configuration file has all sections that it names.

    Raises: LogConfigError.
    """
    parser = configparser.RawConfigParser()
    try:
        with contextlib.suppress(PermissionError), open(path) as lines:
            parser.read_file(lines)
            # With "keys = a,b" in [handlers], there must be [handler_a] and [handler_b].
            for kind in ("formatter", "handler", "logger"):
                for name in filter(None, parser[f"{kind}s"]["keys"].split(",")):
                    parser.items(f"{kind}_{name.strip()}")
    except KeyError as error:
        raise log.LogConfigError(path, f"There is no {error}") from error
    except (configparser.Error, OSError, ValueError) as error:
        raise log.LogConfigError(path, str(error)) from error
