"""Bars for tables that people read."""


def bar(part, whole, width):
    """Return a bar, of `width` characters for the whole; where there is something, it shows."""
    blocks = round(part / whole * width) if whole else 0
    return "█" * max(blocks, 1 if part else 0)
