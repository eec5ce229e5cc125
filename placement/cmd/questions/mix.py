"""placement-manage fit --mix FILE: how many of several requests could be claimed together.

Source: doc/how-to/fit.rst.
"""

import json
import re

from placement.candidates.fits import mix
from placement.cmd import display, layout, listing, mistakes, searching
from placement.conf import bounded_file
from placement.documents import fit as fit_document
from placement.microversion import newest
from placement.queries import mix_query, query_string

_BAR_WIDTH = 30


def run(configuration):
    """Print how many fit; return the exit status: 0 if all do, 1 if not.

    Raises: Mistake, CannotConnect.
    """
    options = configuration.category
    _check_alone(options)
    body = body_of(options.mix, _read(options.mix))
    complaint = mix_query.BODY.complaint(body)
    if complaint is not None:
        raise mistakes.Mistake(f"{options.mix}: {complaint.short}")
    body["exclude"] = [*body.get("exclude", ()), *options.exclude]
    effort = searching.effort_for(configuration)
    with mistakes.of_query():
        question = mix_query.read(body, since=newest, comparable=_comparable)
        with searching.connection(configuration) as conn:
            # Only old versions of the API limit a candidate to one provider of each tree.
            found = mix.count(conn, question, one_provider_per_tree=False, effort=effort)
    document = fit_document.mix(question, found)
    if options.json:
        print(json.dumps(document, indent=2))
    else:
        _print(document)
    return 0 if document["all"] else 1


def _check_alone(options):
    others = {
        "a query": options.query,
        "--ratio": options.ratio,
        "--add": options.add,
        "--bound": options.bound,
        "--top": options.top,
        listing.ROWS: listing.is_wanted(options),
    }
    for name, value in others.items():
        # An empty value is a mistake, too.
        if value not in (None, [], False):
            raise mistakes.Mistake(
                f"--mix cannot be combined with {name}, only with --exclude and --json."
            )


def _comparable(query):
    """Return a MultiDict with values that every database can compare."""
    return query_string.comparable(query, query_string.NUL)


def _read(path):
    with mistakes.of_file(path), open(path, encoding="utf-8-sig") as file:
        return file.read()


def body_of(path, text):
    """Return the request body for the text of a file, which is JSON or has a line for each request.

    Raises: Mistake.
    """
    if not text.lstrip().startswith("{"):
        requests = [_request(path, number, line) for number, line in _lines(text)]
        if not requests:
            raise mistakes.Mistake(f"{path} has no requests.")
        return {"requests": requests}
    try:
        return bounded_file.parsed(text, path)
    except bounded_file.UnreadableFile as error:
        raise mistakes.Mistake(error) from error


def _lines(text):
    """Return [(number, line)] without empty lines and comments."""
    numbered = enumerate(map(str.strip, text.splitlines()), start=1)
    return [(number, line) for number, line in numbered if line and not line.startswith("#")]


def _request(path, number, line):
    """Return the member of `requests` that a line of the file stands for. Raises: Mistake."""
    words = line.split(maxsplit=2)
    # Python would refuse to read a number with thousands of digits.
    if len(words) < 3 or not re.fullmatch("[0-9]{1,18}", words[1]):
        raise mistakes.Mistake(
            f"{path}, line {number}: expected a name, a number, and a query, such as "
            "'web 40 VCPU:2,MEMORY_MB:4096'."
        )
    name, count, query = words
    request = {"name": name, "count": int(count), "query": query_string.interpret(query)}
    complaint = mix_query.REQUEST.complaint(request)
    if complaint is not None:
        raise mistakes.Mistake(f"{path}, line {number}: {complaint.short}.")
    return request


def _print(document):
    requests = document["requests"]
    fit, total = (sum(request[key] for request in requests) for key in ("fit", "count"))
    summary = f"{fit:,} of {total:,} fit." if fit < total else f"All {total:,} fit."
    print(display.coloured(summary, "bold"))
    rows = [
        [
            request["name"],
            f"{request['fit']:,} of {request['count']:,}",
            display.Bar(request["fit"], request["count"], _BAR_WIDTH, is_share=True),
            _stops(request, document),
        ]
        for request in requests
    ]
    print(f"\n{layout.columns(rows, align='lrll', header=['Request', 'Fit', '', 'Stopped by'])}")


def _stops(request, document):
    """Return in words what stops a request, each cause with a number of hosts."""
    return ", ".join(
        f"{document['reasons'][name]} ({hosts:,})" for name, hosts in request["stopped_by"].items()
    )
