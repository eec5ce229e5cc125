"""Options that describe a request for allocation candidates -> the pairs of a query string; pure.

osc-placement has most of these options, for `openstack allocation candidate list`. There are more
options here, for parameters of the API that have none there.
Source: doc/how-to/openstack-command.rst.
"""

import argparse
import re
import urllib.parse

from osc_lib import exceptions

# The suffix of the group of the options before the first --group.
_UNSUFFIXED = ""
# The beginning of a query that only names amounts, such as VCPU:4,MEMORY_MB:1024.
_AMOUNTS = re.compile(r"\w+:[^=&]*(&|$)")


def add_arguments(parser):
    """Add the options to a parser."""
    group = parser.add_argument_group("what is requested")
    for name, metavar, text in (
        ("--resource", "<resource_class>=<amount>", "An amount of a class, such as VCPU=4."),
        ("--required", "<trait>", "A required trait, or any of several (commas)."),
        ("--forbidden", "<trait>", "A forbidden trait."),
        ("--member-of", "<aggregate>", "An aggregate, by UUID, or any of several (commas)."),
        ("--not-member-of", "<aggregate>", "A forbidden aggregate, or several (commas)."),
    ):
        group.add_argument(
            name, action=_OfGroup, metavar=metavar, help=f"{text} May be repeated."
        )
    group.add_argument(
        "--in-tree",
        action=_OfGroup,
        metavar="<provider>",
        help="Only providers in the tree of this one, by UUID.",
    )
    group.add_argument(
        "--group",
        action=_NextGroup,
        metavar="<suffix>",
        help="Begin a group of the options above; one provider must satisfy them all. The suffix "
        "is a number, or a word such as _GPU. May be repeated.",
    )
    group.add_argument(
        "--group-policy",
        choices=["none", "isolate"],
        default="none",
        help="Whether groups may have the same provider (none, the default) or not (isolate).",
    )
    for name, metavar, text in (
        ("--same-subtree", "<suffixes>", "Groups (commas) whose providers are in one subtree."),
        ("--root-required", "<trait>", "A trait that the root provider must have."),
        ("--root-forbidden", "<trait>", "A trait that the root provider must not have."),
    ):
        group.add_argument(
            name, action="append", default=[], metavar=metavar, help=f"{text} May be repeated."
        )
    group.add_argument(
        "--query",
        metavar="<query>",
        help="Instead of all these: the URL, or its query string, of a GET /allocation_candidates "
        "in a log, or amounts such as VCPU:4,MEMORY_MB:1024.",
    )


def pairs_of(options):
    """Return the (name, value) pairs of the query. Raises: CommandError."""
    # _OfGroup and _NextGroup set it: {suffix: {name of an option: values}}.
    groups = getattr(options, "groups", {})
    root = [*options.root_required, *(f"!{each}" for each in options.root_forbidden)]
    if options.query is not None:
        if groups or options.same_subtree or root:
            raise exceptions.CommandError(
                "--query cannot be combined with the options that describe a request."
            )
        return urllib.parse.parse_qsl(typed(options.query), keep_blank_values=True)
    if not any("resource" in group for group in groups.values()):
        raise exceptions.CommandError("At least one --resource, or --query, is needed.")
    pairs = [pair for suffix, group in groups.items() for pair in _of_group(suffix, group)]
    if any(suffix != _UNSUFFIXED for suffix in groups):
        pairs.append(("group_policy", options.group_policy))
    pairs += [("same_subtree", each) for each in options.same_subtree]
    if root:
        pairs.append(("root_required", ",".join(root)))
    return pairs


def typed(text):
    """Return the query string that a person means by a URL, a query or only amounts."""
    query = text.rpartition("?")[2]
    return f"resources={query}" if _AMOUNTS.match(query) else query


def pairs_without_limit(options):
    """Return the pairs without `limit`, which nova sends, but some operations refuse."""
    return [pair for pair in pairs_of(options) if pair[0] != "limit"]


def resources(values):
    """Return the value of `resources`, VCPU:4,DISK_GB:1, for arguments such as VCPU=4.

    Raises: CommandError.
    """
    for value in values:
        name, _, amount = value.partition("=")
        if not name or not amount:
            raise exceptions.CommandError(
                f"--resource takes <resource_class>=<amount>, such as VCPU=4, and not {value!r}."
            )
    return ",".join(value.replace("=", ":", 1) for value in values)


def required(traits, forbidden):
    """Return the values of `required`: in:A,B for each choice, and C,!D for all other traits."""
    choices = [f"in:{each}" for each in traits if "," in each]
    others = [each for each in traits if "," not in each] + [f"!{each}" for each in forbidden]
    return choices + ([",".join(others)] if others else [])


def member_of(aggregates, forbidden):
    """Return the values of `member_of`, such as in:A1,A2 and !in:A3."""
    return [f"in:{each}" for each in aggregates] + [f"!in:{each}" for each in forbidden]


def _of_group(suffix, group):
    """Yield the query's pairs for one group; `group` is {name of an option: values}."""
    if "resource" in group:
        yield f"resources{suffix}", resources(group["resource"])
    for value in required(group.get("required", []), group.get("forbidden", [])):
        yield f"required{suffix}", value
    for value in member_of(group.get("member_of", []), group.get("not_member_of", [])):
        yield f"member_of{suffix}", value
    for value in group.get("in_tree", []):
        yield f"in_tree{suffix}", value


class _OfGroup(argparse.Action):
    """Adds a value to the group that the last --group began."""

    def __call__(self, parser, options, value, option_string=None):
        groups = vars(options).setdefault("groups", {_UNSUFFIXED: {}})
        last = groups[next(reversed(groups))]
        last.setdefault(self.dest, []).append(value)


class _NextGroup(argparse.Action):
    """Begins a group with the suffix that --group names."""

    def __call__(self, parser, options, value, option_string=None):
        groups = vars(options).setdefault("groups", {_UNSUFFIXED: {}})
        if value in groups:
            parser.error(f"argument --group: there are two groups {value!r}")
        groups[value] = {}
