"""Settings for tests of properties, in which hypothesis chooses the values."""

import hypothesis

# The health checks and the deadline are about the speed of a machine, which may be busy, and about
# classes of tests that run once for each database. Nothing is kept from one run for the next.
SETTINGS = hypothesis.settings(
    deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
)
