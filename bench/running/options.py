"""Values of options that more than one command takes."""

import argparse


def positive(text):
    """Return the number that a text names.

    Raises: argparse.ArgumentTypeError if it is not a whole number, or less than 1.
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number
