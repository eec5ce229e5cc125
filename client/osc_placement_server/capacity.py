"""openstack resource provider capacity."""

from osc_placement_server import report


class ShowCapacity(report.Report):
    """Show how full the cloud is.

    Each row sums up a resource class over all providers, or over those in an aggregate or with a
    trait. 'capacity' is what can be allocated, 'largest_free' the most that a single provider has
    left, and 'full' the number of providers that have nothing left. With --by project or --by
    consumer_type, each row sums up what the consumers of one project or type use, beside the
    capacity of all providers.

    In which aggregate are most of the processors used?

      $ openstack resource provider capacity --by aggregate \\
          --sort-column percent --sort-descending

    Which projects use the most?

      $ openstack resource provider capacity --by project

    Which inventories are the fullest?

      $ openstack resource provider capacity --show fullest --top 5
    """

    path = "/operator/capacity"
    views = ("sums", "fullest")

    def add_arguments(self, parser):
        parser.add_argument(
            "--by",
            metavar="<group>",
            help="With --show sums, sum up all providers (class, the default), those in each "
            "aggregate or with each trait, or what each project or consumer_type uses.",
        )
        parser.add_argument(
            "--top",
            metavar="<number>",
            help="With --show fullest, how many inventories to show, up to 1,000 (20).",
        )

    def query(self, options):
        return [
            ("by", report.of_view("by", options, default="class", view="sums")),
            ("top", report.of_view("top", options, default="20", view="fullest")),
        ]

    def sentences(self, document):
        said = [f"Hosts: {document['hosts']:,}"]
        if document["by"] != "class":
            # A service of an older release does not have this field.
            said.append(document.get("counted", "A provider counts in each of its groups."))
        if document["age"]:
            said.append(f"These sums are {document['age']} seconds old.")
        return said

    def show_sums(self, document, options):
        group = () if document["by"] == "class" else (document["by"],)
        if document["by"] in _OWNERS:
            columns = (*group, "resource_class", "used", "percent", "capacity", "consumers")
            return report.table(document["rows"], columns, **_COMPUTED)
        columns = (
            *(*group, "resource_class", "used", "percent", "capacity", "total", "reserved"),
            *("largest_free", "providers", "full"),
        )
        return report.table(document["rows"], columns, **_COMPUTED)

    def show_fullest(self, document, options):
        columns = ("name", "uuid", "resource_class", "used", "percent", "capacity")
        return report.table(document["fullest"], columns, **_COMPUTED)


# Groups of consumers; all others are groups of providers.
_OWNERS = ("project", "consumer_type")


def _percent(row):
    """Return the percentage of a capacity that is used; None if the capacity is 0."""
    return round(100 * row["used"] / row["capacity"]) if row["capacity"] > 0 else None


_COMPUTED = {"resource_class": lambda row: row["class"], "percent": _percent}
