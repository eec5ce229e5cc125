"""What the API calls consumers that were never given a type, and all consumers together."""

UNKNOWN = "unknown"
ALL = "all"
