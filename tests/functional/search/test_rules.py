"""Every example of the rules, sent over HTTP: the service does what the page says.

Source: doc/explanation/rules.rst.
"""

import re
import unittest
import urllib.parse

from tests.batches import in_batches
from tests.documentation import examples
from tests.fixtures import Application
from tests.trees import as_uuid

_PROVIDER = re.compile(r"( *)(\w+)(?: \{(.*?)\})?(?: <(.*?)>)?(?: \[(.*?)\])?")
_INVENTORY = re.compile(r"(\w+)(?: \(generation (\d+)\))? \{(.*)\}")
_CLAIM = re.compile(r"(\w+)(?: \(generation (\w+)\))?: (.*)")
_CANDIDATES = re.compile(r"resources\w*=")
_TAKEN = re.compile(r"(\w+)\((.*?)\)")


class Rules(unittest.TestCase):
    def test_the_search_gives_the_result_of_every_example_in_the_rules(self):
        for example in examples.examples():
            self.assert_is_true(example)

    def test_the_search_in_batches_gives_the_result_of_every_example(self):
        for example in examples.examples():
            if any(map(_CANDIDATES.match, dict(example.questions))):
                with in_batches():
                    self.assert_is_true(example)

    def assert_is_true(self, example):
        with Application() as service:
            world = World(service, example.tree)
            for question, answers in example.questions:
                with self.subTest(rule=example.rule, question=question):
                    self.assertEqual(answers, world.answers(question, answers))

    def test_every_kind_of_rule_has_an_example(self):
        """If it fails, no examples are found for some kind of rule, so none are tested."""
        letters = {example.rule[:1] for example in examples.examples()}
        self.assertEqual({rule[0] for rule in examples.rules()}, letters - {""})


class World:
    """The providers of an example, in a service of their own."""

    def __init__(self, service, tree):
        self._service = service
        self._names = {}
        branch = []
        for line in tree.splitlines():
            indent, *provider = _PROVIDER.fullmatch(line).groups(default="")
            del branch[len(indent) // 2 :]
            self._create(*provider, parent=branch[-1] if branch else None)
            branch.append(provider[0])

    def answers(self, question, expected):
        """Return the service's answer to a question of the page, in the words of the page."""
        if question.startswith("GET /resource_providers?"):
            return self._listed(question.removeprefix("GET "), expected)
        if question.startswith("summaries of "):
            return self._summarised(question.removeprefix("summaries of "))
        if _CANDIDATES.match(question):
            return self._candidates(question, expected)
        return [self._written(question, *expected)]

    def _listed(self, path, expected):
        answer = self._ask("GET", _with_uuids(path))
        if answer.status_int != 200:
            return [_refusal(answer, *expected)]
        return [self._in_order(each["uuid"] for each in answer.json["resource_providers"])]

    def _summarised(self, query):
        return [self._in_order(self._find(query).json["provider_summaries"])]

    def _in_order(self, uuids):
        return ", ".join(sorted(map(self._names.get, uuids), key=self._place)) or "nothing"

    def _find(self, query):
        query, _, version = query.partition(" at ")
        return self._ask("GET", _with_uuids(f"/allocation_candidates?{query}"), version=version)

    def _candidates(self, query, expected):
        answer = self._find(query)
        if answer.status_int != 200:
            return [_refusal(answer, *expected)]
        found = sorted(map(self._line, answer.json["allocation_requests"]))
        # The order of candidates has no meaning.
        return expected if found == sorted(expected) else found or ["nothing"]

    def _line(self, request):
        amounts = {self._names[uuid]: given for uuid, given in request["allocations"].items()}
        line = " + ".join(
            f"{name}({_amounts(amounts[name]['resources'])})"
            for name in sorted(amounts, key=self._place)
        )
        granular = " ".join(
            f"{suffix}={self._names[uuid]}"
            for suffix, (uuid, *_) in sorted(request.get("mappings", {}).items())
            if suffix
        )
        return f"{line}; {granular}" if granular else line

    def _place(self, name):
        return [*self._names.values()].index(name)

    def _written(self, question, expected):
        """Send one write. `expected` says which part of a refusal and which generations matter."""
        outcome, _, generations = expected.partition("; ")
        answer = self._send([part.strip() for part in question.split("&")])
        shown = _refusal(answer, outcome) if answer.status_int >= 400 else str(answer.status_int)
        if generations:
            names = [each.partition("=")[0] for each in generations.split()]
            shown += "; " + " ".join(f"{name}={self._generation(name)}" for name in names)
        return shown

    def _send(self, parts):
        inventories, claims = {}, {}
        for part in parts:
            if part.startswith("delete "):
                return self._ask("DELETE", f"/allocations/{as_uuid(part.removeprefix('delete '))}")
            if inventory := _INVENTORY.fullmatch(part):
                name, generation, rooms = inventory.groups()
                inventories[as_uuid(name)] = {
                    "resource_provider_generation": int(generation or self._generation(name)),
                    "inventories": {key: given for key, given, _ in map(_room, _items(rooms))},
                }
            else:
                name, generation, taken = _CLAIM.fullmatch(part).groups()
                claims[as_uuid(name)] = self._claim(name, generation, taken)
        if claims and inventories:
            body = {"inventories": inventories, "allocations": claims}
            return self._ask("POST", "/reshaper", body)
        if inventories:
            ((uuid, body),) = inventories.items()
            return self._ask("PUT", f"/resource_providers/{uuid}/inventories", body)
        return self._ask("POST", "/allocations", claims)

    def _claim(self, name, generation, taken):
        return {
            "allocations": {
                as_uuid(provider): {"resources": dict(map(_amount, _items(amounts)))}
                for provider, amounts in _TAKEN.findall(taken)
            },
            "project_id": "acme",
            "user_id": "wile",
            "consumer_type": "INSTANCE",
            "consumer_generation": _number(generation or self._generation(name)),
        }

    def _generation(self, name):
        """Return the generation of a provider or consumer; "null" for an unknown consumer."""
        uuid = as_uuid(name)
        if uuid in self._names:
            return self._ask("GET", f"/resource_providers/{uuid}").json["generation"]
        return self._ask("GET", f"/allocations/{uuid}").json.get("consumer_generation", "null")

    def _create(self, name, rooms, traits, aggregates, parent):
        uuid = as_uuid(name)
        self._names[uuid] = name
        body = {"name": name, "uuid": uuid, "parent_provider_uuid": parent and as_uuid(parent)}
        self._must("POST", "/resource_providers", body)
        rooms = [_room(room) for room in _items(rooms)]
        for class_name, _, _ in rooms:
            if class_name.startswith("CUSTOM_"):
                self._must("PUT", f"/resource_classes/{class_name}")
        self._set(name, "inventories", {key: given for key, given, _ in rooms})
        for trait in _items(traits):
            if trait.startswith("CUSTOM_"):
                self._must("PUT", f"/traits/{trait}")
        self._set(name, "traits", _items(traits))
        self._set(name, "aggregates", [as_uuid(each) for each in _items(aggregates)])
        if used := [f"{key} {amount}" for key, _, amount in rooms if amount]:
            answer = self._send([f"others_on_{name}: {name}({', '.join(used)})"])
            assert answer.status_int == 204, answer.text

    def _set(self, name, kind, given):
        if given:
            body = {"resource_provider_generation": self._generation(name), kind: given}
            self._must("PUT", f"/resource_providers/{as_uuid(name)}/{kind}", body)

    def _must(self, *request):
        answer = self._ask(*request)
        assert answer.status_int < 300, answer.text

    def _ask(self, method, path, body=None, version=""):
        options = {} if body is None else {"json": body, "content_type": "application/json"}
        roles = {"X-Roles": "admin,service"}
        return self._service.ask(method, path, version or "latest", headers=roles, **options)


def _refusal(answer, expected):
    """Return the status and text of a refusal: the expected part of the text if it is in there."""
    (error,) = answer.json["errors"]
    status, _, part = expected.partition(" ")
    text = f"{error.get('code')} {error['detail']}"
    return f"{answer.status_int} {part if part in text else text}".rstrip()


def _room(text):
    """Return (class, inventory, how much of it is used) of `VCPU 8 reserved 2 used 1`."""
    class_name, total, *rest = text.split()
    fields = dict(zip(rest[::2], map(float, rest[1::2]), strict=True))
    used = int(fields.pop("used", 0))
    return class_name, {"total": int(total)} | fields, used


def _amount(text):
    class_name, amount = text.split()
    return class_name, int(amount)


def _amounts(resources):
    return ", ".join(f"{key} {amount}" for key, amount in sorted(resources.items()))


def _items(text):
    return [item.strip() for item in text.split(",") if item]


def _number(generation):
    return None if generation == "null" else int(generation)


def _with_uuids(url):
    """Return a URL with the words for aggregates and trees in its query replaced by uuids."""
    path, _, query = url.partition("?")
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    return path + "?" + urllib.parse.urlencode([(key, _value(key, each)) for key, each in pairs])


def _value(key, value):
    if not key.startswith(("member_of", "in_tree")):
        return value
    prefix, names = re.fullmatch(r"(!?(?:in:)?)(.*)", value).groups()
    return prefix + ",".join(map(as_uuid, names.split(",")))
