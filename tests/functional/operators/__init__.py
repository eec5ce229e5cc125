"""What operators ask: explanations, fits, reports, audits, metrics and the log.

Each is asked of the service, of a command, or of both.
"""
