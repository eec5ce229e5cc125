"""What operators ask: explanations, fits, reports, audits, metrics and the log.

The service, a command, or both answer each of them.
"""
