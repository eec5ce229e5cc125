"""Large answers from one snapshot, without keeping a transaction open for a slow client.

While the transaction is open, the whole answer is written to memory or, above some size, to a file
without a name. It is sent after the transaction has ended.
"""

import contextlib
import gzip
import hashlib
import logging
import tempfile

import webob.exc

from placement import errors
from placement.handlers.answering import etag

LOG = logging.getLogger(__name__)

# An answer with more bytes than this is kept on disk.
_IN_MEMORY = 4 * 1024 * 1024
_GZIP_LEVEL = 1
_PIECE = 256 * 1024
# The number of seconds after which a client may ask again if the disk was full.
_RETRY_AFTER = 30


class Spool:
    """Context manager: collects bytes that become the body of a response.

    The file is closed with the response or, if an exception prevents the response, on exit.
    """

    def __init__(self, is_compressed):
        """With `is_compressed`, the body is compressed with gzip."""
        # The file is closed by the response, or on exit.
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._digest = hashlib.sha256()
        self._gzip = None
        if is_compressed:
            self._gzip = gzip.GzipFile(
                fileobj=self._file, mode="wb", compresslevel=_GZIP_LEVEL, mtime=0
            )

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            # The response closes the file once it has been sent.
            return
        # Closing the files writes the rest of the data, which may fail, too.
        for file in filter(None, (self._gzip, self._file)):
            with contextlib.suppress(OSError):
                file.close()

    def write(self, data):
        """Write data on which the ETag depends.

        Raises: HTTPServiceUnavailable if there is no room on the disk.
        """
        self._digest.update(data)
        self.write_untagged(data)

    def write_untagged(self, data):
        """Write data on which the ETag does not depend. Raises: what `write` raises."""
        with _file_errors_as_503():
            (self._gzip or self._file).write(data)

    def response(self, req, media_type):
        """Return the response; 304 if the client already has the same content.

        Raises: HTTPServiceUnavailable if there is no room on the disk.
        """
        response = etag.Response(content_type=media_type)
        tag = self._digest.hexdigest()[:32]
        response.vary = ["Accept", "Accept-Encoding"]
        with _file_errors_as_503():
            if self._gzip is not None:
                self._gzip.close()
                response.content_encoding = "gzip"
                tag += "-gzip"
            length = self._file.tell()
            self._file.seek(0)
        # The ETag is weak because answers that differ only in the position of changes share it.
        response.etag = tag, False
        response.app_iter = _Pieces(self._file)
        response.content_length = length
        return response


class _Pieces:
    """The content of a file, piece by piece; the server closes it, even if it reads nothing.

    (A generator would not do: if it is never started, it does not run its clean-up.)
    """

    def __init__(self, file):
        self._file = file

    def __iter__(self):
        return self

    def __next__(self):
        piece = self._file.read(_PIECE)
        if not piece:
            raise StopIteration
        return piece

    def close(self):
        self._file.close()


@contextlib.contextmanager
def _file_errors_as_503():
    """Context manager. Raises: HTTPServiceUnavailable, for any OSError inside."""
    try:
        yield
    except OSError as error:
        LOG.error(
            "An answer of more than %d MiB does not fit into the directory for temporary files "
            "(see TMPDIR): %s",
            _IN_MEMORY // 2**20,
            error,
        )
        raise webob.exc.HTTPServiceUnavailable(
            "There is no room on the disk of the service for an answer of this size. Ask for "
            "fewer providers.",
            headers=[errors.retry_after(_RETRY_AFTER)],
        ) from error
