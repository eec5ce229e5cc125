"""openstack resource provider whole list."""

from cliff import columns

from osc_placement_server import candidate_query, report


class ListWholeProviders(report.Report):
    """List resource providers with everything they have.

    One request replaces several for each provider, and shows all providers at one moment. In the
    column 'inventories', VCPU=2/32 means that 2 of a capacity of 32 are used; with -f json, it has
    all fields of each inventory.

    Which providers in an aggregate have an SSD, and how full are they?

      $ openstack resource provider whole list --required STORAGE_DISK_SSD \\
          --member-of 538ae1f5-81ce-5dd4-850b-6d1a7ce1cd06

    Who uses the host compute-7?

      $ openstack resource provider whole list --show allocations --name compute-7
    """

    path = "/operator/providers"
    views = ("providers", "inventories", "allocations")

    def add_arguments(self, parser):
        parser.add_argument(
            "--long", action="store_true", help="Show traits and aggregates of providers, too."
        )
        chosen = parser.add_argument_group("which providers")
        chosen.add_argument("--uuid", metavar="<uuid>", help="The one with this UUID.")
        chosen.add_argument("--name", metavar="<name>", help="The one with this name.")
        chosen.add_argument(
            "--in-tree", metavar="<provider>", help="Those in the tree of a provider, by UUID."
        )
        for name, metavar, text in (
            ("--resource", "<resource_class>=<amount>", "Those that have room for this."),
            ("--required", "<trait>", "Those with a trait, or any of several (commas)."),
            ("--forbidden", "<trait>", "Those without a trait."),
            ("--member-of", "<aggregate>", "Those in an aggregate, or any of several (commas)."),
            ("--not-member-of", "<aggregate>", "Those in none of these aggregates (commas)."),
        ):
            chosen.add_argument(
                name,
                action="append",
                default=[],
                metavar=metavar,
                help=f"{text} May be repeated.",
            )

    def query(self, options):
        given = [(name, getattr(options, name)) for name in ("uuid", "name", "in_tree")]
        pairs = [(name, value) for name, value in given if value is not None]
        if options.resource:
            pairs.append(("resources", candidate_query.resources(options.resource)))
        traits = candidate_query.required(options.required, options.forbidden)
        pairs += [("required", each) for each in traits]
        aggregates = candidate_query.member_of(options.member_of, options.not_member_of)
        pairs += [("member_of", each) for each in aggregates]
        return [*pairs, ("consumers", "true")] if options.show == "allocations" else pairs

    def show_providers(self, document, options):
        names = (
            *("uuid", "name", "generation", "root_provider_uuid", "parent_provider_uuid"),
            *(("inventories", "traits", "aggregates") if options.long else ("inventories",)),
        )
        return report.table(
            document["resource_providers"],
            names,
            inventories=lambda provider: Inventories(provider["inventories"]),
            traits=lambda provider: Names(provider["traits"]),
            aggregates=lambda provider: Names(provider["aggregates"]),
        )

    def show_inventories(self, document, options):
        names = (
            *("name", "uuid", "resource_class", "used", "capacity", "total", "reserved"),
            *("allocation_ratio", "min_unit", "max_unit", "step_size"),
        )
        inventories = [
            provider | inventory | {"resource_class": class_name}
            for provider in document["resource_providers"]
            for class_name, inventory in provider["inventories"].items()
        ]
        return report.table(inventories, names)

    def show_allocations(self, document, options):
        names = (
            *("name", "uuid", "consumer_uuid", "resource_class", "used"),
            *("consumer_generation", "consumer_type", "project_id", "user_id", "created_at"),
        )
        allocations = [
            provider
            | allocation
            | {"consumer_uuid": consumer, "resource_class": class_name, "used": used}
            for provider in document["resource_providers"]
            for consumer, allocation in provider["allocations"].items()
            for class_name, used in allocation["resources"].items()
        ]
        return report.table(allocations, names)


class Inventories(columns.FormattableColumn):
    """{class: inventory}; tables show a line for each class."""

    def human_readable(self):
        return "\n".join(
            f"{name}={inventory['used']}/{inventory['capacity']}"
            for name, inventory in self._value.items()
        )


class Names(columns.FormattableColumn):
    """A list of names; tables show a line for each name."""

    def human_readable(self):
        return "\n".join(self._value)
