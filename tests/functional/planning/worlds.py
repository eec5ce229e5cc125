"""Random clouds whose consumers have really claimed what they hold."""

import uuid

from placement.candidates import search
from placement.objects.claims import writing
from placement.objects.claims.claim import ConsumerClaim
from tests.functional.random_worlds import CLASS_NAMES, RandomWorlds, named


class ClaimedWorlds(RandomWorlds):
    """A mixin for a story that runs on each database."""

    def fill(self, thrower, world, consumers, types=("INSTANCE",), projects=("project",)):
        """Replace everything with a random world, and let consumers claim random candidates.

        Sets `claims` to [(ConsumerClaim, {(provider_id, class_id): amount})].
        """
        self.claims = []
        with self.database.writer() as conn:
            self.store(conn, world)
        for _ in range(consumers):
            query = thrower.query(world, granular_groups=thrower.random.randint(0, 2))
            found = search.find(self.database, named(query), search.Strategy(most=20))
            if found.candidates:
                self.claim(thrower, found, types, projects)

    def claim(self, thrower, found, types, projects):
        candidate = thrower.random.choice(found.candidates)
        allocations = {}
        for (provider_id, class_id), amount in candidate.amounts.items():
            provider_uuid = candidate.forest.providers[provider_id].uuid
            allocations.setdefault(provider_uuid, {})[CLASS_NAMES[class_id]] = amount
        if allocations:
            wanted = ConsumerClaim(
                consumer_uuid=str(uuid.uuid4()),
                project_id=thrower.random.choice(projects),
                user_id="user",
                consumer_type=thrower.random.choice(types),
                generation=None,
                allocations=allocations,
            )
            writing.replace_allocations(self.database, [wanted])
            self.claims.append((wanted, candidate.amounts))
