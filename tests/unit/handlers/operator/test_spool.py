"""If a test fails, clients that hang up fill the disk, or a full disk looks like our fault."""

import os
import tempfile
from unittest import mock

import testtools
import webob
import webob.exc

from placement.handlers.operator import spool

PAGES = [os.urandom(10_000) for _ in range(10)]
ALL = b"".join(PAGES)


class Spooled(testtools.TestCase):
    """Answers of several pages, more than are kept in memory."""

    def setUp(self):
        super().setUp()
        self.patch(spool, "_IN_MEMORY", 20_000)
        self.files = []
        make = tempfile.TemporaryFile

        def made(**options):
            self.files.append(make(**options))
            return self.files[-1]

        self.patch(tempfile, "TemporaryFile", made)

    def spooled(self, is_compressed=False):
        with spool.Spool(is_compressed) as answer:
            for page in PAGES:
                answer.write(page)
            return answer.response(None, "text/plain")

    def sent(self, **headers):
        """Return (status, what the server iterates over) of the answer to a request."""
        return self.answered(self.spooled(), **headers)

    def answered(self, response, **headers):
        environ = webob.Request.blank("/", headers=headers).environ
        statuses = []
        body = response(environ, lambda status, _: statuses.append(status))
        return statuses[0].split()[0], body

    def assert_closed(self):
        [file] = self.files
        self.assertTrue(file.closed)


class Headers(Spooled):
    """If a test fails, connections are closed, or caches give clients what they cannot read."""

    def setUp(self):
        super().setUp()
        self.answers = [self.spooled(is_compressed) for is_compressed in (False, True)]
        for answer in self.answers:
            self.addCleanup(answer.app_iter.close)

    def test_an_answer_has_the_length_of_what_is_sent(self):
        for answer in self.answers:
            # Reading its `body` would make webob add the header.
            self.assertEqual(str(len(b"".join(answer.app_iter))), answer.headers["Content-Length"])

    def test_the_tag_is_weak_and_that_of_a_compressed_answer_is_another_one(self):
        plain, compressed = (answer.headers["ETag"] for answer in self.answers)
        self.assertRegex(plain, r'\AW/"[0-9a-f]{32}"\Z')
        self.assertEqual(f'{plain[:-1]}-gzip"', compressed)


class Closing(Spooled):
    def test_the_file_of_an_answer_that_was_sent_is_closed(self):
        status, body = self.sent()
        self.assertEqual(("200", ALL), (status, b"".join(body)))
        body.close()
        self.assert_closed()

    def test_the_file_of_an_answer_that_was_never_read_is_closed(self):
        """The server closes the answer without having begun it."""
        _, body = self.sent()
        body.close()
        self.assert_closed()

    def test_the_file_of_an_answer_that_was_read_in_part_is_closed(self):
        _, body = self.sent()
        next(iter(body))
        body.close()
        self.assert_closed()

    def test_the_file_of_an_answer_that_became_304_is_closed(self):
        response = self.spooled()
        status, body = self.answered(response, **{"If-None-Match": f'"{response.etag}"'})
        self.assertEqual(("304", b""), (status, b"".join(body)))
        self.assert_closed()

    def test_the_file_of_an_answer_that_was_abandoned_is_closed(self):
        """The client hangs up while the answer is written."""
        for is_compressed in (False, True):
            self.files.clear()
            with (
                testtools.ExpectedException(ConnectionError),
                spool.Spool(is_compressed) as answer,
            ):
                for page in PAGES:
                    answer.write(page)
                raise ConnectionError
            self.assert_closed()


class FullDisk(Spooled):
    def assert_refused(self):
        for is_compressed in (False, True):
            with self.assertLogs("placement.handlers.operator.spool", "ERROR") as logged:
                error = self.assertRaises(
                    webob.exc.HTTPServiceUnavailable, self.spooled, is_compressed
                )
            self.assertEqual("30", error.headers["Retry-After"])
            self.assertIn("TMPDIR", logged.output[0])

    def test_a_disk_without_room_for_an_answer_is_reported(self):
        files = []

        def full(**_):
            files.append(open("/dev/full", "w+b", buffering=0))  # noqa: SIM115
            return files[-1]

        self.patch(tempfile, "TemporaryFile", full)
        self.assert_refused()
        # Closing must not need any more room on the disk.
        self.assertEqual([True, True], [file.closed for file in files])

    def test_a_missing_temporary_directory_is_reported(self):
        with mock.patch.object(tempfile, "tempdir", "/nowhere"):
            self.assert_refused()
