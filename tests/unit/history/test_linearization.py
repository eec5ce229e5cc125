"""The search for an order, compared with one that tries all orders."""

import itertools
import random
from typing import NamedTuple

import fixtures
import testtools

from tests.deployed.history import linearization
from tests.deployed.history.effects import Differed, Held, Matched, Removed, Seen, Written
from tests.deployed.history.linearization import WRONG, Operation

_ONE = (("host", "VCPU", 1),)
_TWO = (("host", "VCPU", 2),)


class Span(NamedTuple):
    begin: float
    end: float


def operation(begin, end, effect):
    return Operation(effect, Span(begin, end))


def has_order(certain, uncertain=()):
    return linearization.find_fault(certain, uncertain, None) is None


def has_order_by_trying(certain, uncertain):
    chosen = itertools.chain.from_iterable(
        itertools.combinations(uncertain, size) for size in range(len(uncertain) + 1)
    )
    lasting = [
        [*certain, *(each._replace(call=each.call._replace(end=99)) for each in some)]
        for some in chosen
    ]
    return any(
        is_right(order) for some in lasting for order in itertools.permutations(some)
    )


def is_right(order):
    state = None
    for number, (effect, call) in enumerate(order):
        if any(later.call.end < call.begin for later in order[number:]):
            return False
        state = effect.after(state)
        if state is WRONG:
            return False
    return True


class Orders(testtools.TestCase):
    def test_calls_one_after_the_other_are_ordered_by_time(self):
        calls = [
            operation(0, 1, Written(None, _ONE)),
            operation(2, 3, Written(1, _TWO)),
            operation(4, 5, Seen(Held(2, _TWO))),
        ]
        self.assertTrue(has_order(calls))

    def test_only_one_of_two_first_claims_can_be_stored(self):
        calls = [operation(0, 3, Written(None, _ONE)), operation(1, 2, Written(None, _TWO))]
        self.assertFalse(has_order(calls))

    def test_a_read_during_a_write_may_show_it_or_not(self):
        write = operation(0, 3, Written(None, _ONE))
        for state in (None, Held(1, _ONE)):
            self.assertTrue(has_order([write, operation(1, 2, Seen(state))]))

    def test_a_write_that_was_seen_stays_visible(self):
        calls = [
            operation(0, 9, Written(None, _ONE)),
            operation(1, 2, Seen(Held(1, _ONE))),
            operation(3, 4, Seen(None)),
        ]
        self.assertFalse(has_order(calls))

    def test_a_write_that_was_not_answered_may_be_seen_or_not_but_not_before_it_began(self):
        write = operation(2, 3, Written(None, _ONE))
        for when, state, expected in (
            (8, Held(1, _ONE), True), (8, None, True), (0, Held(1, _ONE), False)
        ):
            read = operation(when, when + 1, Seen(state))
            self.assertEqual(expected, has_order([read], [write]))

    def test_the_longest_order_shows_the_call_that_does_not_fit(self):
        calls = [operation(0, 1, Written(None, _ONE)), operation(2, 3, Seen(None))]
        stuck = linearization.find_fault(calls, [], None)
        self.assertEqual((1, Held(1, _ONE), calls[1:], True), stuck)

    def test_many_unanswered_writes_take_few_states(self):
        amounts = [(("host", "VCPU", amount),) for amount in range(50)]
        writes = [operation(1, 2, Written(None, amount)) for amount in amounts]
        removals = [operation(1, 2, Removed()) for _ in range(5)]
        seen = [operation(0, 1, Seen(None)), operation(3, 4, Seen(Held(1, amounts[-1])))]
        self.useFixture(fixtures.MockPatchObject(linearization, "MOST_STATES", 1000))
        self.assertTrue(has_order(seen, [*writes, *removals]))
        seen.append(operation(5, 6, Seen(Held(2, _ONE))))
        stuck = linearization.find_fault(seen, [*writes, *removals], None)
        self.assertEqual((2, True), (stuck.length, stuck.is_certain))

    def test_the_search_for_an_order_agrees_with_brute_force(self):
        dice = random.Random(1)
        effects = [
            Written(None, _ONE), Written(1, _TWO), Written(1, ()), Removed(), Matched(1),
            Seen(None), Seen(Held(1, _ONE)), Seen(Held(2, _TWO)), Differed(1),
        ]  # fmt: skip
        answers = set()
        for _ in range(500):
            operations = [self.somewhere(dice, dice.choice(effects)) for _ in range(5)]
            certain, uncertain = operations[:3], operations[3:]
            found = has_order(certain, uncertain)
            self.assertEqual(has_order_by_trying(certain, uncertain), found, operations)
            answers.add(found)
        self.assertEqual({True, False}, answers)

    def somewhere(self, dice, effect):
        begin = dice.uniform(0, 10)
        return operation(begin, begin + dice.uniform(0, 5), effect)
