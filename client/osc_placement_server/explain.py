"""openstack allocation candidate explain."""

from osc_placement_server import candidate_query, host_names, report


class ExplainCandidates(report.Report):
    """Explain why a request for allocation candidates finds few, or none.

    The request is given as for 'openstack allocation candidate list'. Each row is one of its
    constraints: 'fail' counts the hosts that do not meet it, 'only' those that meet all the others
    but not this one, and 'left' those that meet it and all constraints above it. A host is a root
    provider with its tree.

    Why does no host have room for 64 processors and an SSD?

      $ openstack allocation candidate explain \\
          --resource VCPU=64 --required STORAGE_DISK_SSD

    What did nova ask for, according to a log, and which single change would help?

      $ openstack allocation candidate explain --show changes \\
          --query 'resources=VCPU:64&required=STORAGE_DISK_SSD&limit=1000'

    The exit status is 0 if there are candidates, and 1 otherwise.
    """

    path = "/operator/explanation"
    views = ("constraints", "closest", "changes")

    def add_arguments(self, parser):
        candidate_query.add_arguments(parser)
        parser.add_argument(
            "--host",
            metavar="<host>",
            help="Explain only this host: its UUID or name, or those of a provider in its tree.",
        )
        parser.add_argument(
            "--top",
            metavar="<number>",
            help="With --show closest, how many hosts to show, up to 100 (10).",
        )

    def query(self, options):
        pairs = candidate_query.pairs_of(options)
        pairs.append(("closest", report.of_view("top", options, default="10", view="closest")))
        return [*pairs, ("host", options.host)] if options.host is not None else pairs

    def sentences(self, document):
        return [document["summary"]]

    def is_well(self, document):
        return document["candidates"] > 0

    def show_constraints(self, document, options):
        columns = ("group", "constraint", "value", "fail", "only", "left")
        return report.table(document["constraints"], columns, group=_group)

    def show_closest(self, document, options):
        columns = ("name", "uuid", "group", "constraint", "value", "reason", "provider")
        unmet = [
            each | {"name": host_names.of(host), "uuid": host["uuid"]}
            for host in document["closest"]
            for each in host["unmet"]
        ]
        return report.table(unmet, columns, group=_group, reason=_reason, provider=_provider)

    def show_changes(self, document, options):
        columns = ("group", "constraint", "value", "change", "also", "hosts", "example", "query")
        return report.table(
            document["relaxations"],
            columns,
            group=_group,
            change=_change,
            also=_other_changes,
            example=_example,
        )


def _group(constraint):
    """Return the suffix of a constraint's group, if it belongs to a single group."""
    return constraint["group"] or ""


def _reason(unmet):
    """Return why a resource does not fit, or ""; the names of other constraints say enough."""
    return unmet.get("reason", "")


def _provider(unmet):
    """Return the name of the closest provider, if there is only one."""
    return unmet["provider"]["name"] if "provider" in unmet else ""


def _change(change):
    return f"ask for {change['instead']}" if change["instead"] else "drop it"


def _other_changes(relaxation):
    """Return what else must change, such as "resources VCPU:64: ask for VCPU:32"."""
    return "; ".join(
        f"{each['constraint']}{_group(each)} {each['value']}: {_change(each)}"
        for each in relaxation["also"]
    )


def _example(relaxation):
    return host_names.of(relaxation["example"])
