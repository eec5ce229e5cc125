"""What caches are told: when an answer last changed, and to ask again each time.

Source: contract, "Last-Modified and Cache-Control".
"""

import datetime

from placement.microversion import Since


def now():
    return datetime.datetime.now(datetime.UTC)


def latest(moments):
    """Return the latest of some moments, of which any may be unknown (None); now if all are."""
    return max((moment for moment in moments if moment is not None), default=None) or now()


def as_of(req, moment):
    """Return what response.respond takes to say so; `moment` may be None, if there is none."""
    if not req.since(Since.LAST_MODIFIED):
        return {}
    return {"last_modified": moment, "no_cache": True}
