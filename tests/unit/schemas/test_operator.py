"""What operators may send: the least and the most of each number, text, list and map."""

import itertools

import testtools

from placement import constants
from placement.schemas import common, validation
from placement.schemas.operator import (
    audit,
    capacity,
    changes,
    evacuation,
    explanation,
    find,
    fit,
    query,
    release,
)

NO_PARAMETERS = validation.of_query(common.record({}))
CHANGES = changes.query(("traits",), "2026-11-01", "1h")
MIXED = {"name": "n", "query": "q", "count": 1}
GROUP = {"suffix": "", "resources": [], "fields": {}}
WAYS = {"query": "", "text": "", "form": {"groups": [], "fields": {}}}


def mixed(**request):
    return {"requests": [MIXED | request]}


def form(**group):
    return {"form": {"groups": [GROUP | group], "fields": {}}}


# Validators, documents with something of this size, and its least and most size. Without a most,
# nothing but the request itself limits it.
SIZES = (
    (find.query(), lambda size: {"q": "x" * size}, 1, constants.MAX_NAME),
    (find.ids(), lambda size: {"ids": ["x"] * size}, 0, find.MOST_IDS),
    (find.ids(), lambda size: {"ids": ["x" * size]}, 0, constants.MAX_NAME),
    (fit.mix(), lambda size: mixed(name="x" * size), 1, constants.MAX_NAME),
    (fit.mix(), lambda size: mixed(query="x" * size), 0, constants.MAX_QUERY_CHARACTERS),
    (fit.mix(), lambda size: mixed(count=size), 1, 1_000_000),
    (fit.mix(), lambda size: {"requests": [MIXED] * size}, 1, 1000),
    (fit.mix(), lambda size: mixed() | {"exclude": ["x"] * size}, 0, 10_000),
    (fit.mix(), lambda size: mixed() | {"exclude": ["x" * size]}, 1, None),
    (query.given(), lambda size: dict(itertools.islice(WAYS.items(), size)), 1, 1),
    (query.given(), lambda size: {"query": "x" * size}, 0, constants.MAX_QUERY_CHARACTERS),
    (query.given(), lambda size: form(resources=[["x"] * size]), 2, 2),
    (query.given(), lambda size: form(resources=[["x"] * 2] * size), 0, common.MOST_RESOURCES),
    (query.given(), lambda size: {"form": {"groups": [GROUP] * size, "fields": {}}}, 0, 1000),
    (audit.repair("ABC"), lambda size: {"repair": list("ABCD"[:size])}, 1, 3),
    (CHANGES, lambda size: {"provider": "x" * size}, 1, None),
    (CHANGES, lambda size: {"tree": "x" * size}, 1, None),
    (CHANGES, lambda size: {"project": "x" * size}, 1, constants.MAX_NAME),
    (CHANGES, lambda size: {"actor": "x" * size}, 1, constants.MAX_NAME),
    (evacuation.query(), lambda size: {"host": "x" * size}, 1, None),
    (evacuation.query(), lambda size: {"keep": "X" * size}, 1, None),
    (explanation.query(NO_PARAMETERS), lambda size: {"host": "x" * size}, 1, None),
    (release.query(NO_PARAMETERS), lambda size: {"of": "x" * size}, 1, None),
)


class Numbers(testtools.TestCase):
    def test_the_least_and_the_most_are_accepted_and_nothing_beyond(self):
        for validator, name, least, most in (
            (capacity.query(("class",)), "top", 0, capacity.MOST_TOP),
            (CHANGES, "limit", 1, changes.MOST_CHANGES),
            (explanation.query(NO_PARAMETERS), "closest", 0, explanation.MOST_CLOSEST),
            (fit.query(NO_PARAMETERS), "top", 0, fit.MOST_TOP),
            (fit.query(NO_PARAMETERS), "bound", 1, fit.MOST_BOUND),
            (release.query(NO_PARAMETERS), "top", 1, release.MOST_TOP),
        ):
            for number, is_valid in (
                (least - 1, False),
                (least, True),
                (most - 1, True),
                (most, True),
                (most + 1, False),
            ):
                with self.subTest(name=name, number=number):
                    self.assertEqual(is_valid, validator.is_valid({name: str(number)}))


class Sizes(testtools.TestCase):
    """If a test fails, an honest request is refused, or an empty or endless one is accepted."""

    def test_the_least_and_the_most_are_accepted_and_nothing_beyond(self):
        for number, (validator, document_of, least, most) in enumerate(SIZES):
            sizes = {least - 1: False, least: True}
            if most is not None:
                sizes |= {most: True, most + 1: False}
            for size, is_valid in sizes.items():
                if size >= 0:
                    found = validator.is_valid(document_of(size))
                    self.assertEqual(is_valid, found, f"SIZES[{number}] with {size}")

    def test_a_check_is_named_once(self):
        self.assertFalse(audit.repair("ABC").is_valid({"repair": ["A", "A"]}))
