"""The steps: requests that clients of a small cloud send, in any order, some of them wrong."""

import itertools
from urllib import parse

from hypothesis import stateful
from hypothesis import strategies as st

from tests.deployed.beside_peer import clearing, cloud, refusals
from tests.deployed.beside_peer.answers import Step
from tests.deployed.beside_peer.tally import ERAS

# Each era is chosen equally often, and the newest version more often.
VERSIONS = st.one_of(
    st.just(cloud.NEWEST),
    *(st.integers(before + 1, era) for before, era in itertools.pairwise((-1, *ERAS))),
)
PROVIDERS = st.sampled_from(range(len(cloud.PROVIDERS)))
CONSUMERS_AT_ONCE = 4
CONSUMERS = st.sampled_from(range(CONSUMERS_AT_ONCE))
CLASSES = st.sampled_from(cloud.CLASSES)
# Most requests send the right generation.
IS_STALE = st.integers(0, 9).map(lambda number: number == 9)
AMOUNTS = st.integers(1, 6)
SOME_AMOUNTS = st.dictionaries(CLASSES, AMOUNTS, min_size=1, max_size=2)
SOME_TRAITS = st.sets(st.sampled_from(cloud.TRAITS), max_size=3).map(sorted)
SOME_AGGREGATES = st.sets(st.sampled_from(cloud.AGGREGATES), max_size=2).map(sorted)
INVENTORIES = st.fixed_dictionaries(
    {"total": st.integers(1, 12)},
    optional={
        "reserved": st.integers(0, 4),
        "min_unit": st.integers(1, 3),
        "max_unit": st.integers(1, 8),
        "step_size": st.integers(1, 3),
        "allocation_ratio": st.sampled_from([1.0, 0.5, 1.5, 4.0]),
    },
)
MORE_INVENTORIES = st.dictionaries(CLASSES, INVENTORIES, max_size=3)
OWNERS = st.tuples(
    st.sampled_from(cloud.PROJECTS),
    st.sampled_from(cloud.USERS),
    st.sampled_from(cloud.CONSUMER_TYPES),
)
ALLOCATIONS = st.dictionaries(PROVIDERS, SOME_AMOUNTS, min_size=1, max_size=2)
# A parent, inventories, traits, aggregates.
HOSTS = st.tuples(st.none() | PROVIDERS, MORE_INVENTORIES, SOME_TRAITS, SOME_AGGREGATES)


class Machine(stateful.RuleBasedStateMachine):
    """Steps in a Comparison, each of which depends on the answers to earlier ones."""

    def __init__(self, comparison):
        super().__init__()
        self._comparison = comparison
        self._done = []
        self._consumers = [cloud.new_consumer() for _ in range(CONSUMERS_AT_ONCE)]

    def teardown(self):
        """Remove everything, so that the next run begins with nothing."""
        clearing.clear(self._comparison, self._done)

    def ask(self, method, route, url, version=cloud.NEWEST, body=None):
        """Send the same request to both services, compare the answers, and return ours."""
        self._done.append(Step(method, route, url, version, body))
        return self._comparison.ask(self._done)

    def provider(self, method, place, below="", version=cloud.NEWEST, body=None):
        """Ask for a provider, or for something below it."""
        url = f"/resource_providers/{cloud.PROVIDERS[place]}{below}"
        return self.ask(method, "/resource_providers/{uuid}" + below, url, version, body)

    def generation(self, place, is_stale=False):
        """Return the generation of a provider, or another number."""
        shown = self.provider("GET", place)
        generation = shown.body["generation"] if shown.status == 200 else 0
        return _stale(generation) if is_stale else generation

    def consumer_generation(self, place, is_stale=False):
        shown = self.ask(
            "GET", "/allocations/{consumer_uuid}", f"/allocations/{self._consumers[place]}"
        )
        generation = shown.body.get("consumer_generation")
        return _stale(generation) if is_stale else generation

    @stateful.initialize(hosts=st.lists(HOSTS, min_size=1, max_size=len(cloud.PROVIDERS)))
    def begin(self, hosts):
        """Begin with some providers, because most steps need one."""
        for name in cloud.CUSTOM_CLASSES:
            self.ask("PUT", "/resource_classes/{name}", f"/resource_classes/{name}")
        for name in cloud.CUSTOM_TRAITS:
            self.ask("PUT", "/traits/{name}", f"/traits/{name}")
        for place, (parent, inventories, traits, aggregates) in enumerate(hosts):
            is_root = parent is None or parent >= place
            self.create_provider(place, None if is_root else parent, cloud.NEWEST)
            self.put_inventories(place, inventories, False, cloud.NEWEST)
            self.put_traits(place, traits, False, cloud.NEWEST)
            self.put_aggregates(place, aggregates, False, cloud.NEWEST)

    @stateful.rule(step=st.sampled_from(refusals.MALFORMED), version=VERSIONS)
    def malformed(self, step, version):
        method, route, url, body = step
        self.ask(method, route, url, version, body)

    # --- Providers ---

    @stateful.rule(place=PROVIDERS, parent=st.none() | PROVIDERS, version=VERSIONS)
    def create_provider(self, place, parent, version):
        body = {"name": f"p{place}", "uuid": cloud.PROVIDERS[place]}
        if parent is not None and version >= 14:
            body["parent_provider_uuid"] = cloud.PROVIDERS[parent]
        self.ask("POST", "/resource_providers", "/resource_providers", version, body)

    @stateful.rule(
        place=PROVIDERS, name=PROVIDERS, parent=st.none() | PROVIDERS, version=VERSIONS
    )
    def update_provider(self, place, name, parent, version):
        body = {"name": f"p{name}"}
        if version >= 14:
            body["parent_provider_uuid"] = None if parent is None else cloud.PROVIDERS[parent]
        self.provider("PUT", place, version=version, body=body)

    @stateful.rule(place=PROVIDERS, version=VERSIONS)
    def delete_provider(self, place, version):
        self.provider("DELETE", place, version=version)

    @stateful.rule(
        place=PROVIDERS,
        below=st.sampled_from(
            ["", "/inventories", "/usages", "/aggregates", "/traits", "/allocations"]
        ),
        version=VERSIONS,
    )
    def show_provider(self, place, below, version):
        self.provider("GET", place, below, version)

    @stateful.rule(
        name=st.none() | PROVIDERS,
        exact=st.none() | PROVIDERS,
        tree=st.none() | PROVIDERS,
        resources=st.none() | SOME_AMOUNTS,
        required=st.none() | st.sampled_from(cloud.TRAITS + ["!" + each for each in cloud.TRAITS]),
        members=st.none() | st.sampled_from(["in", "one", "!in"]),
        aggregates=st.sets(st.sampled_from(cloud.AGGREGATES), min_size=1, max_size=2).map(sorted),
        version=VERSIONS,
    )
    def list_providers(
        self, name, exact, tree, resources, required, members, aggregates, version
    ):
        asked = {}
        if name is not None:
            asked["name"] = f"p{name}"
        if exact is not None:
            asked["uuid"] = cloud.PROVIDERS[exact]
        if resources is not None:
            asked["resources"] = _resources(resources)
        asked |= _filters(required, members, aggregates, tree)
        query = f"?{parse.urlencode(asked)}" if asked else ""
        self.ask("GET", "/resource_providers", f"/resource_providers{query}", version)

    # --- What providers have ---

    @stateful.rule(
        place=PROVIDERS, inventories=MORE_INVENTORIES, is_stale=IS_STALE, version=VERSIONS
    )
    def put_inventories(self, place, inventories, is_stale, version):
        body = {
            "resource_provider_generation": self.generation(place, is_stale),
            "inventories": inventories,
        }
        self.provider("PUT", place, "/inventories", version, body)

    @stateful.rule(place=PROVIDERS, name=CLASSES, inventory=INVENTORIES, version=VERSIONS)
    def post_inventory(self, place, name, inventory, version):
        body = inventory | {"resource_class": name}
        self.provider("POST", place, "/inventories", version, body)

    @stateful.rule(
        place=PROVIDERS,
        method=st.sampled_from(["GET", "PUT", "DELETE"]),
        name=CLASSES,
        inventory=INVENTORIES,
        is_stale=IS_STALE,
        version=VERSIONS,
    )
    def one_inventory(self, place, method, name, inventory, is_stale, version):
        body = None
        if method == "PUT":
            generation = self.generation(place, is_stale)
            body = inventory | {"resource_provider_generation": generation}
        route = "/resource_providers/{uuid}/inventories/{resource_class}"
        url = f"/resource_providers/{cloud.PROVIDERS[place]}/inventories/{name}"
        self.ask(method, route, url, version, body)

    @stateful.rule(place=PROVIDERS, version=VERSIONS)
    def delete_inventories(self, place, version):
        self.provider("DELETE", place, "/inventories", version)

    @stateful.rule(place=PROVIDERS, traits=SOME_TRAITS, is_stale=IS_STALE, version=VERSIONS)
    def put_traits(self, place, traits, is_stale, version):
        generation = self.generation(place, is_stale)
        body = {"resource_provider_generation": generation, "traits": traits}
        self.provider("PUT", place, "/traits", version, body)

    @stateful.rule(place=PROVIDERS, version=VERSIONS)
    def delete_traits(self, place, version):
        self.provider("DELETE", place, "/traits", version)

    @stateful.rule(
        place=PROVIDERS, aggregates=SOME_AGGREGATES, is_stale=IS_STALE, version=VERSIONS
    )
    def put_aggregates(self, place, aggregates, is_stale, version):
        body = aggregates
        if version >= 19:
            generation = self.generation(place, is_stale)
            body = {"aggregates": aggregates, "resource_provider_generation": generation}
        self.provider("PUT", place, "/aggregates", version, body)

    # --- Names ---

    @stateful.rule(
        method=st.sampled_from(["GET", "PUT", "DELETE"]),
        name=st.sampled_from([*cloud.TRAITS, cloud.OTHER_NAME, "wrong"]),
        version=VERSIONS,
    )
    def one_trait(self, method, name, version):
        self.ask(method, "/traits/{name}", f"/traits/{name}", version)

    @stateful.rule(
        name=st.sampled_from(
            ["", "startswith:CUSTOM", "in:CUSTOM_FAST,HW_CPU_X86_VMX", "like:X", "startswith:"]
        ),
        associated=st.sampled_from(["", "true", "false", "maybe"]),
        version=VERSIONS,
    )
    def list_traits(self, name, associated, version):
        asked = {"name": name, "associated": associated}
        query = parse.urlencode({key: value for key, value in asked.items() if value})
        self.ask("GET", "/traits", f"/traits?{query}" if query else "/traits", version)

    @stateful.rule(
        method=st.sampled_from(["GET", "PUT", "DELETE"]),
        name=st.sampled_from([*cloud.CLASSES, cloud.OTHER_NAME, "wrong"]),
        renamed=st.sampled_from([*cloud.CUSTOM_CLASSES, "wrong"]),
        version=VERSIONS,
    )
    def one_class(self, method, name, renamed, version):
        body = {"name": renamed} if method == "PUT" and version < 7 else None
        route, url = "/resource_classes/{name}", f"/resource_classes/{name}"
        self.ask(method, route, url, version, body)

    @stateful.rule(name=st.sampled_from([*cloud.CLASSES, "wrong"]), version=VERSIONS)
    def create_class(self, name, version):
        self.ask("POST", "/resource_classes", "/resource_classes", version, {"name": name})

    @stateful.rule(version=VERSIONS)
    def list_classes(self, version):
        self.ask("GET", "/resource_classes", "/resource_classes", version)

    # --- Claims ---

    @stateful.rule(
        place=CONSUMERS, allocations=ALLOCATIONS, is_stale=IS_STALE, owner=OWNERS, version=VERSIONS
    )
    def claim(self, place, allocations, is_stale, owner, version):
        generation = self.consumer_generation(place, is_stale)
        body = cloud.claim(version, _named(allocations), generation, *owner)
        route, url = "/allocations/{consumer_uuid}", f"/allocations/{self._consumers[place]}"
        if self.ask("PUT", route, url, version, body).status >= 400:
            self.rename_new_consumers([place])

    @stateful.rule(
        place=CONSUMERS, provider=PROVIDERS, most=AMOUNTS, owner=OWNERS, version=VERSIONS
    )
    def claim_what_there_is(self, place, provider, most, owner, version):
        """Claim the least amounts of classes that a provider has: most of these claims fit."""
        shown = self.provider("GET", provider, "/inventories")
        if shown.status == 200 and shown.body["inventories"]:
            least = {name: _least(each) for name, each in shown.body["inventories"].items()}
            amounts = {name: amount for name, amount in least.items() if amount is not None}
            if amounts:
                amounts = dict(list(amounts.items())[:most])
                self.claim(place, {provider: amounts}, False, owner, version)

    @stateful.rule(
        claims=st.dictionaries(
            CONSUMERS,
            st.tuples(ALLOCATIONS | st.just({}), IS_STALE, OWNERS),
            min_size=1,
            max_size=3,
        ),
        version=VERSIONS,
    )
    def claim_for_many(self, claims, version):
        body = {}
        for place, (allocations, is_stale, owner) in claims.items():
            generation = self.consumer_generation(place)
            # The peer would remember a consumer that has nothing.
            if allocations or generation is not None:
                if is_stale:
                    generation = _stale(generation)
                one = cloud.claim(max(version, 12), _named(allocations), generation, *owner)
                body[self._consumers[place]] = one
        if self.ask("POST", "/allocations", "/allocations", version, body).status >= 400:
            self.rename_new_consumers(claims)

    def rename_new_consumers(self, places):
        """Replace consumers whose creation was refused: the peer may remember them."""
        for place in places:
            if self.consumer_generation(place) is None:
                self._consumers[place] = cloud.new_consumer()

    @stateful.rule(
        place=CONSUMERS, method=st.sampled_from(["GET", "DELETE"]), version=VERSIONS
    )
    def one_consumer(self, place, method, version):
        route, url = "/allocations/{consumer_uuid}", f"/allocations/{self._consumers[place]}"
        self.ask(method, route, url, version)

    @stateful.rule(place=PROVIDERS, to=PROVIDERS, is_stale=IS_STALE, version=VERSIONS)
    def reshape(self, place, to, is_stale, version):
        """Move a provider's inventories, and the allocations from them, to another provider."""
        source, target = cloud.PROVIDERS[place], cloud.PROVIDERS[to]
        held = self.provider("GET", place, "/inventories")
        if held.status != 200 or place == to:
            return
        there = self.provider("GET", to, "/inventories")
        used = self.provider("GET", place, "/allocations").body
        body = {
            "inventories": {
                source: {
                    "resource_provider_generation": self.generation(place, is_stale),
                    "inventories": {},
                },
                target: {
                    "resource_provider_generation": self.generation(to),
                    "inventories": (there.body["inventories"] if there.status == 200 else {})
                    | held.body["inventories"],
                },
            },
            "allocations": {
                consumer: self._moved(consumer, source, target, version)
                for consumer in used["allocations"]
            },
        }
        self.ask("POST", "/reshaper", "/reshaper", version, body)

    def _moved(self, consumer, source, target, version):
        """Return the allocations of a consumer, with those from `source` moved to `target`."""
        held = self.ask("GET", "/allocations/{consumer_uuid}", f"/allocations/{consumer}").body
        allocations = {}
        for provider, part in held["allocations"].items():
            where = target if provider == source else provider
            amounts = allocations.setdefault(where, {})
            for name, amount in part["resources"].items():
                amounts[name] = amounts.get(name, 0) + amount
        owner = held["project_id"], held["user_id"], held["consumer_type"]
        return cloud.claim(max(version, 30), allocations, held["consumer_generation"], *owner)

    # --- Questions ---

    @stateful.rule(
        project=st.sampled_from(cloud.PROJECTS),
        user=st.none() | st.sampled_from(cloud.USERS),
        consumer_type=st.sampled_from([None, *cloud.CONSUMER_TYPES, "all", "unknown", "NONE"]),
        version=VERSIONS,
    )
    def usages(self, project, user, consumer_type, version):
        asked = {"project_id": project, "user_id": user, "consumer_type": consumer_type}
        query = parse.urlencode({name: value for name, value in asked.items() if value})
        self.ask("GET", "/usages", f"/usages?{query}", version)

    @stateful.rule(
        resources=SOME_AMOUNTS,
        required=st.none() | st.sampled_from(cloud.TRAITS + ["!" + each for each in cloud.TRAITS]),
        members=st.none() | st.sampled_from(["in", "one", "!in"]),
        aggregates=st.sets(st.sampled_from(cloud.AGGREGATES), min_size=1, max_size=2).map(sorted),
        tree=st.none() | PROVIDERS,
        group=st.none() | SOME_AMOUNTS,
        group_required=st.none() | st.sampled_from(cloud.TRAITS),
        policy=st.sampled_from([None, "none", "isolate"]),
        is_limited=st.booleans(),
        version=VERSIONS,
    )
    def candidates(
        self,
        resources,
        required,
        members,
        aggregates,
        tree,
        group,
        group_required,
        policy,
        is_limited,
        version,
    ):
        asked = {"resources": _resources(resources)}
        asked |= _filters(required, members, aggregates, tree)
        if group is not None:
            asked["resources1"] = _resources(group)
            if group_required is not None:
                asked["required1"] = group_required
        if policy is not None:
            asked["group_policy"] = policy
        if is_limited:
            # There are fewer candidates than that, so both services return all of them.
            asked["limit"] = 1000
        url = f"/allocation_candidates?{parse.urlencode(asked)}"
        self.ask("GET", "/allocation_candidates", url, version)


def _least(inventory):
    """Return the least amount that an inventory may give, or None."""
    step = inventory["step_size"]
    amount = -(-inventory["min_unit"] // step) * step
    capacity = (inventory["total"] - inventory["reserved"]) * inventory["allocation_ratio"]
    return amount if amount <= min(inventory["max_unit"], capacity) else None


def _stale(generation):
    return (generation or 0) + 7


def _resources(amounts):
    return ",".join(f"{name}:{amount}" for name, amount in sorted(amounts.items()))


def _filters(required, members, aggregates, tree):
    """Return the given parameters that lists of providers and lists of candidates share."""
    member_of = aggregates[0] if members == "one" else f"{members}:{','.join(aggregates)}"
    asked = {
        "required": required,
        "member_of": None if members is None else member_of,
        "in_tree": None if tree is None else cloud.PROVIDERS[tree],
    }
    return {name: value for name, value in asked.items() if value is not None}


def _named(allocations):
    return {cloud.PROVIDERS[place]: amounts for place, amounts in allocations.items()}
