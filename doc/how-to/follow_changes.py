"""Keeps a copy of a cloud in step with Placement: follow_changes.py URL TOKEN."""

import sys
import time
from copy import deepcopy

import requests


class NothingToFollow(requests.RequestException):
    """The answer does not say which changes come after it."""


class Copy:
    """All providers, with their allocations, as GET /operator/providers?consumers=true has them."""

    def __init__(self, session, url):
        self.session, self.url = session, url
        self.providers, self.position = {}, None

    def read(self):
        """Read everything, and the position of the changes that it already has."""
        document = self._get("/operator/providers", consumers="true").json()
        if "changes_after" not in document:
            raise NothingToFollow(
                "The service names no changes to follow: its release is too old, it records none "
                "([operator] history_days is 0), or only its replica answers."
            )
        self.providers = {each["uuid"]: each for each in document["resource_providers"]}
        self.position = document["changes_after"]

    def follow(self):
        """Apply the changes since the last time, and return them."""
        answer = self._get("/operator/changes", after=self.position)
        if answer.status_code == 410:  # This copy is too old to catch up.
            self.read()
            return []
        document = answer.json()
        for change in document["changes"]:
            self.apply(change)
        self.position = document["next"]
        return document["changes"]

    def _get(self, path, **query):
        answer = self.session.get(self.url + path, params=query, timeout=60)
        if answer.status_code != 410:
            answer.raise_for_status()
        return answer

    def apply(self, change):
        uuid, before, after = change["uuid"], change["before"], deepcopy(change["after"])
        match change["kind"]:
            case "provider" if after is None:
                del self.providers[uuid]
            case "provider":
                contents = {"inventories": {}, "traits": [], "aggregates": [], "allocations": {}}
                self.providers.setdefault(uuid, {"uuid": uuid, **contents}).update(after)
            case "inventories":
                old = self.providers[uuid]["inventories"]
                for name, inventory in after.items():
                    inventory["used"] = old[name]["used"] if name in old else 0
                self.providers[uuid]["inventories"] = after
            case "traits" | "aggregates" as kind:
                self.providers[uuid][kind] = after
            case "allocations":
                if change["by"] == "database":  # What was there may not be known.
                    before = self._held(uuid)
                self._allocate(uuid, before, -1)
                self._allocate(uuid, after, 1)
            case "resource_class" if before and after:
                self._rename_class(before["name"], after["name"])
        for each, generation in change["generations"].items():
            self.providers[each]["generation"] = generation

    def _allocate(self, consumer, state, sign):
        """Give a consumer what it holds in a state, or take it back."""
        owner = dict(state or {"allocations": {}})
        for uuid, held in owner.pop("allocations").items():
            provider = self.providers[uuid]
            for name, amount in held["resources"].items():
                if name in provider["inventories"]:
                    provider["inventories"][name]["used"] += sign * amount
            if sign > 0:
                provider["allocations"][consumer] = held | owner
            else:
                del provider["allocations"][consumer]

    def _held(self, consumer):
        """Return what this copy has of a consumer."""
        of_providers = {uuid: each["allocations"] for uuid, each in self.providers.items()}
        held = {uuid: each[consumer] for uuid, each in of_providers.items() if consumer in each}
        return {"allocations": held}

    def _rename_class(self, old, new):
        for provider in self.providers.values():
            held = [each["resources"] for each in provider["allocations"].values()]
            for amounts in [provider["inventories"], *held]:
                if old in amounts:
                    amounts[new] = amounts.pop(old)


if __name__ == "__main__":
    session = requests.Session()
    session.headers["X-Auth-Token"] = sys.argv[2]
    copy = Copy(session, sys.argv[1])
    try:
        copy.read()
    except requests.RequestException as error:
        sys.exit(f"follow_changes.py: {error}")
    while True:
        try:
            for change in copy.follow():
                print(change["position"], change["operation"], change["kind"], change["uuid"])
        except requests.RequestException as error:  # The copy is as it was: ask again.
            print(error, file=sys.stderr)
        time.sleep(1)
