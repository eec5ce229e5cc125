"""Reading one of the operator's files, which may be missing or huge."""


class UnreadableFile(Exception):
    """The file cannot be read; the message is a sentence without a newline."""


def read(path, most_bytes):
    """Return the bytes of a file. Raises: UnreadableFile, also if the file has more bytes."""
    try:
        with open(path, "rb") as file:
            # One byte more shows that the file is too large.
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > most_bytes:
        raise UnreadableFile(f"{path} has more than {most_bytes:,} bytes.")
    return content
