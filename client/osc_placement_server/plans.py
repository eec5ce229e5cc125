"""openstack resource provider evacuation show, and openstack placement survival show."""

from osc_placement_server import host_names, report


class ShowEvacuation(report.Report):
    """Show whether hosts can be emptied, and where each consumer would go.

    All consumers on the hosts need a place elsewhere at the same time. Nothing
    is moved. Each row is a consumer, with the host to which it would go, or why there
    is no place for it.

    Can compute-7 be emptied, if the traits of the processor must stay the same?

      $ openstack resource provider evacuation show compute-7 --keep 'HW_CPU_*'

    What would each consumer hold afterwards, if a whole rack were emptied?

      $ openstack resource provider evacuation show --show allocations \\
          --aggregate 538ae1f5-81ce-5dd4-850b-6d1a7ce1cd06

    The exit status is 0 if all of them find a place, and 1 otherwise.
    """

    path = "/operator/evacuation"
    views = ("consumers", "allocations")

    def add_arguments(self, parser):
        parser.add_argument("host", nargs="*", metavar="<host>", help="A host, by UUID or name.")
        for name, metavar, text in (
            ("--aggregate", "<aggregate>", "All hosts in an aggregate, by UUID."),
            ("--keep", "<traits>", "Traits, as a pattern, that the new provider must have, too."),
        ):
            parser.add_argument(
                name,
                action="append",
                default=[],
                metavar=metavar,
                help=f"{text} May be repeated.",
            )
        parser.add_argument(
            "--same-aggregate",
            action="store_true",
            help="Consumers stay in one of the aggregates of their provider.",
        )

    def query(self, options):
        pairs = [(name, each) for name in _REPEATED for each in getattr(options, name)]
        return [*pairs, ("same_aggregate", "true")] if options.same_aggregate else pairs

    def sentences(self, document):
        return [document["summary"], *document["notes"]]

    def is_well(self, document):
        return document["possible"]

    def show_consumers(self, document, options):
        columns = ("uuid", "consumer_type", "project_id", "to", "why")
        return report.table(document["consumers"], columns, to=_to)

    def show_allocations(self, document, options):
        columns = ("uuid", "generation", "to", "provider", "resource_class", "amount")
        allocations = [
            consumer | {"provider": provider, "resource_class": class_name, "amount": amount}
            for consumer in document["consumers"]
            for provider, held in (consumer["allocations"] or {}).items()
            for class_name, amount in held["resources"].items()
        ]
        return report.table(allocations, columns, to=_to)


_REPEATED = ("host", "aggregate", "keep")


def _to(consumer):
    """Return the name of the host that a consumer would go to, or None."""
    return consumer["to"] and host_names.of(consumer["to"])


class ShowSurvival(report.Report):
    """Show which hosts, or aggregates, cannot be spared.

    Each row is a host whose consumers would not all find a place elsewhere if it alone were lost:
    'left' of its 'consumers' would find none.

    Which racks cannot be spared, if each is an aggregate?

      $ openstack placement survival show --by aggregate

    The exit status is 0 if each of them could be lost, and 1 otherwise.
    """

    path = "/operator/survival"
    views = ("lost",)

    def add_arguments(self, parser):
        parser.add_argument(
            "--by",
            default="host",
            metavar="<group>",
            help="What is lost: a host (the default), or an aggregate with all its hosts.",
        )

    def query(self, options):
        return [("by", options.by)]

    def sentences(self, document):
        return [document["summary"], *document["notes"]]

    def is_well(self, document):
        return not document["lost"]

    def show_lost(self, document, options):
        columns = ("name", "uuid", "consumers", "left")
        return report.table(document["lost"], columns, name=host_names.of)
