"""GET /operator/capacity."""

from placement import schemas
from placement.handlers.checks import answer_is_json, authorized
from placement.handlers.response import respond
from placement.objects import fullness

TOP = 20
QUERY = schemas.capacity.query(fullness.GROUPINGS)


@answer_is_json
@authorized("placement:operator:read")
def show(req):
    """GET /operator/capacity: how full the cloud is.

    For each resource class, and with by=aggregate or by=trait for each class in each of those, what
    there is and how much of it is used. A provider in two aggregates, or with two traits, counts in
    both.

    Source: doc/how-to/capacity.rst.
    """
    query = req.query_matching(QUERY)
    with req.database.reports() as conn:
        found = fullness.measure(conn, query.get("by", "class"), int(query.get("top", TOP)))
    return respond(200, document(found))


def document(found):
    """Return the JSON of a Fullness."""
    return {
        "format": 1,
        "by": found.by,
        "hosts": found.hosts,
        "rows": [_row(each, found.by) for each in found.sums],
        "fullest": [_as_json(each) for each in found.fullest],
    }


def _row(each, by):
    shown = _as_json(each)
    group = shown.pop("group")
    return shown if by == "class" else {by: group} | shown


def _as_json(row):
    shown = row._asdict()
    return {("class" if name == "class_name" else name): value for name, value in shown.items()}
