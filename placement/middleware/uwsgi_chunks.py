"""Bodies that uWSGI leaves to the application: those that a client sends in chunks.

With `http-chunked-input`, uWSGI passes such a body on as it came, and its wsgi.input is empty. The
chunks are read by a function of uWSGI's own, unless `wsgi-manage-chunked-input` is set.
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
        # A module that exists only in a process of uWSGI.
        import uwsgi

        environ["wsgi.input"] = io.BufferedReader(_Chunks(uwsgi.chunked_read))
        environ[INPUT_TERMINATED] = True


class _Chunks(io.RawIOBase):
    """The chunks that a function returns one after the other, and nothing at the end."""

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
