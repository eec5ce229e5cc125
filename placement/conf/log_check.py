"""Could the service log as configured? Asked by commands, which do not log.

They open nothing: what root makes, the service could not write to, and what the service has made,
another account could not.
"""

import configparser
import contextlib
import errno
import logging
import os

from oslo_log import log


def check(conf):
    """See that oslo.log could set up what a ConfigOpts says.

    Raises: as oslo.log; OSError, ValueError, LogConfigError, for instance.
    """
    if conf.log_config_append:
        _check_config(conf.log_config_append)
    else:
        # An account that may not look there knows nothing of what is there.
        with contextlib.suppress(PermissionError):
            _check_place(conf.log_dir, conf.log_file)
        _check_levels(conf.default_log_levels)


def _check_place(directory, file):
    path = os.path.join(directory or "", file or "")
    if file and os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if path:
        # The last slash stands for: a directory.
        os.stat(os.path.join(os.path.dirname(path) or "." if file else path, ""))


def _check_levels(pairs):
    """See that in each "logger=level" the level is a number, or the name of one."""
    for pair in pairs:
        level = pair.partition("=")[2]
        with contextlib.suppress(ValueError):
            level = int(level)
        logging.Logger("any").setLevel(level)


def _check_config(path):
    """See that a file has all sections that it names. Raises: LogConfigError."""
    parser = configparser.RawConfigParser()
    try:
        with contextlib.suppress(PermissionError), open(path) as lines:
            parser.read_file(lines)
            for kind in ("formatter", "handler", "logger"):
                for name in filter(None, parser[f"{kind}s"]["keys"].split(",")):
                    parser.items(f"{kind}_{name.strip()}")
    except KeyError as error:
        raise log.LogConfigError(path, f"There is no {error}") from error
    except (configparser.Error, OSError, ValueError) as error:
        raise log.LogConfigError(path, str(error)) from error
