"""Sample how full the cloud is. Source: doc/how-to/capacity.rst, "History".

Each hour, the first process that checks stores the sample of that hour.
"""

import datetime

from placement.background.log_throttle import ThrottledLog
from placement.background.periodic import Periodic
from placement.objects.capacity_history import sampling


class Sampler:
    """Samples the cloud once an hour, unless another process has done so.

    database: a Database; each sample is taken with a sibling of it
    replica_url: the URL of the replica to read from, if there is one
    days_kept: how many days to keep samples
    """

    def __init__(self, database, replica_url, days_kept):
        self._database = database
        self._replica_url = replica_url
        self._days_kept = days_kept
        # The latest hour that this process knows to have a sample.
        self._stored_hour = None
        log = ThrottledLog("The capacity sample cannot be stored", expected=Exception)
        self.begin = Periodic("capacity-sampler", work=self.sample, log=log).begin

    def sample(self):
        """Sample the current hour, unless it is known to have a sample."""
        now = datetime.datetime.now(datetime.UTC)
        # This compares hours with ==, because the clock may also be set back.
        hour = sampling.hour_of(now)
        if hour == self._stored_hour:
            return
        # A new Database each time: a kept connection would sit idle for an hour, and a fork would
        # share it.
        apart = self._database.sibling(
            replica_url=self._replica_url, max_pool_size=1, max_overflow=0
        )
        try:
            sampling.sample_if_due(apart, self._days_kept, now)
        finally:
            apart.disconnect()
        self._stored_hour = hour
