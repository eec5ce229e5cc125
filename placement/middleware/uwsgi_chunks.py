"""Bodies that clients send in chunks, and that uWSGI leaves to the application to read.

With `http-chunked-input`, uWSGI does not read such a body, and wsgi.input is empty. The application
must read the chunks with a function of uWSGI, unless `wsgi-manage-chunked-input` is set.
"""

import io

INPUT_TERMINATED = "wsgi.input_terminated"


def offer(environ):
    """Make wsgi.input the body of a request whose chunks uWSGI has left unread."""
    if (
        "uwsgi.version" in environ
        and INPUT_TERMINATED not in environ
        and environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked"
    ):
        # This module exists only inside uWSGI.
        import uwsgi

        environ["wsgi.input"] = io.BufferedReader(_Chunks(uwsgi.chunked_read))
        environ[INPUT_TERMINATED] = True


class _Chunks(io.RawIOBase):
    """A stream of chunks. `next_chunk` returns the next one, or b"" at the end."""

    def __init__(self, next_chunk):
        self._next_chunk = next_chunk
        self._chunk = memoryview(b"")

    def readable(self):
        return True

    def readinto(self, buffer):
        """Fill a buffer, perhaps in part, and return how many bytes were written; 0 at the end.

        Raises: OSError, as uWSGI's function does, for a chunk that is malformed or does not arrive.
        """
        if not self._chunk:
            self._chunk = memoryview(self._next_chunk())
        count = min(len(buffer), len(self._chunk))
        buffer[:count] = self._chunk[:count]
        self._chunk = self._chunk[count:]
        return count
