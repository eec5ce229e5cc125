"""The caches of a process: what it remembers of a database between requests."""

from placement.db.remembered_names import RememberedNames


class ProcessCaches:
    """The caches of a process, one for each purpose. To empty them, make new ProcessCaches.

    names: the keys (ids) of the names that claims use
    small_cloud, provider_ids: what searches need not read again
    reports: {what a capacity report groups by: the last such report}, if reports take long
    has_shared_sessions: whether a proxy was seen to share or reset sessions
    """

    def __init__(self):
        self.names = RememberedNames()
        self.small_cloud = SmallCloudCache()
        self.provider_ids = ProviderIds()
        # objects/recent_capacity.py fills this.
        self.reports = {}
        self.has_shared_sessions = False


class SmallCloudCache:
    """What db/search/small_cloud.py remembers.

    last_texts: {position in the result of the query: (text, its parsed value)}
    queries_to_skip: how many more searches assume, without a query, that the cloud is large
    """

    def __init__(self):
        self.last_texts = {}
        self.queries_to_skip = 0


class ProviderIds:
    """For db/search/rotation_start.py: the lowest and highest id of a provider when last read."""

    def __init__(self):
        self.ends = (0, 0)
