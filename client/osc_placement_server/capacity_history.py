"""openstack resource provider capacity history."""

import datetime

from osc_placement_server import report, text

_SPARKLINE_WIDTH = 40


class ShowCapacityHistory(report.Report):
    """Show how full the cloud was, and when it would be full.

    Each row is a resource class, with the share that was used, as a line of small
    bars; the least, the most and the last share, in percent; and when all of it
    would be used at this pace.

    How full was the cloud in the last eight weeks?

      $ openstack resource provider capacity history --since 8w

    What was used each day, for a spreadsheet?

      $ openstack resource provider capacity history --show samples --step 1d -f csv
    """

    path = "/operator/capacity/history"
    views = ("classes", "samples")

    def add_arguments(self, parser):
        parser.add_argument(
            "--since",
            default="30d",
            metavar="<time>",
            help="How far to look back, such as 48h, 30d or 8w (30d).",
        )
        parser.add_argument(
            "--step",
            metavar="<time>",
            help="Take only the last sample in each step of this length, such as 1d.",
        )

    def query(self, options):
        pairs = [("since", options.since), ("step", options.step)]
        return [(name, value) for name, value in pairs if value is not None]

    def sentences(self, document):
        return [] if document["rows"] else ["No samples were stored in this period."]

    def show_classes(self, document, options):
        columns = ("resource_class", "used", "least", "most", "now", "forecast")
        rows = [_row(each, document["since"]) for each in document["rows"]]
        return columns, rows

    def show_samples(self, document, options):
        columns = (
            *("at", "resource_class", "used", "capacity", "largest_free"),
            *("providers", "full", "hosts"),
        )
        samples = [
            sample | {"resource_class": each["class"]}
            for each in document["rows"]
            for sample in each["samples"]
        ]
        return report.table(samples, columns)


def _row(each, since):
    """Return the cells for the history of a class; its sparkline begins at the moment `since`."""
    shares = [(_moment(sample["at"]), _share(sample)) for sample in each["samples"]]
    numbers = [share for _, share in shares]
    least, most, newest = min(numbers), max(numbers), numbers[-1]
    return [
        each["class"],
        text.sparkline(
            _averages(shares, _moment(since), shares[-1][0], _SPARKLINE_WIDTH), most
        ),
        *(round(100 * number) for number in (least, most, newest)),
        each["summary"],
    ]


def _moment(shown):
    return datetime.datetime.fromisoformat(shown)


def _share(sample):
    """Return the share of the capacity that is used.

    If the capacity is 0, each used unit counts as 100 %.
    """
    used, capacity = sample["used"], sample["capacity"]
    return used / capacity if capacity > 0 else used


def _averages(shares, begin, end, parts):
    """Return the average of [(moment, share)] in each of the equal parts of a period.

    None for a part without samples.
    """
    shares_by_part = [[] for _ in range(parts)]
    length = (end - begin).total_seconds()
    for moment, share in shares:
        # The period may consist of one moment.
        part = int((moment - begin).total_seconds() / length * parts) if length else 0
        # The end itself belongs to the last part.
        shares_by_part[min(part, parts - 1)].append(share)
    return [sum(in_part) / len(in_part) if in_part else None for in_part in shares_by_part]
