"""Mistakes in the options of oslo.log that keep it from logging as configured."""


def options(directory):
    """Return [({option: value}, regex of what is said)]; one of the options is a mistake.

    The files that some values name are created in `directory`, a pathlib.Path.
    """
    unclosed, incomplete, unnamed, binary, unlevelled = (
        directory / f"{name}.conf"
        for name in ("unclosed", "incomplete", "unnamed", "binary", "unlevelled")
    )
    unclosed.write_text("[loggers\n")
    incomplete.write_text("[loggers]\nkeys = root\n")
    unnamed.write_text("[formatters]\nkeys =\n[handlers]\nkeys = x\n[loggers]\nkeys = root\n")
    binary.write_bytes(b"\xff\xfe")
    unlevelled.write_text(
        "[formatters]\nkeys =\n[handlers]\nkeys =\n[loggers]\nkeys = root\n"
        "[logger_root]\nlevel = BAR\nhandlers =\n"
    )
    missing = "/nonexistent/directory"
    of_file = r"\[DEFAULT\] log_config_append: "
    levels = "CRITICAL, ERROR, WARNING, INFO, DEBUG"
    return [
        (
            {"LOG_DIR": missing},
            rf"\[DEFAULT\] log_dir: {missing}/ cannot be opened: No such file or directory",
        ),
        ({"LOG_DIR": str(unclosed)}, rf"\[DEFAULT\] log_dir: {unclosed}/ .*: Not a directory"),
        (
            {"LOG_DIR": missing, "LOG_FILE": "placement.log"},
            rf"\[DEFAULT\] log_dir and log_file: {missing}/ cannot be opened: No such",
        ),
        (
            {"LOG_FILE": f"{missing}/placement.log"},
            rf"\[DEFAULT\] log_file: {missing}/ cannot be opened: No such file or directory",
        ),
        ({"LOG_FILE": str(directory)}, rf"\[DEFAULT\] log_file: {directory} .*: Is a directory"),
        (
            {"LOG_CONFIG_APPEND": "/nonexistent/logging.conf"},
            f"{of_file}/nonexistent/logging.conf cannot be opened: No such file or directory",
        ),
        ({"LOG_CONFIG_APPEND": str(directory)}, f"{of_file}{directory} .*: Is a directory"),
        ({"LOG_CONFIG_APPEND": str(unclosed)}, f"{of_file}{unclosed}: File contains no section"),
        (
            {"LOG_CONFIG_APPEND": str(incomplete)},
            f"{of_file}{incomplete}: No section: 'formatters'",
        ),
        (
            {"LOG_CONFIG_APPEND": str(unnamed)},
            rf"{of_file}{unnamed}: .* \[handler_x\], although \[handlers\] names 'x'",
        ),
        ({"LOG_CONFIG_APPEND": str(binary)}, f"{of_file}{binary}: .*can't decode"),
        (
            {"LOG_CONFIG_APPEND": str(unlevelled)},
            rf"{of_file}{unlevelled}: \[logger_root\] .* 'BAR', .* not one of {levels}",
        ),
        (
            {"DEFAULT_LOG_LEVELS": "amqp=WARN,a=BAR"},
            rf"\[DEFAULT\] default_log_levels: 'a=BAR' is not .* a number or one of {levels}",
        ),
        (
            {"USE_SYSLOG": "true", "SYSLOG_LOG_FACILITY": "LOG_PLACEMENT"},
            r"\[DEFAULT\] syslog_log_facility: 'LOG_PLACEMENT' is not one of .*USER",
        ),
        (
            {
                "LOG_FILE": str(directory / "rotated.log"),
                "LOG_ROTATION_TYPE": "interval",
                "LOG_ROTATE_INTERVAL_TYPE": "weekday",
                "LOG_ROTATE_INTERVAL": "9",
            },
            r"\[DEFAULT\] log_rotate_interval: 9 is not a day from 0 \(Monday\) to 6",
        ),
    ]


def environment(options):
    """Return {variable: value} that set options of [DEFAULT], given as {option: value}."""
    return {f"OS_DEFAULT__{option}": value for option, value in options.items()}
