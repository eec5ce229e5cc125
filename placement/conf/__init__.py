"""The options of the service, where their values come from, and the files that they name.

opts.py has the options. connection.py connects to the database; db/engine/connecting.py adds
parameters to its URL.

Called by deploy.py, direct.py, handler.py, policy.py, flavors/, handlers/ and the commands.
"""

import contextlib
import os
import re

from oslo_config import cfg
from oslo_log import log
from oslo_middleware import opts as oslo_middleware
from oslo_policy import opts as oslo_policy

from placement.conf import log_check, opts

# Where a value comes from, as errors of oslo.config say it; the detail is a path or a variable.
_LOCATION = re.compile(r"LocationInfo\(.*?, detail='(.*?)'\)")

# The environment variable that names the one directory to read placement.conf from.
DIRECTORY_VARIABLE = "OS_PLACEMENT_CONFIG_DIR"


def registered():
    """Return a ConfigOpts that knows every option and has not read any values yet."""
    conf = cfg.ConfigOpts()
    register_opts(conf)
    return conf


def register_opts(conf):
    """Register every option in the ConfigOpts of an embedding program.

    The program may have read its values already. Then the logging options stay as they are,
    registered or not, because they are also options of the command line. Calling this twice is
    harmless.
    """
    with contextlib.suppress(cfg.ArgsAlreadyParsedError):
        log.register_options(conf)
    opts.set_library_defaults()
    oslo_policy.set_defaults(conf)
    for group, options in [*_oslo_middleware_options(), *opts.OPTIONS.items()]:
        conf.register_opts(options, group=group)


def _oslo_middleware_options():
    """Return a list of (group, options)."""
    return [
        *oslo_middleware.list_opts_cors(),
        *oslo_middleware.list_opts_healthcheck(),
        *oslo_middleware.list_opts_http_proxy_to_wsgi(),
    ]


class CannotRead(cfg.Error):
    """A file is not text, or cannot be opened; the message is a sentence without a newline."""

    def __str__(self):
        return self.msg


@contextlib.contextmanager
def reading():
    """Context manager: read configuration files inside it.

    Raises: CannotRead, in place of an OSError or UnicodeDecodeError.
    """
    try:
        yield
    except OSError as error:
        # An error that names no file is not about reading one.
        if error.filename is None:
            raise
        raise CannotRead(f"{error.filename} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CannotRead(f"A configuration file is not text: {error}") from error


def sentence(error):
    """Return what an error of oslo.config says, in words for operators.

    The sentence names the path or variable that a value comes from, not an object of oslo.config.
    It also says where to set an option that is missing.
    """
    if isinstance(error, cfg.ConfigFilesPermissionDeniedError):
        return f"{', '.join(error.config_files)} cannot be read: Permission denied"
    text = _LOCATION.sub(r"\1", str(error))
    if not isinstance(error, cfg.RequiredOptError):
        return text
    variable = f"OS_{error.group.name}__{error.opt_name}".upper()
    return f"{text}; set it in a configuration file, or as {variable}"


BadLogging = log_check.BadLogging


def set_up_log(conf):
    """Set up the log as configured. Raises: BadLogging, cfg.Error."""
    log_check.check(conf)
    with log_check.setting_up(conf):
        log.setup(conf, "placement")


def check_log(conf):
    """Check that set_up_log() would work, without opening anything.

    Raises: BadLogging, cfg.Error.
    """
    log_check.check(conf)


def for_service():
    """Return the ConfigOpts of the service, with values from files and the environment.

    Raises: cfg.Error, for instance if a file is missing or no database is named.
    Source: doc/reference/configuration.rst.
    """
    conf = registered()
    with reading():
        conf([], project="placement", default_config_files=_files())
    return conf


def check_values(conf):
    """Raises: cfg.Error if the value of an option is invalid.

    By itself, oslo.config notices this only when a request first needs the option.
    """
    for group, options in opts.OPTIONS.items():
        values = conf if group is None else conf[group]
        for option in options:
            getattr(values, option.dest)


def for_policy_tools():
    """Return the ConfigOpts for oslo.policy's tools, even if required options are missing.

    The tools have parsed --config-file and --config-dir into the global ConfigOpts. Without these
    options, the files of the service are read.
    """
    conf = registered()
    # The tools need no database, whose URL is required.
    with contextlib.suppress(cfg.RequiredOptError):
        conf(
            # Passed as arguments, because oslo.config does not look for a policy file in
            # default_config_dirs.
            [f"--config-dir={directory}" for directory in cfg.CONF.config_dir],
            project="placement",
            default_config_files=cfg.CONF.config_file or _files(),
        )
    return conf


def _files():
    """Return the paths of the only files to read, or None to read those in the usual places."""
    directory = os.environ.get(DIRECTORY_VARIABLE, "").strip()
    return [os.path.join(directory, "placement.conf")] if directory else None
