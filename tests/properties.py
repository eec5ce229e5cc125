"""Settings for property tests, in which hypothesis chooses the values."""

import hypothesis

# Health checks and a deadline are off: they would complain about busy machines, and about test
# classes that run once for each database. A run stores nothing for later runs.
SETTINGS = hypothesis.settings(
    deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
)
