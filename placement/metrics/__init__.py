"""Metrics for Prometheus: of requests as they are served, and of the ledger when Prometheus asks.

Called by deploy.py, and imported only if metrics are switched on. Metrics have a port of their own,
for two reasons: they need no token, so clients of the API must not reach them, and a scrape must
not occupy a thread that serves requests.

    requests       what a process has counted
    directory      what the processes of a server have counted together
    ledger_gauges  what the database says about the ledger
    flavor_gauges  how many more of each flavor fit
    exposition     all of these, in the text format of Prometheus
    client         one client: HTTP, step by step
    listener       the port, on which one thread serves all clients
    exporter       the thread in each process that serves the metrics

Source: doc/how-to/metrics.rst.
"""

from placement.metrics.exporter import Exporter
from placement.metrics.flavor_gauges import FlavorGauges
from placement.metrics.ledger_gauges import LedgerGauges
from placement.metrics.requests import Requests

__all__ = ["Exporter", "FlavorGauges", "LedgerGauges", "Requests"]
