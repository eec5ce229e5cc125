"""Answers that are too large for memory, and of one moment, however long their clients take.

An answer is written as a whole, to memory or, from some size on, to a file without a name, while
its transaction is open; it is sent when that has ended.
"""

import gzip
import hashlib
import tempfile

from webob import static

from placement.handlers import tagged

# More bytes than this are kept on disk.
_IN_MEMORY = 4 * 1024 * 1024
_LEVEL = 1


class Spool:
    """Bytes that become the body of a response."""

    def __init__(self, is_compressed):
        # The response closes it.
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._digest = hashlib.sha256()
        self._gzip = None
        if is_compressed:
            self._gzip = gzip.GzipFile(
                fileobj=self._file, mode="wb", compresslevel=_LEVEL, mtime=0
            )

    def write(self, data):
        self._digest.update(data)
        (self._gzip or self._file).write(data)

    def response(self, req, media_type):
        """Return the response; 304 if the client has the same already."""
        response = tagged.Response(content_type=media_type)
        response.etag = self._digest.hexdigest()[:32]
        response.vary = ["Accept", "Accept-Encoding"]
        if self._gzip is not None:
            self._gzip.close()
            response.content_encoding = "gzip"
            response.etag += "-gzip"
        length = self._file.tell()
        self._file.seek(0)
        response.app_iter = static.FileIter(self._file)
        response.content_length = length
        return response
