"""Relaxations that an explanation proposes, applied and checked.

Source: doc/how-to/no-valid-host.rst.
"""

import copy
import dataclasses
import json
import urllib.parse

import hypothesis
import webob
from hypothesis import strategies as st

from placement import deploy
from placement.objects import resource_provider, trait
from placement.queries import candidate_query
from tests import changes, databases, dice, fixtures, properties
from tests.functional.random_worlds import (
    RandomWorlds,
    aggregate_uuid,
    named,
    provider_uuid,
    trait_name,
)
from tests.functional.worlds import provider, set_traits

# Names that nothing has; some are similar to others.
UNKNOWN_TRAIT = trait_name(10)
UNKNOWN_AGGREGATE = aggregate_uuid(29)
UNKNOWN_PROVIDER = provider_uuid(99)


def parsed(query_string):
    pairs = urllib.parse.parse_qsl(query_string, strict_parsing=True)
    query = candidate_query.parse(pairs, candidate_query.QueryRules())
    groups = [
        dataclasses.replace(group, required=set(group.required), member_of=set(group.member_of))
        for group in query.groups
    ]
    # The policy applies only to several groups.
    isolate = query.isolate and sum(group.is_granular for group in groups) > 1
    return dataclasses.replace(
        query, groups=groups, isolate=isolate, same_subtrees=set(query.same_subtrees)
    )


class Questions(RandomWorlds):
    """Queries the service, as operators and clients do."""

    def setUp(self):
        super().setUp()
        configuration = fixtures.configuration(placement_database__connection=self.url)
        self.application = deploy.compose(configuration, self.database)

    def ask(self, path, query_string):
        headers = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
        request = webob.Request.blank(f"{path}?{query_string}", headers=headers)
        return request.get_response(self.application)

    def assert_helps(self, asked, relaxation):
        """`asked` is what was Asked when the relaxation was proposed."""
        changed = copy.deepcopy(asked)
        for change in (relaxation, *relaxation["also"]):
            keys = ("group", "constraint", "value", "instead")
            changed.change(*(change[key] for key in keys))
        answer = self.ask("/allocation_candidates", changed.text())
        said = f"{urllib.parse.unquote(asked.text())}\n{json.dumps(relaxation)}\n{answer.text}"
        self.assertEqual(parsed(changed.text()), parsed(relaxation["query"]), said)
        self.assertEqual(200, answer.status_code, said)
        self.assertTrue(answer.json["allocation_requests"], said)


@databases.on_each_database
class RandomRelaxations(Questions):
    """If a test fails, a change that was proposed does not help a query, or gets it refused."""

    @hypothesis.settings(properties.SETTINGS, max_examples=200)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_each_relaxation_brings_as_many_hosts_as_it_says(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 4) for _ in range(random.randint(1, 4))])
        asked = changes.asked(named(thrower.query(world, random.randint(0, 3))))
        self.misspell(thrower, asked)
        with self.database.writer() as conn:
            self.store(conn, world)
        explanation = self.ask("/operator/explanation", asked.text())
        hypothesis.assume(explanation.status_code == 200)
        for relaxation in explanation.json["relaxations"]:
            self.assert_helps(asked, relaxation)

    def misspell(self, thrower, asked):
        """Change amounts of a query, and replace names with unknown ones."""
        for group in asked.groups.values():
            for name in group["resources"]:
                group["resources"][name] = thrower.random.choice([1, 1, 2, 3, 4, 9])
            for traits in (*group["required"], group["forbidden"]):
                if thrower.one_in(6):
                    traits.add(UNKNOWN_TRAIT)
            # Unknown aggregates become an empty set.
            for uuids in group["member_of"]:
                if not uuids or thrower.one_in(6):
                    uuids.add(UNKNOWN_AGGREGATE)
            if group["in_tree"] and thrower.one_in(6):
                group["in_tree"] = UNKNOWN_PROVIDER
        if thrower.one_in(12):
            asked.root_forbidden.add(UNKNOWN_TRAIT)


@databases.on_each_database
class WhatElseChanges(Questions):
    """If a test fails, a proposed change turns a query into one that is refused."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            for name in ("CUSTOM_GOLD", "CUSTOM_SILVER"):
                trait.ensure(conn, name)
            host = provider(conn, "host", {"VCPU": 8})
            card = provider(conn, "card", {"PGPU": 2}, parent=host)
            set_traits(conn, resource_provider.get(conn, card.uuid), ["CUSTOM_SILVER"])
            provider(conn, "fpga", {"FPGA": 1}, parent=host)

    def relaxations(self, query_string):
        """Try the changes that would help. Return {(what is changed): [what else is changed]}."""
        pairs = urllib.parse.parse_qsl(query_string)
        asked = changes.asked(candidate_query.parse(pairs, candidate_query.QueryRules()))
        explanation = self.ask("/operator/explanation", asked.text()).json
        for relaxation in explanation["relaxations"]:
            self.assert_helps(asked, relaxation)
        return {
            self.named(relaxation): list(map(self.named, relaxation["also"]))
            for relaxation in explanation["relaxations"]
        }

    def named(self, change):
        named = f"{change['constraint']}{change['group'] or ''} {change['value']}"
        return f"{named} -> {change['instead']}" if change["instead"] else named

    def test_giving_up_the_last_constraint_of_a_group_removes_the_group(self):
        query = "resources_C=VCPU:1&required_T=CUSTOM_GOLD,!CUSTOM_SILVER&group_policy=none"
        self.assertEqual(
            {
                "required_T CUSTOM_GOLD": [
                    "forbidden_T CUSTOM_SILVER",
                    "same_subtree _C,_T -> _C",
                    "same_subtree _T",
                ]
            },
            self.relaxations(f"{query}&same_subtree=_C,_T&same_subtree=_T"),
        )

    def test_a_group_without_resources_is_removed_with_its_only_subtree(self):
        query = "resources_P=PGPU:1&resources_F=FPGA:1&required_S=CUSTOM_SILVER&group_policy=none"
        self.assertEqual(
            {"same_subtree _F,_P,_S": ["required_S CUSTOM_SILVER"]},
            self.relaxations(f"{query}&same_subtree=_F,_P,_S"),
        )

    def test_giving_up_isolate_leaves_the_group_policy_none(self):
        self.assertEqual(
            {"group_policy isolate -> none": []},
            self.relaxations("resources_A=PGPU:1&resources_B=PGPU:1&group_policy=isolate"),
        )

    def test_each_relaxation_removes_unknown_traits_that_hosts_need_not_have(self):
        unknown = ("required=!CUSTOM_NONE", "required_A=in:CUSTOM_NONE,CUSTOM_SILVER")
        root = "root_required=!CUSTOM_NONE,!CUSTOM_GOLD"
        self.assertEqual(
            {
                "resources VCPU:9 -> VCPU:8": [
                    "forbidden CUSTOM_NONE",
                    "required_A in:CUSTOM_NONE,CUSTOM_SILVER -> CUSTOM_SILVER",
                    "root_forbidden in:CUSTOM_GOLD,CUSTOM_NONE -> CUSTOM_GOLD",
                ]
            },
            self.relaxations("&".join(("resources=VCPU:9&resources_A=PGPU:1", *unknown, root))),
        )

    def test_a_correction_also_removes_other_unknown_traits(self):
        self.assertEqual(
            {"required in:CUSTOM_COAL,CUSTOM_SILVR -> CUSTOM_SILVER": []},
            self.relaxations("resources=PGPU:1&required=in:CUSTOM_COAL,CUSTOM_SILVR"),
        )

    def test_a_tree_that_does_not_exist_rules_out_a_group_without_resources(self):
        """If it fails, candidates are counted that the service does not return."""
        in_no_tree = f"required_S=CUSTOM_SILVER&in_tree_S={UNKNOWN_PROVIDER}"
        query = f"resources_P=PGPU:1&{in_no_tree}&group_policy=none&same_subtree=_P,_S"
        self.assertEqual(0, self.ask("/operator/explanation", query).json["hosts"]["pass"])
        self.assertIn(f"in_tree_S {UNKNOWN_PROVIDER}", self.relaxations(query))
