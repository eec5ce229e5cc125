"""Necessary conditions for serving all slots together; pure.

Each condition considers one class only, or ignores amounts. So the conditions may let a hopeless
search pass, but they never reject a search that can succeed.
Source: doc/explanation/rules.rst, R8, R11.
"""

from collections import deque

# After this many fillings of providers, `may_fit` gives up, and leaves the decision to the search.
MOST_FILLINGS = 2000


def may_differ(choices):
    """Return whether each slot could have its own provider; `choices` are the options of each slot.

    This is a matching of slots and providers. It grows by one slot at a time, along the shortest
    chain of slots that give up their providers to each other.
    """
    slot_of = {}
    return all(_match(slot, choices, slot_of) for slot in range(len(choices)))


def _match(slot, choices, slot_of):
    """Give the slot a provider, moving others if necessary; return whether that was possible.

    slot_of: {provider_id: the slot that has it}
    """
    # Provider -> the slot that would take it.
    came_from = {}
    waiting = deque([slot])
    while waiting:
        taker = waiting.popleft()
        for provider_id in choices[taker]:
            if provider_id in came_from:
                continue
            came_from[provider_id] = taker
            holder = slot_of.get(provider_id)
            if holder is None:
                _pass_on(provider_id, slot, came_from, slot_of)
                return True
            waiting.append(holder)
    return False


def _pass_on(provider_id, slot, came_from, slot_of):
    """Along the chain from the slot to a free provider, give each provider to its new slot.

    came_from: {provider_id: the slot that takes it}; slot_of: {provider_id: the slot that has it}
    """
    previous = {holder: held for held, holder in slot_of.items()}
    while True:
        taker = came_from[provider_id]
        slot_of[provider_id] = taker
        if taker == slot:
            return
        provider_id = previous[taker]


def may_fit(counts, rooms):
    """Return whether amounts of one class, none of them split, fit on providers with these rooms.

    counts: {amount: how often}; rooms: what each provider has left.
    The result is also True if it would take too long to find out.
    """
    later = sum(rooms)
    if _total(counts.items()) > later:
        return False
    # The largest provider first: fill it, and see what can remain for the others.
    remainders = {tuple(sorted(counts.items(), reverse=True))}
    fillings = 0
    for room in sorted(rooms, reverse=True):
        later -= room
        following = set()
        for remainder in remainders:
            for left, rest in _fillings(remainder, room):
                fillings += 1
                if not rest or fillings > MOST_FILLINGS:
                    return True
                # If the smallest of the rest fitted, too, another filling would be better.
                if left < rest[-1][0] and _total(rest) <= later:
                    following.add(rest)
        remainders = following
    return False


def _fillings(counts, room):
    """Yield (room left, counts left) for each choice of amounts that fits, the fullest first.

    counts: (amount, how often) pairs, the largest amount first; no `how often` is 0.
    """
    stack = [(0, room, ())]
    while stack:
        index, left, rest = stack.pop()
        while index < len(counts) and counts[index][0] > left:
            rest += (counts[index],)
            index += 1
        if index == len(counts):
            yield left, rest
            continue
        amount, count = counts[index]
        for taken in range(min(count, left // amount) + 1):
            remaining = ((amount, count - taken),) if taken < count else ()
            stack.append((index + 1, left - taken * amount, rest + remaining))


def _total(counts):
    return sum(amount * count for amount, count in counts)
