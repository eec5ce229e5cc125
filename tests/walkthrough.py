"""Follow the walks of README.rst step by step, and compare the results.

The sections named in WALKS are run, each by one bash: of their code blocks, `sh` are commands,
and a `json` or `text` that follows is what these print. JSON is compared as values, text line
by line. The server is the one at $BASE_URL, or else one that is started here.
"""

import json
import os
import re
import subprocess
import sys
from typing import NamedTuple

from tests import server

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WALKS = ("With curl", "With the openstack command")

# The address of `make serve`, replaced by that of the server that is used.
ADDRESS = "http://127.0.0.1:8778"

SECTION = re.compile(r"^(?P<title>\S.*)\n(?P<line>[=~^-])(?P=line)+\n", re.MULTILINE)
BLOCK = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n\n(?P<lines>(?: {4}.*\n|\n)+)", re.MULTILINE
)
END_OF_STEP = "--- end of step ---"


class Step(NamedTuple):
    """Commands, and what they print if the page shows it."""

    commands: str
    answer: str | None = None


def main():
    with open(os.path.join(CHECKOUT, "README.rst")) as readme:
        walks = steps_by_section(readme.read())
    with server.running() as url:
        problems = [problem for title in WALKS for problem in walk(title, walks[title], url)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def steps_by_section(page):
    """Return {title: [Step]} of a page in reStructuredText."""
    parts = SECTION.split(page)[1:]
    return {title: _steps(text) for title, text in zip(parts[::3], parts[2::3], strict=True)}


def _steps(text):
    steps = []
    for block in BLOCK.finditer(text):
        lines = re.sub(r"^ {4}", "", block["lines"].strip("\n"), flags=re.MULTILINE)
        if block["language"] == "sh":
            steps.append(Step(lines))
        else:
            steps[-1] = steps[-1]._replace(answer=lines)
    return steps


def walk(title, steps, url):
    """Run the steps of a section. Return a text for each that did not do as the page says."""
    print(f"{title}: {len(steps)} steps")
    script = "".join(f"{step.commands}\necho '{END_OF_STEP}'\n" for step in steps)
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace(ADDRESS, url)],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    *outputs, rest = run.stdout.split(f"{END_OF_STEP}\n")
    problems = [
        f"{title}:\n{step.commands}\nprinted\n{output}"
        for step, output in zip(steps, outputs, strict=False)
        if step.answer is not None and not _is_same(step.answer, output)
    ]
    if run.returncode:
        failed = steps[len(outputs)]
        problems.append(f"{title}:\n{failed.commands}\nfailed with\n{rest}")
    return problems


def _is_same(shown, printed):
    try:
        return json.loads(shown) == json.loads(printed)
    except ValueError:
        return shown.split("\n") == printed.strip("\n").split("\n")


if __name__ == "__main__":
    sys.exit(main())
