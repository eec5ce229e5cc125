"""Query parameters and path variables: what they mean, and what their values look like.

A schema in schemas/ says which parameters there are. For most of them, it does not say what their
values look like, because queries/grammar.py checks that. Here, such values get a pattern.
"""

import re

from placement import schemas
from placement.microversion import version_flags
from placement.objects.capacity_history import past_capacity
from placement.objects.feed import reading
from placement.queries import fit_query
from placement.schemas import annotations, common, meanings

# A key of patternProperties, a parameter with or without a suffix: ^resources([1-9][0-9]*)?$
_GROUP_KEY = re.compile(r"\^(\w+)(\(.+\))\?\$")

_PATH_VARIABLES = {
    "uuid": "The UUID of a resource provider.",
    "resource_class": meanings.CLASS,
    "name": "The name of the trait, or of the resource class.",
    "consumer_uuid": "The UUID of a consumer.",
}


def path_variable(name, example=None, schema=None):
    """Return the parameter for a variable of a path, with its schema if it has one."""
    if schema is None:
        schema = {"type": "string", "minLength": 1}
        if name.endswith("uuid"):
            schema["format"] = "uuid"
    parameter = {
        "name": name,
        "in": "path",
        "required": True,
        "description": _PATH_VARIABLES[name],
        "schema": schema,
    }
    return parameter | ({} if example is None else {"example": example})


def of_query(schema, subject, example, since, shapes):
    """Return the parameters that the schema of a query admits.

    `subject` is the key of the operation in tags.TAGS; `example` is {parameter: [value]}. `since`
    says whether the version has a behaviour; `shapes` collects the schemas referred to.
    """

    # `given` is the schema of the parameter in the validator.
    def value(name, given):
        # Some names mean something else for one subject.
        describe = _VALUES.get(f"{subject}.{name}") or _VALUES[name]
        described = describe(given, since)
        if name in example:
            described["example"] = _as_type(described["schema"], example[name])
        if "enum" in described["schema"]:
            described["schema"] = shapes.reference(_camel_case(name), described["schema"])
        return described

    parameters = [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            **value(name, given),
        }
        for name, given in schema["properties"].items()
    ]
    # A pattern stands for a parameter of request groups, both without a suffix and with any suffix.
    suffixed = []
    for key, given in schema.get("patternProperties", {}).items():
        name, suffix = _GROUP_KEY.fullmatch(key).groups()
        described = value(name, given)
        parameters.append({"name": name, "in": "query", **described})
        suffixed.append(_suffixed(name, suffix, described["schema"], example, shapes))
    return parameters + suffixed


def _suffixed(name, suffix, schema, example, shapes):
    """Return one parameter for all those that begin with a name and end with any suffix.

    It is an exploded object: its own name is not sent, and its members are parameters, such as
    resources1. `suffix` is a pattern, and `schema` is the schema of each value; `example` is
    {parameter: [value]} of the whole query.
    """
    pattern = f"^{name}{suffix}$"
    by_group = {
        "type": "object",
        "propertyNames": {"type": "string", "pattern": pattern},
        "additionalProperties": schema,
    }
    parameter = {
        "name": f"{name}_by_group",
        "in": "query",
        "description": (
            f"Like {name}, for the request group with a suffix: {name}SUFFIX. Parameters with the "
            "same suffix make a group, which one provider serves."
        ),
        "style": "form",
        "explode": True,
        "schema": shapes.reference(f"{_camel_case(name)}ByGroup", by_group),
    }
    given = {
        key: _as_type(schema, values) for key, values in example.items() if re.match(pattern, key)
    }
    return parameter | ({"example": given} if given else {})


def _as_type(schema, values):
    """Return a parameter's values, a list of strings, as the type that its schema has."""
    if schema["type"] == "array":
        return values
    return int(values[-1]) if schema["type"] == "integer" else values[-1]


def _camel_case(name):
    return "".join(word.capitalize() for word in name.split("_"))


def _listed(item):
    """Return the pattern of items separated by commas; `item` is the pattern of one."""
    return f"{item}(,{item})*"


def _text(description, pattern):
    """Return what the document says about a parameter that is a string with a pattern."""
    return {
        "description": description,
        "schema": {"type": "string", "pattern": f"^({pattern})$"},
    }


def _repeatable(value):
    """Return what the document says about a repeatable parameter; `value` says it of one value."""
    return {
        "description": f"{value['description']} May be repeated; then all values must be met.",
        "schema": {"type": "array", "items": value["schema"]},
        "style": "form",
        "explode": True,
    }


def _as_given(description):
    """Return a function for _VALUES: the document shows the schema that validates the parameter."""
    return lambda schema, since: {
        "description": description,
        "schema": annotations.stripped(schema),
    }


def _resources(schema, since):
    """Return {"description", "schema"} of resources= in any version."""
    return _text(
        "The amount needed of each class, CLASS:AMOUNT,CLASS:AMOUNT, in the units of the classes.",
        _listed(f"{common.NAME}:[1-9][0-9]*"),
    )


def _required(schema, since):
    """Return {"description", "schema", ...} of required= in a version."""
    form = version_flags.required(since)
    description = "Required traits: T1,T2."
    trait = common.NAME
    if form["forbidden_traits"]:
        description += " A trait after an exclamation mark is forbidden: !T3."
        trait = f"!?{common.NAME}"
    if not form["any_traits"]:
        return _text(description, _listed(trait))
    description += " With in:T1,T2, any one of the traits is enough."
    return _repeatable(_text(description, f"{_listed(trait)}|in:{_listed(common.NAME)}"))


def _member_of(schema, since):
    """Return {"description", "schema", ...} of member_of= in a version."""
    form = version_flags.member_of(since)
    description = "Aggregates to be in: one, or any of several with in:A1,A2."
    pattern = f"{common.DASHED_UUID}|in:{_listed(common.DASHED_UUID)}"
    if form["forbidden_aggregates"]:
        description += " An exclamation mark excludes them: !A1 or !in:A1,A2."
        pattern = f"!?({pattern})"
    value = _text(description, pattern)
    return _repeatable(value) if form["repeated_member_of"] else value


def _same_subtree(schema, since):
    """Return {"description", "schema"} of same_subtree= in any version."""
    return _repeatable(
        _text(
            "Suffixes of groups: a provider that serves one of them is an ancestor of the others.",
            _listed(common.SUFFIX),
        )
    )


def _root_required(schema, since):
    """Return {"description", "schema"} of root_required= in any version."""
    return _text(
        "Traits that the root of the tree has, or, after an exclamation mark, does not have.",
        _listed(f"!?{common.NAME}"),
    )


def _in_tree(schema, since):
    """Return {"description", "schema"} of in_tree= in any version."""
    return {
        "description": "The UUID of a provider: only providers in its tree are considered.",
        "schema": {"type": "string", "format": "uuid"},
    }


def _limit(schema, since):
    """Return {"description", "schema"} of limit= in any version."""
    return {
        "description": (
            "The largest number of allocation requests to return. The option [placement] "
            "max_allocation_candidates limits it, too."
        ),
        "schema": {"type": "integer", "minimum": 1},
    }


def _limit_without_effect(schema, since):
    """Return {"description", "schema"} of limit= where a query from nova may be pasted."""
    return _limit(schema, since) | {"description": "Has no effect: no candidates are returned."}


def _trait_name(schema, since):
    description = "The traits of a list, in:T1,T2, or those with a prefix, startswith:PREFIX."
    return _text(description, "(in|startswith):.*")


def _associated(schema, since):
    """Return {"description", "schema"} of associated= in any version."""
    return {
        "description": (
            "Only traits that some provider has (true), or only those that none has (false)."
        ),
        "schema": {"type": "string", "enum": ["true", "false"]},
    }


# Name of a parameter, or subject.name -> a function that takes its schema in the validator and
# `since`, and returns what the document says about it: {"description", "schema", ...}.
_VALUES = {
    "trait.name": _trait_name,
    "associated": _associated,
    "name": _as_given("The name of the provider."),
    "uuid": _as_given("The UUID of the provider."),
    "resources": _resources,
    "required": _required,
    "member_of": _member_of,
    "in_tree": _in_tree,
    "root_required": _root_required,
    "same_subtree": _same_subtree,
    "limit": _limit,
    "explanation.limit": _limit_without_effect,
    "group_policy": _as_given(
        "none: one provider may serve several of the groups that have suffixes; isolate: each of "
        "them needs its own provider. Required if there are several."
    ),
    "by": _as_given(
        "Sums over all providers (class, the default), or for each aggregate, trait, project or "
        "consumer type."
    ),
    "q": _as_given(
        "The beginning of a name or UUID; of a trait or class, any part of its name."
    ),
    "since": _as_given(
        "How far to look back: a number of hours (h), days (d) or weeks (w). The default is "
        f"{schemas.operator.capacity_history.SINCE}."
    ),
    "step": _as_given(
        "Show only the last sample of each step, which is a number of hours (h), days (d) or weeks "
        "(w). The default is the shortest step that makes at most "
        f"{past_capacity.MOST_STEPS:,} steps."
    ),
    "top": _as_given(
        "How many of the fullest inventories to list: 0 to "
        f"{schemas.operator.capacity.MOST_TOP}, by default {schemas.operator.capacity.TOP}."
    ),
    "fit.top": _as_given(
        "How many hosts to list, beginning with those on which the request fits most often: 0 to "
        f"{schemas.operator.fit.MOST_TOP}, by default {schemas.operator.fit.TOP}."
    ),
    "after": _as_given(
        "Only changes after this position; by default, all that are kept. A position "
        "older than those gets 410, and one that does not exist yet gets 400."
    ),
    "before": _as_given(
        "With order=newest, only changes before this position; by default, up to the newest."
    ),
    "order": _as_given("The oldest changes first, which is the default, or the newest first."),
    "sentences": _as_given(
        "Also describe each change in a sentence, for people. Only in JSON; by default false."
    ),
    "changes.limit": _as_given(
        f"How many changes to return: 1 to {schemas.operator.changes.MOST_CHANGES}, by default "
        f"{reading.LIMIT}."
    ),
    "kind": _as_given("Only changes of this kind."),
    "provider": _as_given(
        "The UUID or name of a provider, even of a deleted one: only changes to it, and to "
        "allocations from it."
    ),
    "tree": _as_given(
        "The UUID or name of a provider: like provider=, but for all providers in its tree, even "
        "those that have left it."
    ),
    "consumer": _as_given("The UUID of a consumer: only changes to its allocations."),
    "project": _as_given("Only changes to the allocations of this project's consumers."),
    "actor": _as_given("Only changes by this user."),
    "changes.since": _as_given(
        "Only changes at this time or later, such as 2026-01-05T08:30Z, or in the last hours (h), "
        "days (d) or weeks (w), such as 24h."
    ),
    "changes.until": _as_given("Only changes before this time."),
    "consumers": _as_given("Also show the allocations from each provider; by default false."),
    "closest": _as_given(
        "How many of the hosts that almost have candidates to list: 0 to "
        f"{schemas.operator.explanation.MOST_CLOSEST}, by default "
        f"{schemas.operator.explanation.CLOSEST}."
    ),
    "host": _as_given(
        "The only host to explain: its UUID or name, or that of another provider in its tree. What "
        "sharing providers offer to the host counts, too."
    ),
    "evacuation.host": _as_given("A host to empty: its UUID or name. May be repeated."),
    "of": _as_given("The type or project of the consumers that may be removed; by default any."),
    "release.top": _as_given(
        f"How many hosts to list: 1 to {schemas.operator.release.MOST_TOP}, by default "
        f"{schemas.operator.release.TOP}."
    ),
    "flavors.after": _as_given(
        "The name of a flavor: only flavors after it in the file are counted. All are counted if "
        "the file does not have it."
    ),
    "capacity_history.by": _as_given("Only class: there is no history of groups."),
    "survival.by": _as_given(
        "What is lost at once: a host (the default), or all hosts of an aggregate."
    ),
    "aggregate": _as_given(
        "The UUID of an aggregate: the hosts in it are emptied, but not the sharing providers. May "
        "be repeated."
    ),
    "keep": _as_given(
        "A pattern of traits, such as HW_CPU_*: a new provider must have those that the old one "
        "has. May be repeated; by default, traits do not matter."
    ),
    "same_aggregate": _as_given(
        "If true, a new provider must share an aggregate with the old one, and their roots must "
        "share one, too. This only matters if the old ones are in any. By default false."
    ),
    "exclude": _as_given(
        "A host to leave out, such as one being drained: its UUID or name. May be repeated."
    ),
    "ratio": _as_given(
        "Another allocation ratio for a class, wherever it is offered: CLASS:RATIO, such as "
        "VCPU:8.0. May be repeated for other classes."
    ),
    "add": _as_given(
        "Empty hosts to add, like an existing one: its UUID or name, a colon, and how many. May be "
        f"repeated for other hosts; {fit_query.MOST_ADDED} hosts at most in all."
    ),
    "microversion": _as_given("Which version to describe; by default the newest."),
    "bound": _as_given(
        f"Where to stop counting: 1 to {schemas.operator.fit.MOST_BOUND}, by default only when "
        "nothing more fits."
    ),
    "project_id": _as_given("The project of the consumers that are counted."),
    "user_id": _as_given("The user of the consumers that are counted."),
    "consumer_type": _as_given(
        "Only consumers of this type: all stands for all types together, and unknown for consumers "
        "without a type."
    ),
}
