"""How full the cloud is, as a document."""

from placement.documents import FORMAT
from placement.objects import capacity_report


def document(report, age=0):
    """Return the document of a CapacityReport; `age` is its age in seconds."""
    return FORMAT | {
        "by": report.by,
        "counted": capacity_report.COUNTED[report.by],
        "age": age,
        "hosts": report.host_count,
        "rows": _rows(report),
        "fullest": [_as_json(fill) for fill in report.fullest],
    }


def _rows(report):
    """Return a row for each Sum, or for each OwnerUsage of a report by project or consumer type."""
    if report.by not in capacity_report.OWNERS:
        return [_row(row, report.by) for row in report.sums]
    capacities = report.capacities
    return [
        _row(row, report.by) | {"capacity": capacities.get(row.class_name, 0)}
        for row in report.usages
    ]


def _row(row, by):
    """Return the document of a Sum or an OwnerUsage; its group, if it has one, has the key `by`."""
    shown = _as_json(row)
    group = shown.pop("group")
    return shown if by == capacity_report.BY_CLASS else {by: group} | shown


def _as_json(row):
    shown = row._asdict()
    return {("class" if name == "class_name" else name): value for name, value in shown.items()}
