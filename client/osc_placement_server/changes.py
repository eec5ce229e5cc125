"""openstack placement change list."""

from osc_placement_server import report


class ListChanges(report.Report):
    """List what was changed, when, and by whom, the newest first.

    Each row is a write of one subject: a provider, its inventories, traits or
    aggregates, the allocations of a consumer, a resource class or a trait.

    What happened to the host compute-7, and all below it, in the last twelve hours?

      $ openstack placement change list --tree compute-7 --since 12h

    Who deleted the allocations of an instance?

      $ openstack placement change list \\
          --consumer 41d8a6f2-6c1f-4a3d-9d41-5b0f1a2c3d4e --since 30d

    The exit status is 0 if something was changed, and 1 otherwise.
    """

    path = "/operator/changes"
    views = ("changes", "states")

    def add_arguments(self, parser):
        parser.add_argument(
            "--since",
            default="1d",
            metavar="<time>",
            help="How far to look back, such as 48h, 30d or 8w (1d), or a time in UTC, such as "
            "2026-01-05T08:30Z.",
        )
        for name, metavar, meaning in (
            ("--until", "<time>", "Only changes before this time in UTC."),
            ("--kind", "<kind>", "Only changes of this kind, such as allocations."),
            ("--provider", "<provider>", "Only this provider, by UUID or name."),
            ("--tree", "<provider>", "The tree of this provider, by UUID or name."),
            ("--consumer", "<uuid>", "Only this consumer."),
            ("--project", "<project>", "Only consumers of this project, by its id."),
            ("--actor", "<user>", "Only changes by this user, by id."),
        ):
            parser.add_argument(name, metavar=metavar, help=meaning)
        parser.add_argument(
            "--limit",
            default="1000",
            metavar="<number>",
            help="How many to list, up to 10,000 (1,000).",
        )
        parser.add_argument(
            "--long",
            action="store_true",
            help="Show requests, operations and UUIDs, too.",
        )

    def query(self, options):
        names = (
            *("since", "until", "kind", "provider", "tree", "consumer", "project", "actor"),
            "limit",
        )
        given = [(name, getattr(options, name)) for name in names]
        pairs = [(name, value) for name, value in given if value is not None]
        return [*pairs, ("order", "newest"), ("sentences", "true")]

    def sentences(self, document):
        if not document["changes"]:
            return ["Nothing was changed."]
        if document["next"] is not None:
            return ["There may be older ones: raise --limit, or set an end with --until."]
        return []

    def is_well(self, document):
        return bool(document["changes"])

    def show_changes(self, document, options):
        columns = ("at", "actor", "kind", "name", "change")
        if options.long:
            columns = (*columns, "uuid", "operation", "request_id", "position")
        return report.table(
            document["changes"], columns, actor=_actor, name=_name, change=_sentence
        )

    def show_states(self, document, options):
        columns = ("at", "actor", "kind", "name", "before", "after", "uuid", "request_id")
        return report.table(document["changes"], columns, actor=_actor, name=_name)


def _actor(change):
    """Return the user who sent the request; without one, what made the change, such as command."""
    actor = change["actor"] or {}
    return actor.get("user_id") or change["by"]


def _name(change):
    return change["name"] or change["uuid"]


def _sentence(change):
    return "".join(piece["text"] for piece in change["sentence"])
