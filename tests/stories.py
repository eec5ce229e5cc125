"""The stories of tests/gabbits as gabbi reads them: with the requests that make their worlds.

Unless the `defaults` of a file name headers, an administrator tells the story in the newest
version:

    defaults:
      request_headers:
        x-auth-token: admin
        content-type: application/json
        openstack-api-version: placement latest

A file may begin with a world, which is there before the first request of the story:

    world: |
      host {MEMORY_MB 8, VCPU 4 reserved 1} <CUSTOM_FAST> [rack]
        numa0 {PCPU 6 max_unit 4}
      disk {DISK_GB 9} <SHARE> [rack]
      instance (INSTANCE project-1 user-1) uses numa0(PCPU 2) + disk(DISK_GB 1)
      unused: {CUSTOM_PORT} <CUSTOM_SLOW>
      later: other

Providers are drawn as tests/drawings.py says; the words in braces are the fields of inventories. A
consumer has a line with its type, project and user. A line that ends with a comma continues in the
next. Custom resource classes and traits are created, too; `unused` draws those that no provider
has. `later` names what the story itself creates.

In the rest of the file `<host>`, `<rack>`, `<instance>` and `<other>` stand for uuids, and
`<host.name>` for the name of a provider; they are different in each story. Uuids sort in the order
of the drawing. `<host.generation>` and `<instance.generation>` are the generations in this world,
before the story writes anything. A tag that is closed in its line, as in `<h1>Not Found</h1>`, is
left as it is.

All stories share a live server. One about candidates marks its roots with a trait, and asks for
this trait in all of its requests, but not in those that make its world:

    defaults:
      query_parameters: {root_required: CUSTOM_FAST}

`python -m tests.stories DIRECTORY` writes files for gabbi-run.
"""

import collections
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import sys
import textwrap
import types
import unittest
import uuid

import yaml
from gabbi import handlers, suitemaker
from gabbi.handlers import jsonhandler

from tests import drawings

STORIES = pathlib.Path(__file__).parent / "gabbits"
FLAVORS = STORIES / "flavors.txt"
# Of the application that the stories are about.
OPTIONS = {"api__docs_page": True, "operator__page": True, "metrics__flavors": str(FLAVORS)}

# The loader in C is ten times faster.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORLD = re.compile(r"^world: \|\n((?:(?:  .*)?\n)+)", re.MULTILINE)
_DEFAULTS = re.compile(r"^defaults:.*\n(?:  .*\n)*", re.MULTILINE)
_REQUESTS = re.compile(r"^tests:\n", re.MULTILINE)
_TRAITS = re.compile(r"<(.*?)>")
_REFERENCE = re.compile(r"<([\w-]+(?:\.(?:name|generation))?)>(?!.*</\1>)")
_CONSUMER = re.compile(r"([\w-]+) \((\w+) (\S+) (\S+)\) uses (.+)")
_CLAIMED = re.compile(r"([\w-]+)\((.*?)\)")
_UNUSED = re.compile(r"unused:(?: \{(.*?)\})?(?: <(.*?)>)?")
_LATER = "later: "
# gabbi would make a new parser for each JSON path, which takes as long as a request.
jsonhandler.json_parser = types.SimpleNamespace(
    parse=functools.cache(jsonhandler.json_parser.parse)
)
_CONTINUED = re.compile(r",\n +")

# The headers of a story that has none of its own.
HEADERS = {
    "x-auth-token": "admin",
    "content-type": "application/json",
    "openstack-api-version": "placement latest",
}
# These apply regardless of what the story says about its own requests.
_HEADERS_OF_WORLDS = HEADERS | {"x-roles": "admin"}


def main(directory):
    """Write all stories into a directory, for gabbi-run."""
    os.makedirs(directory, exist_ok=True)
    write(directory)


def write(directory):
    """Write all stories into a directory as files that gabbi reads. Return their paths."""
    paths = []
    for story in sorted(STORIES.glob("*.yaml")):
        paths.append(os.path.join(directory, story.name))
        pathlib.Path(paths[-1]).write_text(expanded(story.stem, story.read_text()))
    return paths


def load(path):
    """Return a story as the dict that gabbi makes suites of."""
    path = pathlib.Path(path)
    return yaml.load(expanded(path.stem, path.read_text()), Loader=_LOADER)


def suite(path, application, name=None):
    """Return gabbi's suite of a story; `application` returns the application to ask.

    `name` begins the ids of its tests.
    """
    return suitemaker.test_suite_from_dict(
        # gabbi needs all requests of a story: a loader with `python -m unittest -k` drops some.
        unittest.TestLoader(),
        path.stem,
        load(path),
        str(STORIES),
        str(uuid.uuid4()),
        None,
        None,
        application,
        test_loader_name=name,
        handlers=[handler() for handler in handlers.RESPONSE_HANDLERS],
    )


def standard_traits(path):
    """Return the names of the standard traits in the drawing of a file."""
    drawn = _WORLD.search(path.read_text())
    listed = _TRAITS.findall(drawn[1]) if drawn else []
    names = {name for each in listed for name in drawings.items(each)}
    return {name for name in names if name != "SHARE" and not name.startswith("CUSTOM_")}


def expanded(story, text):
    """Return the text of a story with the drawing replaced by requests that create its world.

    Headers are added to its defaults if these name none.

    Raises: ValueError for a name that the drawing does not have, and for what is not drawn.
    """
    own = _DEFAULTS.search(text)
    defaults = yaml.load(own[0], Loader=_LOADER)["defaults"] if own else {}
    if "request_headers" not in defaults:
        text = _DEFAULTS.sub("", text)
        defaults = json.dumps({"request_headers": HEADERS} | defaults)
        text = _REQUESTS.sub(lambda start: f"defaults: {defaults}\n\n{start[0]}", text, count=1)
    drawn = _WORLD.search(text)
    if not drawn:
        return text
    world = World(story, textwrap.dedent(drawn[1]).strip())
    rest = world.with_uuids(text[: drawn.start()] + text[drawn.end() :])
    requests = "".join(f"- {json.dumps(request)}\n" for request in world.requests())
    return _REQUESTS.sub(lambda start: f"{start[0]}\n{requests}", rest, count=1)


class World:
    """What is drawn at the top of a story. `values` is {reference: what it stands for}."""

    def __init__(self, story, drawing):
        self._story = story
        self._counts = collections.Counter()
        self._providers, self._consumers, self._unused, later = [], [], [], []
        for line in _CONTINUED.sub(", ", drawing).splitlines():
            if line.startswith(_LATER):
                later += drawings.items(line.removeprefix(_LATER))
            elif match := _UNUSED.fullmatch(line):
                self._unused.append([drawings.items(names or "") for names in match.groups()])
            elif match := _CONSUMER.fullmatch(line):
                self._consumers.append(match.groups())
            else:
                self._providers.append(drawings.read_provider(line))
        self.values = {}
        self._name("c", (provider.name for provider in self._providers))
        for provider in self._providers:
            self.values[f"{provider.name}.name"] = f"{story}-{provider.name}"
            self.values[f"{provider.name}.generation"] = self._generation(provider)
            self._name("a", provider.aggregates)
        for name, *_ in self._consumers:
            self._name("e", [name])
            self.values[f"{name}.generation"] = "1"
        self._name("f", later)

    def _name(self, kind, names):
        """Give uuids to names that have none. `kind` is their first digit."""
        for name in names:
            if name not in self.values:
                self.values[name] = self._uuid(kind)

    def _uuid(self, kind):
        """Return a uuid: uuids sort as they are drawn, and are different in each story."""
        self._counts[kind] += 1
        story = hashlib.sha256(self._story.encode()).hexdigest()[:12]
        return f"{kind}{self._counts[kind]:07x}-0000-4000-8000-{story}"

    def _generation(self, provider):
        """Return the generation of a provider, as text: each drawn part and claim raises it."""
        parts = (provider.inventories, provider.traits, provider.aggregates)
        claims = (_CLAIMED.findall(claimed) for *_, claimed in self._consumers)
        claimed = sum(provider.name in dict(each) for each in claims)
        return str(sum(map(bool, parts)) + claimed)

    def with_uuids(self, text):
        """Replace all references in a text with what they stand for."""
        return _REFERENCE.sub(self._value, text)

    def _value(self, reference):
        if reference[1] not in self.values:
            raise ValueError(f"{self._story}: {reference[0]} is not in its world.")
        return self.values[reference[1]]

    def requests(self):
        """Generate the requests that make the world, as dicts that gabbi makes tests of."""
        yield from self._names()
        branch = []
        for provider in self._providers:
            del branch[provider.depth :]
            yield from self._provider(provider, branch[-1] if branch else None)
            branch.append(provider.name)
        for consumer in self._consumers:
            yield self._claim(*consumer)

    def _names(self):
        """Generate the requests that make custom classes and traits."""
        drawn = [(each.inventories, each.traits) for each in self._providers] + self._unused
        classes, traits = zip(*drawn, strict=True) if drawn else ((), ())
        for resource, listed in (("resource_classes", classes), ("traits", traits)):
            for name in dict.fromkeys(itertools.chain(*listed)):
                if name.startswith("CUSTOM_"):
                    yield _request(f"{name} is there", f"/{resource}/{name}", status=201)

    def _provider(self, drawn, parent):
        """Create a provider, and replace all its parts that are drawn.

        Each PUT raises the generation by one.
        """
        body = {"uuid": self.values[drawn.name], "name": self.values[f"{drawn.name}.name"]}
        if parent:
            body["parent_provider_uuid"] = self.values[parent]
        yield _request(f"{drawn.name} is created", "/resource_providers", body, method="POST")
        parts = {
            "inventories": {
                class_name: {"total": total}
                | {word: json.loads(text) for word, text in rest.items()}
                for class_name, (total, rest) in drawn.inventories.items()
            },
            "traits": [
                "MISC_SHARES_VIA_AGGREGATE" if trait == drawings.SHARE else trait
                for trait in drawn.traits
            ],
            "aggregates": [self.values[aggregate] for aggregate in drawn.aggregates],
        }
        drawn_parts = [(part, value) for part, value in parts.items() if value]
        for generation, (part, value) in enumerate(drawn_parts):
            yield _request(
                f"{drawn.name} has {part}",
                f"/resource_providers/{self.values[drawn.name]}/{part}",
                {"resource_provider_generation": generation, part: value},
            )

    def _claim(self, name, consumer_type, project, user, claimed):
        allocations = {
            self.values[provider]: {"resources": drawings.amounts(resources)}
            for provider, resources in _CLAIMED.findall(claimed)
        }
        body = {
            "allocations": allocations,
            "project_id": project,
            "user_id": user,
            "consumer_generation": None,
            "consumer_type": consumer_type,
        }
        return _request(f"{name} claims", f"/allocations/{self.values[name]}", body, status=204)


def _request(name, url, body=None, method="PUT", status=200):
    request = {
        "name": f"in this world, {name}",
        "request_headers": _HEADERS_OF_WORLDS,
        "query_parameters": None,
        method: url,
        "status": status,
    }
    return request | ({"data": body} if body else {})


if __name__ == "__main__":
    main(*sys.argv[1:])
