"""The fewest requests that still show a difference, and the smallest bodies.

hypothesis can only reduce what it draws. But every run begins with the same requests, and many
requests only read what a later one needs.
"""

import dataclasses
import json

from tests.deployed.beside_peer import clearing, cloud

_GENERATION = "resource_provider_generation"


def shortest(found, comparison):
    """Return a similar Difference with the fewest steps, or the same one if it does not recur.

    The steps keep their order. This is slow: they are sent again and again, to empty clouds.
    """
    size = None
    while size != (size := len(str(found))):
        found = _with_fewer_steps(found, comparison)
        found = _with_smaller_bodies(found, comparison)
    return found


def _with_fewer_steps(found, comparison):
    """Try to leave out all steps but the last, then each half of them, each quarter, and so on."""
    size = len(found.steps)
    while size:
        end = len(found.steps) - 1
        while end > 0:
            before, after = found.steps[: max(0, end - size)], found.steps[end:]
            again = _repeated(found, before + after, comparison)
            if not again and size == 1:
                lowered = _with_lower_generations(after, found.steps[end - 1])
                again = lowered != after and _repeated(found, before + lowered, comparison)
            found = again or found
            end -= size
        size //= 2
    return found


def _with_lower_generations(steps, left_out):
    """Return steps that expect what they would find without one before them.

    That one may have raised the generation of each provider that it names.
    """
    named = left_out.url + json.dumps(left_out.body)
    providers = [each for each in cloud.PROVIDERS if each in named]
    return [_with_lower_generation(step, providers) for step in steps]


def _with_lower_generation(step, providers):
    generation = isinstance(step.body, dict) and step.body.get(_GENERATION)
    if not generation or not any(each in step.url for each in providers):
        return step
    return dataclasses.replace(step, body=step.body | {_GENERATION: generation - 1})


def _with_smaller_bodies(found, comparison):
    for place in range(len(found.steps)):
        bodies = _smaller(found.steps[place].body)
        while (body := next(bodies, None)) is not None:
            steps = list(found.steps)
            steps[place] = dataclasses.replace(steps[place], body=body)
            if again := _repeated(found, steps, comparison):
                found = again
                bodies = _smaller(found.steps[place].body)
    return found


def _smaller(body):
    """Yield copies of a JSON value, each without one member of an object or a list."""
    if not isinstance(body, dict | list):
        return
    for place in list(body) if isinstance(body, dict) else range(len(body)):
        smaller = body.copy()
        del smaller[place]
        yield smaller
        for member in _smaller(body[place]):
            smaller = body.copy()
            smaller[place] = member
            yield smaller


def _repeated(found, steps, comparison):
    """Return a Difference like the one found, if some steps show it in empty clouds."""
    names = {each: cloud.new_consumer() for each in clearing.consumers(steps)}
    steps = [each.renamed(names) for each in steps]
    try:
        again = comparison.difference(steps)
    finally:
        clearing.clear(comparison, steps)
    return again if again and again.is_like(found) else None
