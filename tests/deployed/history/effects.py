"""The states of consumers and providers, and what calls do to them.

The state of a consumer is a Held, and the state of a provider is a Provider. Either is None if the
object does not exist. Source: doc/explanation/rules.rst, G2, G3, C1 and C2.
"""

import dataclasses
from typing import NamedTuple

from tests.deployed.history.linearization import WRONG

_frozen = dataclasses.dataclass(frozen=True, slots=True)


class Held(NamedTuple):
    """`amounts` is a sorted tuple with at least one (provider, class, amount)."""

    generation: int
    amounts: tuple


class Provider(NamedTuple):
    """`inventories`, `traits` and `aggregates` are sorted tuples, so that they can be compared."""

    generation: int
    inventories: tuple = ()
    traits: tuple = ()
    aggregates: tuple = ()


@_frozen
class Seen:
    """The state was read."""

    state: tuple | None

    def after(self, state):
        return state if state == self.state else WRONG


@_frozen
class Written:
    """A consumer at the `expected` generation (None: a new one) now has other amounts, or none."""

    expected: int | None
    amounts: tuple

    def after(self, state):
        if _generation(state) != self.expected:
            return WRONG
        return Held((self.expected or 0) + 1, self.amounts) if self.amounts else None


@_frozen
class Removed:
    """A consumer that existed does not exist any more."""

    def after(self, state):
        return WRONG if state is None else None


@_frozen
class Created:
    """A provider that did not exist is new."""

    def after(self, state):
        return Provider(0) if state is None else WRONG


@_frozen
class Matched:
    """A write was refused, but not because of the generation it expected."""

    expected: int | None

    def after(self, state):
        return state if _generation(state) == self.expected else WRONG


@_frozen
class Differed:
    """A write was refused because of the generation it expected."""

    expected: int | None

    def after(self, state):
        return state if _generation(state) != self.expected else WRONG


@_frozen
class Changed:
    """One aspect of a provider has another value; `answered` is its new generation, if known."""

    expected: int
    aspect: str
    value: tuple
    answered: int | None

    def after(self, state):
        if _generation(state) != self.expected:
            return WRONG
        is_unchanged = self.aspect == "traits" and self.value == state.traits
        generation = self.expected + (not is_unchanged)
        if self.answered not in (None, generation):
            return WRONG
        return state._replace(**{"generation": generation, self.aspect: self.value})


@_frozen
class Advanced:
    """A claim has taken something from a provider."""

    def after(self, state):
        return WRONG if state is None else state._replace(generation=state.generation + 1)


@_frozen
class PartlySeen:
    """The provider's generation was read, and perhaps one of its aspects."""

    generation: int
    aspect: str | None = None
    value: tuple = ()

    def after(self, state):
        if _generation(state) != self.generation:
            return WRONG
        if self.aspect is not None and getattr(state, self.aspect) != self.value:
            return WRONG
        return state


def removes(effect):
    """Whether a consumer has nothing after an effect."""
    return isinstance(effect, Removed) or (isinstance(effect, Written) and not effect.amounts)


def _generation(state):
    return None if state is None else state.generation
