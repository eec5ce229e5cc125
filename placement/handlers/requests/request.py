"""A request, with everything that handlers need from it.

Source: doc/reference/differences.rst, "Refused with 400".
"""

import json
import re
import urllib.parse

import orjson
import webob
import webob.exc

from placement import exception
from placement.environ import (
    BODY,
    CONFIGURATION,
    CONTEXT,
    DATABASE,
    GIVEN_NAMES,
    MICROVERSION,
    POLICY,
    REASON,
    ROUTING_ARGUMENTS,
)
from placement.handlers.requests import hangup
from placement.queries import query_string, unknown_parameters

_BAD_BODY = "JSON does not validate"

# The most parts of each kind in one body, to bound the memory and the time that it takes. No
# ordinary client comes near these numbers.
MOST_PARTS = {b",": (1_000_000, "members"), b"{": (200_000, "objects")}
# Characters, besides letters and digits, that are not quoted in the path of a URL: they need no
# quoting or, like %, mark characters that are already quoted.
_OF_PATHS = "/%:@!$&'()*+,;=-._~"
# Integers with fewer digits than this fit into 64 bits.
_LONG_NUMBER = re.compile(b"[0-9]{19}")

# MySQL cannot compare these characters with text in utf8mb3; PostgreSQL cannot compare a NUL.
_OF_FOUR_BYTES = re.compile("[\U00010000-\U0010ffff]")
_IN_NO_IDENTIFIER = re.compile("[\0\U00010000-\U0010ffff]")
# The same characters, and octets that are not UTF-8.
_UNREADABLE = re.compile("[\0\ud800-\udfff\U00010000-\U0010ffff]")


class Request(webob.Request):
    """A webob request with its microversion, its caller and the database."""

    @property
    def version(self):
        """The microversion_parse.Version that was negotiated."""
        return self.environ[MICROVERSION]

    def since(self, behaviour):
        """Return whether the version has the `behaviour`, a member of microversion.Since."""
        return self.version >= behaviour.value

    @property
    def mount_prefix(self):
        """The path under which the service is mounted, for URLs; it has no slash at its end.

        Proxies and servers may pass on anything; the result is ASCII, because links and headers
        must be.
        """
        raw = self.environ.get("SCRIPT_NAME", "")
        return urllib.parse.quote(raw.encode("latin-1"), safe=_OF_PATHS)

    @property
    def context(self):
        return self.environ[CONTEXT]

    @property
    def conf(self):
        return self.environ[CONFIGURATION]

    @property
    def policy(self):
        return self.environ[POLICY]

    @property
    def database(self):
        return self.environ[DATABASE]

    @property
    def given_names(self):
        """The GivenNames of the operator."""
        return self.environ[GIVEN_NAMES]

    def check_abort(self):
        """Raise ClientClosedRequest if the client has hung up."""
        hangup.check(self.environ)

    def reader(self):
        """Context manager: a connection that sees one state of the database."""
        return self.database.reader()

    def reports(self):
        """Context manager: a connection that only reads; its data may be moments old.

        Before each statement, the connection raises ClientClosedRequest if the client has hung up.
        """
        return self.database.reports(self.check_abort)

    def single_statement(self):
        """Context manager: a connection for a read that is a single statement."""
        return self.database.single_statement()

    def writer(self):
        """Context manager: a connection whose changes are kept unless an exception is raised."""
        return self.database.writer()

    def path_variable(self, name):
        """Return the value of the variable `name` in the path, as a string.

        Bytes that are not UTF-8, and characters that some database cannot compare, stay quoted as
        in the URL, such as %00.
        No stored identifier contains a percent sign, so such a path names nothing.
        """
        # The arguments are a pair: positional ones, and those with names.
        raw = self.environ[ROUTING_ARGUMENTS][1][name]
        text = raw.encode("latin-1").decode("utf-8", "surrogateescape")
        return _UNREADABLE.sub(_as_in_url, text)

    def json_matching(self, validator):
        """Return the body, parsed from JSON, if `validator` (of schemas/) accepts it.

        The body is read here and not earlier, so that nothing is read from callers without
        permission. Handlers call this before they begin a transaction, so that no lock is held
        while the body is read. When a handler is called again after a conflict, the body is not
        read or parsed again.
        Raises: HTTPBadRequest, including for a body that is truncated or badly chunked; and any
        webob error that the input stream raises.
        """
        text = self._whole_body()
        self.check_abort()
        if BODY not in self.environ:
            body = _parsed(text)
            self.check_json(validator, body)
            self.environ[BODY] = body
        return self.environ[BODY]

    def _whole_body(self):
        """Return the body; this may be called repeatedly. Raises: HTTPException."""
        # Once the body has been read here, it is seekable.
        if not self.is_body_seekable:
            try:
                self.body = self.body_file.read()
            except webob.exc.HTTPException:
                raise
            except Exception as error:
                # Every server has its own exceptions for this, and not all of them are OSErrors.
                raise webob.exc.HTTPBadRequest(
                    "The request body cannot be read: it is truncated or badly chunked."
                ) from error
        return self.body

    def check_json(self, validator, document):
        """Raise HTTPBadRequest with the message of the most relevant violation, if there is any.

        The request log says where the violation is, without quoting the schema.
        """
        try:
            violation = validator.complaint(document)
        except RecursionError as error:
            raise webob.exc.HTTPBadRequest(
                f"{_BAD_BODY}: it is nested too deeply, more than any body that the API takes"
            ) from error
        if violation is not None:
            self.environ[REASON] = f"{_BAD_BODY}: {violation.short}"
            raise webob.exc.HTTPBadRequest(f"{_BAD_BODY}: {violation}")

    def query_matching(self, validator, values=query_string.last):
        """Return the query as a MultiDict, if `validator` (of schemas/) accepts it.

        `values` says which values `validator` sees if a parameter is repeated. A name with a
        character that the database cannot store becomes a name that matches nothing.
        Raises: BadQuery.
        """
        query = self.query
        query_string.check(query, validator, values)
        return self.comparable(query)

    def query_of_version(self, validator_of, values=query_string.last):
        """Like `query_matching`, for queries whose validator depends on the version.

        validator_of: takes the `since` of a version, and returns the validator of that version
        Raises: BadQuery. If only a later version knows a parameter, the log says which one.
        """
        try:
            return self.query_matching(validator_of(self.since), values)
        except exception.UnknownParameter as error:
            later = unknown_parameters.sentence_by_version(error.name, validator_of)
            error.cause = later or error.cause
            raise

    def comparable(self, query):
        """Return a MultiDict of a query with values that the database can compare."""
        return query_string.comparable(query, self._unknown_characters(query))

    @property
    def query(self):
        """The query as a MultiDict, with any parameters. Raises: BadQuery if it is not UTF-8."""
        return query_string.parsed(self.query_string)

    def _unknown_characters(self, query):
        """Return a pattern for the query's characters that nothing in the database can contain.

        What the database can contain is looked up only if it matters for this query.
        """
        # No database stores NUL in a string, and some MySQL databases cannot store characters of
        # four bytes.
        if not any(map(_OF_FOUR_BYTES.search, query.values())):
            return query_string.NUL
        if self.database.has_characters_of_four_bytes():
            return query_string.NUL
        return _IN_NO_IDENTIFIER


def _as_in_url(found):
    return urllib.parse.quote(found[0], errors="surrogateescape")


def _parsed(text):
    """Return the value of JSON, given as bytes. Raises: HTTPBadRequest."""
    # Commas and braces inside strings count, too.
    for sign, (most, parts) in MOST_PARTS.items():
        if text.count(sign) > most:
            raise webob.exc.HTTPBadRequest(f"{_BAD_BODY}: it has more than {most} {parts}")
    try:
        document = orjson.loads(text)
        if _LONG_NUMBER.search(text):
            # orjson comes first because it is stricter. But it turns integers beyond 64 bits into
            # floats, which our messages would then spell differently from the client.
            document = json.loads(text)
    except (ValueError, RecursionError) as error:
        fault = _not_utf8(text) or error
        raise webob.exc.HTTPBadRequest(f"Malformed JSON: {fault}") from error
    # JSON has only one way to write NUL. Few bodies contain it, and only they need the slow check.
    if b"\\u0000" in text and _has_nul(document):
        raise webob.exc.HTTPBadRequest("Malformed JSON: text may not contain U+0000")
    return document


def _not_utf8(text):
    """Return, in words, where bytes are not UTF-8, or None; orjson does not say where."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"byte {error.start} (0x{text[error.start]:02x}) is not UTF-8: {error.reason}"
    return None


def _has_nul(body):
    """Return whether any string or key in parsed JSON contains U+0000."""
    waiting = [body]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and "\0" in value:
            return True
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
    return False
