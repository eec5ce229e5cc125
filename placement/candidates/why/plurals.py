"""Counts with their nouns, such as "3 hosts"."""


def counted(number, noun, plural=None):
    """Return "1 host" or "1,200 hosts"; `plural` is for nouns that do not just take an s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
