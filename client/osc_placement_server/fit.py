"""openstack allocation candidate fit."""

from osc_placement_server import candidate_query, host_names, report


class CountFits(report.Report):
    """Count how often a request could be claimed, and what stops it.

    The request is given as for 'openstack allocation candidate list'. Nothing is
    claimed. Each row is a host, which is a root provider with its tree, with how
    often the request fits there, and what stops one more.

    How many more instances of a flavor would fit if compute-7 were drained?

      $ openstack allocation candidate fit --exclude compute-7 \\
          --resource VCPU=4 --resource MEMORY_MB=8192

    The exit status is 0 if it fits at least once, and 1 otherwise.
    """

    path = "/operator/fit"
    views = ("hosts", "times", "reasons", "stranded")

    def add_arguments(self, parser):
        candidate_query.add_arguments(parser)
        what_if = parser.add_argument_group("what if, without a change")
        for name, metavar, text in (
            ("--exclude", "<host>", "this host, by UUID or name, were drained?"),
            ("--ratio", "<resource_class>=<ratio>", "a class had this allocation ratio?"),
            ("--add", "<host>=<number>", "there were more empty hosts like this one?"),
        ):
            what_if.add_argument(
                name,
                action="append",
                default=[],
                metavar=metavar,
                help=f"What if {text} May be repeated.",
            )
        parser.add_argument("--bound", metavar="<number>", help="Stop counting at this number.")
        parser.add_argument(
            "--top",
            metavar="<number>",
            help="How many hosts to show, up to 100,000 (20).",
        )

    def query(self, options):
        pairs = candidate_query.pairs_without_limit(options)
        pairs += [("exclude", each) for each in options.exclude]
        pairs += [("ratio", _with_colon(each)) for each in options.ratio]
        pairs += [("add", _with_colon(each)) for each in options.add]
        if options.bound is not None:
            pairs.append(("bound", options.bound))
        return [*pairs, ("top", report.of_view("top", options, default="20", view="hosts"))]

    def sentences(self, document):
        hosts = sum(document["hosts_by_fit"].values())
        return [*map(_unknown, document["unknown"]), _summary(document["fit"], hosts)]

    def is_well(self, document):
        return document["fit"] > 0

    def show_hosts(self, document, options):
        return report.table(
            document["hosts"],
            ("name", "uuid", "fit", "stopped_by"),
            name=host_names.of,
            stopped_by=lambda host: document["reasons"].get(host["stopped_by"], "the bound"),
        )

    def show_times(self, document, options):
        hosts = document["hosts_by_fit"].items()
        return ("fit", "hosts"), [(int(times), number) for times, number in hosts]

    def show_reasons(self, document, options):
        hosts = document["stopped_by"].items()
        return ("stopped_by", "hosts"), [(document["reasons"][name], n) for name, n in hosts]

    def show_stranded(self, document, options):
        return ("resource_class", "free"), list(document["stranded"].items())


def _summary(fit, hosts):
    if not fit:
        return "It does not fit anywhere."
    return f"It fits {_counted(fit, 'time')}, on {_counted(hosts, 'host')}."


def _counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _with_colon(value):
    """Return CLASS:RATIO for CLASS=RATIO; the name of a host may contain an equals sign."""
    return ":".join(value.rsplit("=", 1))


def _unknown(name):
    """Return a sentence about an unknown name in the query, and what was probably meant."""
    suggestions = " or ".join(name["suggestions"])
    likely = f"; did you mean {suggestions}?" if suggestions else "."
    return f"No {name['kind']} is called {name['name']}{likely}"
