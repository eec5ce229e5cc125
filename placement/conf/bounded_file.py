"""Read one of the operator's files, which may be missing, huge or malformed."""

import json

# The most levels of nested lists and objects in a file. No file here needs more than a few.
_MOST_LEVELS = 50


class UnreadableFile(Exception):
    """The file cannot be read; the message is a sentence without a newline."""


def read(path, most_bytes):
    """Return the bytes of a file. Raises: UnreadableFile, also for more than `most_bytes`."""
    try:
        with open(path, "rb") as file:
            # One byte more shows that the file is too large.
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > most_bytes:
        raise UnreadableFile(f"{path} has more than {most_bytes:,} bytes.")
    return content


def parsed(content, path):
    """Return the value that JSON, a string or bytes, stands for; `path` is for messages.

    Raises: UnreadableFile.
    """
    try:
        document = json.loads(content)
        too_deep = _levels(document) > _MOST_LEVELS
    except RecursionError:
        too_deep = True
    except ValueError as error:
        raise UnreadableFile(f"{path} is not JSON: {' '.join(str(error).split())}.") from error
    if too_deep:
        raise UnreadableFile(f"{path} is nested too deeply.")
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        # json reads half of a surrogate pair, but no answer can contain one.
        half = ord(error.object[error.start])
        raise UnreadableFile(f"{path} has half of a surrogate pair: \\u{half:04x}.") from error
    return document


def _levels(value):
    """Return how many levels of lists and objects parsed JSON has."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return 0
    return 1 + max(map(_levels, value), default=0)
