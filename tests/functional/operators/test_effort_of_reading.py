"""How much effort reading a cloud allows, and takes: see placement/candidates/effort.py."""

from unittest import mock

from placement.candidates.effort import Effort
from placement.candidates.fits import fit, mix, summarized_cloud
from placement.candidates.fits.what_if import WhatIf
from placement.candidates.plans import cloud, release
from placement.candidates.query import CandidateQuery, Group
from placement.candidates.why import explain
from placement.db.search import every_tree
from placement.queries.mix_query import Mix, MixedRequest
from tests import databases
from tests.functional.worlds import provider

QUERY = CandidateQuery((Group("", {"VCPU": 1}),))
MIX = Mix([MixedRequest(each, "", QUERY, 100) for each in "abc"], excluded=frozenset())
PROVIDERS = 9
# What reads all hosts, each a function of a connection and an Effort.
READERS = {
    "plan": lambda conn, effort: cloud.read(conn, (), same_aggregate=False, effort=effort),
    "release": lambda conn, effort: release.find(conn, QUERY, False, None, 10, effort),
    "explain": lambda conn, effort: explain.explain(conn, QUERY, False, 10, None, effort),
    "fit": lambda conn, effort: fit.count(conn, QUERY, WhatIf(), False, None, 10, effort),
    "mix": lambda conn, effort: mix.count(conn, MIX, False, effort),
    "flavor": lambda conn, effort: summarized_cloud.count(
        summarized_cloud.read(conn, [QUERY]), QUERY, effort
    ),
}


@databases.on_each_database
class EffortOfReading:
    """If a test fails, a request to a large cloud is refused for no reason, or goes on too long."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            provider(conn, "alone", {"VCPU": 1})
            for number in range(PROVIDERS // 2):
                host = provider(conn, f"host-{number}", {"VCPU": 1})
                provider(conn, f"child-{number}", {"PGPU": 1}, parent=host)

    def counted(self, method, read, at_once):
        """Return the sum of what a method of the Effort is called with while the cloud is read."""
        with (
            mock.patch.object(every_tree, "AT_ONCE", at_once),
            mock.patch.object(explain, "BATCH", at_once),
            mock.patch.object(Effort, method, autospec=True) as called,
            self.database.reports() as conn,
        ):
            read(conn, Effort())
        return sum(call.args[1] for call in called.call_args_list)

    def test_each_provider_raises_the_bound_once_in_batches_of_any_size(self):
        for name, read in READERS.items():
            for at_once in (1, 2, 100):
                counted = self.counted("allow_for", read, at_once)
                self.assertEqual(PROVIDERS, counted, f"{name}, {at_once} at once")

    def test_reading_hosts_again_is_work(self):
        """The requests of a mix after the first read the hosts again."""
        again = PROVIDERS * (len(MIX.requests) - 1)
        kept = self.counted("add_objects", READERS["mix"], 100)
        for at_once in (1, 2):
            self.assertEqual(kept, self.counted("add_objects", READERS["mix"], at_once))
        one = Mix(MIX.requests[:1], excluded=frozenset())
        once = self.counted(
            "add_objects", lambda conn, effort: mix.count(conn, one, False, effort), 1
        )
        self.assertEqual(kept - again, once)
