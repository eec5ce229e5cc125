"""Follow the README and the tutorial step by step, and compare the results.

Each page is run by one bash. Its `sh` blocks are commands, and a `json`, `text` or `none` block
after them is what they print. JSON is compared as values; text, without the indentation that all of
its lines have. The server is the one at $BASE_URL, or else one that is started here.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
from typing import NamedTuple

from tests import server

CHECKOUT = pathlib.Path(__file__).parents[2]
PAGES = (
    "README.rst",
    "doc/tutorial/first-claim.rst",
    "doc/tutorial/openstack-client.rst",
    "doc/tutorial/demo-cloud.rst",
    "doc/how-to/openstack-command.rst",
)

# The address of `make serve`. The address of the server that is used replaces it.
ADDRESS = "http://127.0.0.1:${PORT:-8778}"

BLOCK = re.compile(
    r"^\.\. code-block:: (?P<language>\w+)\n\n(?P<lines>(?: {4}.*\n|\n)+)", re.MULTILINE
)
END_OF_STEP = "--- end of step ---"


class Step(NamedTuple):
    """Commands, and what they print if the page shows it."""

    commands: str
    answer: str | None = None


def main():
    with server.running() as url:
        problems = [problem for page in PAGES for problem in walk(page, url)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def steps_of(text):
    """Return the Steps of a page in reStructuredText."""
    found = []
    for block in BLOCK.finditer(text):
        lines = textwrap.dedent(block["lines"]).strip("\n")
        if block["language"] == "sh":
            found.append(Step(lines))
        elif found:
            found[-1] = found[-1]._replace(answer=lines)
    return found


def walk(page, url):
    """Run the steps of a page. Return a text for each step that did not do what the page says."""
    steps = steps_of((CHECKOUT / page).read_text())
    print(f"{page}: {len(steps)} steps")
    script = "".join(f"{step.commands}\necho '{END_OF_STEP}'\n" for step in steps)
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace(ADDRESS, url)],
        cwd=CHECKOUT,
        env=_environment() | {"BASE_URL": url},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    *outputs, rest = run.stdout.split(f"{END_OF_STEP}\n")
    problems = [
        f"{page}:\n{step.commands}\nprinted\n{output}"
        for step, output in zip(steps, outputs, strict=False)
        if step.answer is not None and not _is_same(step.answer, output)
    ]
    if run.returncode:
        failed = steps[len(outputs)]
        problems.append(f"{page}:\n{failed.commands}\nfailed with\n{rest}")
    return problems


def _environment():
    """Return the environment of a reader's shell, without variables that make `make` print more."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def _is_same(shown, printed):
    try:
        return json.loads(shown) == json.loads(printed)
    except ValueError:
        return shown == textwrap.dedent(printed).strip("\n")


if __name__ == "__main__":
    sys.exit(main())
