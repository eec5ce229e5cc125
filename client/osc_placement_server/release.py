"""openstack allocation candidate release show."""

from osc_placement_server import candidate_query, host_names, report


class ShowRelease(report.Report):
    """Show which consumers would have to go to make room for a request.

    The request is given as for 'openstack allocation candidate list'. Nothing is
    removed. The rows of a host are the fewest consumers whose removal would make room
    there. Hosts where the fewest would have to go come first.

    Which instances stand in the way of 64 processors on one host?

      $ openstack allocation candidate release show \\
          --resource VCPU=64 --of INSTANCE

    The exit status is 0 if the request already fits, and 1 otherwise.
    """

    path = "/operator/release"
    views = ("consumers", "hosts")

    def add_arguments(self, parser):
        candidate_query.add_arguments(parser)
        parser.add_argument(
            "--of",
            metavar="<type_or_project>",
            help="Only consumers of this type, or of this project, may go.",
        )
        parser.add_argument(
            "--top",
            default="10",
            metavar="<number>",
            help="How many hosts to show, up to 1,000 (10).",
        )

    def query(self, options):
        pairs = candidate_query.pairs_without_limit(options)
        if options.of is not None:
            pairs.append(("of", options.of))
        return [*pairs, ("top", options.top)]

    def sentences(self, document):
        if document["complete"]:
            return [document["summary"]]
        return [document["summary"], "The search ended early: there may be more such hosts."]

    def is_well(self, document):
        return document["fits"] > 0

    def show_consumers(self, document, options):
        columns = ("host", "consumer", "consumer_type", "project_id", "user_id")
        consumers = [
            each | {"host": host_names.of(host), "consumer": each["uuid"]}
            for host in document["hosts"]
            for each in host["consumers"]
        ]
        return report.table(consumers, columns)

    def show_hosts(self, document, options):
        return report.table(
            document["hosts"],
            ("name", "uuid", "consumers"),
            name=host_names.of,
            consumers=lambda host: len(host["consumers"]),
        )
