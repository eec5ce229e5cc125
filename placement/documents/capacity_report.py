"""How full the cloud is, as a document."""

from placement.documents import FORMAT
from placement.objects import capacity_report


def document(found, age=0):
    """Return the document of a CapacityReport; `age` is how many seconds old it is."""
    return FORMAT | {
        "by": found.by,
        "counted": capacity_report.COUNTED[found.by],
        "age": age,
        "hosts": found.hosts,
        "rows": _rows(found),
        "fullest": [_as_json(each) for each in found.fullest],
    }


def _rows(found):
    if found.by not in capacity_report.OWNERS:
        return [_row(each, found.by) for each in found.sums]
    capacities = found.capacities
    return [
        _row(each, found.by) | {"capacity": capacities.get(each.class_name, 0)}
        for each in found.usages
    ]


def _row(each, by):
    shown = _as_json(each)
    group = shown.pop("group")
    return shown if by == capacity_report.BY_CLASS else {by: group} | shown


def _as_json(row):
    shown = row._asdict()
    return {("class" if name == "class_name" else name): value for name, value in shown.items()}
