"""openstack allocation candidate fit mix.

Source: doc/how-to/fit.rst.
"""

import json
import re

from osc_lib import exceptions

from osc_placement_server import candidate_query, report, service


class CountMix(report.Report):
    """Count how many of several requests could be claimed together.

    The file has a request on each line: a name, how many are wanted, and amounts or a query for
    allocation candidates. Lines that begin with # are comments. Nothing is claimed. Each row is a
    request, with how many of it fit and what stops more. The largest request is claimed first.

      web  40  VCPU:2,MEMORY_MB:4096
      db    3  resources=VCPU:16&required=STORAGE_DISK_SSD

    Would they fit if compute-7 were drained?

      $ openstack allocation candidate fit mix --exclude compute-7 flavors.txt

    A file with JSON for POST /operator/fit is sent unchanged. The exit status is 0 if all fit, and
    1 otherwise.
    """

    path = "/operator/fit"
    views = ("requests",)

    def add_arguments(self, parser):
        parser.add_argument("file", metavar="<file>", help="The file with the requests.")
        parser.add_argument(
            "--exclude",
            action="append",
            default=[],
            metavar="<host>",
            help="What if this host, by UUID or name, were drained? May be repeated.",
        )

    def query(self, options):
        return []

    def ask(self, options):
        # The requests are in a body, not in a query.
        body = body_of(options.file, _read(options.file))
        if options.exclude:
            body["exclude"] = [*body.get("exclude", ()), *options.exclude]
        return service.post(self.app, self.path, body)

    def sentences(self, document):
        wanted = sum(each["count"] for each in document["requests"])
        fit = sum(each["fit"] for each in document["requests"])
        return [f"All {wanted:,} fit." if document["all"] else f"{fit:,} of {wanted:,} fit."]

    def is_well(self, document):
        return document["all"]

    def show_requests(self, document, options):
        columns = ("name", "count", "fit", "claim_order", "stopped_by", "query")

        def stopped_by(request):
            hosts = request["stopped_by"].items()
            return ", ".join(f"{document['reasons'][name]} ({n:,})" for name, n in hosts)

        return report.table(document["requests"], columns, stopped_by=stopped_by)


def _read(path):
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise exceptions.CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise exceptions.CommandError(f"{path} is not UTF-8.") from error


def body_of(path, text):
    """Return the body to send for the `text` of the file at `path`. Raises: CommandError."""
    if not text.lstrip().startswith("{"):
        numbered = enumerate(text.splitlines(), 1)
        lines = [(number, line.strip()) for number, line in numbered]
        requests = [
            _request(path, number, line)
            for number, line in lines
            if line and not line.startswith("#")
        ]
        if not requests:
            raise exceptions.CommandError(f"{path} has no requests.")
        return {"requests": requests}
    try:
        return json.loads(text)
    except RecursionError as error:
        raise exceptions.CommandError(f"{path} is nested too deeply.") from error
    except ValueError as error:
        raise exceptions.CommandError(f"{path} is not JSON: {error}.") from error


def _request(path, number, line):
    """Return the member of the body for a line of the file. Raises: CommandError."""
    words = line.split(maxsplit=2)
    # Python would refuse to read a number with thousands of digits.
    if len(words) < 3 or not re.fullmatch("[0-9]{1,18}", words[1]):
        raise exceptions.CommandError(
            f"{path}, line {number}: expected a name, a number, and a query, such as "
            "'web 40 VCPU:2,MEMORY_MB:4096'."
        )
    name, count, query = words
    return {"name": name, "count": int(count), "query": candidate_query.typed(query)}
