"""A small cloud, made over HTTP, and requests about it."""

import itertools

import requests

NEWEST = "latest"


class Client:
    """A client of the server at `url`."""

    def __init__(self, url):
        self._url = url
        self._session = requests.Session()
        # Proxies that the environment names are not for this service.
        self._session.trust_env = False

    def ask(self, method, path, body=None, version=NEWEST):
        headers = {
            "Accept": "application/json",
            "X-Auth-Token": "admin",
            "OpenStack-API-Version": f"placement {version}",
        }
        return self._session.request(method, self._url + path, json=body, headers=headers)

    def make(self, method, path, body=None, version=NEWEST):
        """Send a request that must succeed. Return the answer."""
        answer = self.ask(method, path, body, version)
        answer.raise_for_status()
        return answer

    def register(self, provider, inventories, parent=None, traits=(), aggregates=()):
        """Make a provider, named as its uuid. `inventories` are {class: total or all fields}."""
        self.make(
            "POST",
            "/resource_providers",
            {"uuid": provider, "name": provider, "parent_provider_uuid": parent},
        )
        fields = {
            name: each if isinstance(each, dict) else {"total": each}
            for name, each in inventories.items()
        }
        for path, content in [
            ("inventories", {"inventories": fields}),
            ("traits", {"traits": list(traits)}),
            ("aggregates", {"aggregates": list(aggregates)}),
        ]:
            self._put(provider, path, content)

    def _put(self, provider, path, content):
        found = self.make("GET", f"/resource_providers/{provider}").json()
        body = content | {"resource_provider_generation": found["generation"]}
        self.make("PUT", f"/resource_providers/{provider}/{path}", body)

    def claim(self, consumer, host, **amounts):
        """Claim for a new consumer. Return the status."""
        return self.ask("PUT", f"/allocations/{consumer}", claim({host: amounts})).status_code

    def release(self, consumer):
        return self.ask("DELETE", f"/allocations/{consumer}").status_code

    def hosts_for(self, resources):
        """Return the uuids of the providers in any of the candidates."""
        found = self.make("GET", f"/allocation_candidates?resources={resources}").json()
        return {
            provider for each in found["allocation_requests"] for provider in each["allocations"]
        }


def claim(resources_by_provider, consumer_type="INSTANCE", project="blue", user="ada"):
    return {
        "allocations": {
            provider: {"resources": resources}
            for provider, resources in resources_by_provider.items()
        },
        "project_id": project,
        "user_id": user,
        "consumer_type": consumer_type,
        "consumer_generation": None,
    }


def _numbered(prefix):
    return (f"{prefix}-0000-4000-8000-{number:012}" for number in itertools.count(1))


_provider_uuids, _consumer_uuids = _numbered("5a000001"), _numbered("5a000002")
ROOTS = [next(_provider_uuids) for _ in range(2)]
NUMA_NODES = {root: [next(_provider_uuids) for _ in range(2)] for root in ROOTS}
CARDS = {root: next(_provider_uuids) for root in ROOTS}
PLAIN, BARE_METAL, STORAGE = (next(_provider_uuids) for _ in range(3))
# One provider of each kind.
PROVIDERS = [ROOTS[0], NUMA_NODES[ROOTS[0]][0], CARDS[ROOTS[0]], PLAIN, BARE_METAL, STORAGE]
CONSUMERS = [next(_consumer_uuids) for _ in range(6)]
RACK, NOWHERE = "5a000003-0000-4000-8000-000000000001", "5a000003-0000-4000-8000-000000000002"


def fill(client):
    """Make trees, a sharing provider, a bare-metal node, and consumers of several kinds."""
    for path in ("/resource_classes/CUSTOM_BAREMETAL", "/traits/CUSTOM_GOLD", "/traits/CUSTOM_NET"):
        client.make("PUT", path)
    for root in ROOTS:
        client.register(root, {"MEMORY_MB": {"total": 4096, "reserved": 512}}, aggregates=[RACK])
        for node in NUMA_NODES[root]:
            # This capacity is right in single precision, too: on MariaDB, openstack-placement
            # computes 10 * 0.7 as 6.
            cores = {"VCPU": {"total": 14, "allocation_ratio": 0.5, "max_unit": 4}}
            client.register(node, cores, root, ["HW_NUMA_ROOT", "CUSTOM_GOLD"])
        client.register(CARDS[root], {"SRIOV_NET_VF": 8}, NUMA_NODES[root][0], ["CUSTOM_NET"])
    sized = {"total": 64, "min_unit": 2, "max_unit": 32, "step_size": 2, "allocation_ratio": 1.5}
    amounts = {"VCPU": sized, "MEMORY_MB": 1024, "DISK_GB": 100}
    client.register(PLAIN, amounts, None, ["HW_CPU_X86_AVX"])
    client.register(BARE_METAL, {"CUSTOM_BAREMETAL": 1}, aggregates=[NOWHERE])
    client.register(STORAGE, {"DISK_GB": 2000}, None, ["MISC_SHARES_VIA_AGGREGATE"], [RACK])
    _occupy(client)


def _occupy(client):
    root, (node, _), card = ROOTS[0], NUMA_NODES[ROOTS[0]], CARDS[ROOTS[0]]
    spread = {root: {"MEMORY_MB": 256}, node: {"VCPU": 3}, card: {"SRIOV_NET_VF": 1}}
    instance, migration, node_user, older, oldest, gone = CONSUMERS
    client.make("PUT", f"/allocations/{instance}", claim(spread | {STORAGE: {"DISK_GB": 50}}))
    both = {migration: claim(spread, "MIGRATION"), gone: claim({PLAIN: {"VCPU": 2}}, user="bob")}
    client.make("POST", "/allocations", both)
    client.make("PUT", f"/allocations/{gone}", claim({}) | {"consumer_generation": 1})
    whole = claim({BARE_METAL: {"CUSTOM_BAREMETAL": 1}}, "UNKNOWN_KIND", "red", "bob")
    client.make("PUT", f"/allocations/{node_user}", whole)
    in_a_list = {
        "allocations": [{"resource_provider": {"uuid": PLAIN}, "resources": {"VCPU": 4}}]
    }
    client.make("PUT", f"/allocations/{oldest}", in_a_list, "1.0")
    owned = in_a_list | {"project_id": "red", "user_id": "ada"}
    client.make("PUT", f"/allocations/{older}", owned, "1.8")


QUESTIONS = [
    "/",
    *(
        f"/resource_providers{query}"
        for query in [
            "",
            f"?name={PLAIN}",
            f"?uuid={STORAGE}",
            f"?member_of={RACK}",
            f"?member_of=!{RACK}",
            f"?member_of=in:{RACK},{NOWHERE}",
            "?resources=VCPU:3",
            "?resources=VCPU:3,MEMORY_MB:512",
            "?required=CUSTOM_GOLD",
            "?required=!CUSTOM_GOLD",
            "?required=in:CUSTOM_GOLD,CUSTOM_NET",
            f"?in_tree={CARDS[ROOTS[0]]}",
            "?required=CUSTOM_GLOD",
            "?color=blue",
        ]
    ),
    *(
        f"/resource_providers/{provider}{part}"
        for provider in [*PROVIDERS, NOWHERE]
        for part in ["", "/inventories", "/usages", "/aggregates", "/traits", "/allocations"]
    ),
    f"/resource_providers/{PLAIN}/inventories/VCPU",
    f"/resource_providers/{PLAIN}/inventories/PCPU",
    "/resource_classes",
    "/resource_classes/VCPU",
    "/resource_classes/CUSTOM_BAREMETAL",
    "/resource_classes/CUSTOM_NOTHING",
    "/traits",
    "/traits?name=startswith:CUSTOM",
    "/traits?name=in:CUSTOM_GOLD,CUSTOM_NET,CUSTOM_GLOD",
    "/traits?associated=true",
    "/traits?associated=false",
    "/traits/CUSTOM_GOLD",
    "/traits/CUSTOM_GLOD",
    *(f"/allocations/{consumer}" for consumer in CONSUMERS),
    *(
        f"/usages?{query}"
        for query in [
            "project_id=blue",
            "project_id=red&user_id=ada",
            "project_id=red&consumer_type=all",
            "project_id=blue&consumer_type=MIGRATION",
            "project_id=red&consumer_type=unknown",
            "project_id=nobody",
            "user_id=ada",
        ]
    ),
    *(
        f"/allocation_candidates?{query}"
        for query in [
            "resources=VCPU:2",
            "resources=VCPU:3",
            "resources=VCPU:4",
            "resources=VCPU:2,DISK_GB:10",
            "resources=MEMORY_MB:1000,DISK_GB:10",
            "resources=CUSTOM_BAREMETAL:1",
            "resources=VCPU:2&required=CUSTOM_GOLD",
            "resources=VCPU:2&required=!CUSTOM_GOLD",
            "resources=VCPU:2&required=in:CUSTOM_GOLD,HW_CPU_X86_AVX",
            f"resources=VCPU:2&member_of={RACK}",
            f"resources=VCPU:2&in_tree={ROOTS[1]}",
            "resources1=VCPU:1&resources2=VCPU:1&group_policy=isolate",
            "resources1=VCPU:1&resources2=VCPU:1&group_policy=none",
            "resources1=VCPU:1&resources2=VCPU:1",
            "resources_CORES=VCPU:1&resources_NET=SRIOV_NET_VF:1&required_NET=CUSTOM_NET"
            "&same_subtree=_CORES,_NET&group_policy=none",
            "resources=VCPU:1&root_required=CUSTOM_GOLD",
            "resources=VCPU:99",
            "resources=NOTHING:1",
            "limit=3",
        ]
    ),
]
