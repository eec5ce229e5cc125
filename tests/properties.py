"""Settings for property tests, in which hypothesis chooses the values."""

import hypothesis

# There are no health checks and no deadline: they would complain about a busy machine, and about
# classes of tests that run once for each database. No run keeps anything for the next.
SETTINGS = hypothesis.settings(
    deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
)
