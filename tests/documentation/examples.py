"""The examples of doc/explanation/rules.rst: a tree, and questions about it with their answers.

    host {VCPU 4}
      gpu {PGPU 1}

    resources=VCPU:1
        &resources_G=PGPU:1     # a question continues after an ampersand
        => host(VCPU 1) + gpu(PGPU 1); _G=gpu
    vm1: host(VCPU 5)           => 409 exceed the capacity

is an example with two questions. The page explains how to read them.
"""

import pathlib
import re
from typing import NamedTuple

PAGE = pathlib.Path(__file__).parents[2] / "doc" / "explanation" / "rules.rst"

_TITLE = re.compile(r"^([A-Z]\d+)\. .+\n[=\-~]+$", re.MULTILINE)
_BLOCK = re.compile(r"(?:^    .*\n|^\n)+", re.MULTILINE)


class Example(NamedTuple):
    """The text of a tree, and questions about it, one after the other.

    rule: the number of the rule below which the example stands; empty before the first rule
    """

    rule: str
    tree: str
    questions: list[tuple[str, list[str]]]


def rules():
    """Return the numbers of the rules, in the order of the page."""
    return _TITLE.findall(PAGE.read_text())


def examples():
    """Return every Example of the page, in its order."""
    sections = ["", *_TITLE.split(PAGE.read_text())]
    return [
        _example(rule, block)
        for rule, section in zip(sections[::2], sections[1::2], strict=True)
        for block in _BLOCK.findall(section)
        if "=>" in block
    ]


def _example(rule, block):
    tree, _, rest = block.strip("\n").partition("\n\n")
    questions = []
    for line in rest.splitlines():
        text, _, answer = re.sub(r" +# .*", "", line).partition("=>")
        if text.strip().startswith("&"):
            questions[-1][0] += text.strip()
        elif text.strip():
            questions.append([text.strip(), []])
        if answer:
            questions[-1][1].append(answer.strip())
    return Example(rule, re.sub(r"^    ", "", tree, flags=re.MULTILINE), questions)
