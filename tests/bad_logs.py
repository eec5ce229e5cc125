"""Mistakes in the options of oslo.log that keep it from logging as configured."""


def options(directory):
    """Return [(option, value)], each of which is a mistake.

    The files that some values name are created in `directory`, a pathlib.Path.
    """
    unclosed, incomplete, unnamed, binary = (
        directory / f"{name}.conf" for name in ("unclosed", "incomplete", "unnamed", "binary")
    )
    unclosed.write_text("[loggers\n")
    incomplete.write_text("[loggers]\nkeys = root\n")
    unnamed.write_text("[formatters]\nkeys =\n[handlers]\nkeys = x\n[loggers]\nkeys = root\n")
    binary.write_bytes(b"\xff\xfe")
    return [
        ("LOG_DIR", "/nonexistent/directory"),
        ("LOG_DIR", str(unclosed)),
        ("LOG_FILE", "/nonexistent/directory/placement.log"),
        ("LOG_FILE", str(directory)),
        ("LOG_CONFIG_APPEND", "/nonexistent/logging.conf"),
        ("LOG_CONFIG_APPEND", str(directory)),
        ("LOG_CONFIG_APPEND", str(unclosed)),
        ("LOG_CONFIG_APPEND", str(incomplete)),
        ("LOG_CONFIG_APPEND", str(unnamed)),
        ("LOG_CONFIG_APPEND", str(binary)),
        ("DEFAULT_LOG_LEVELS", "a=b"),
    ]
