"""Headers for caches: when an answer last changed, and that it must be revalidated.

Some answers do not have them: refusals, for instance.
Source: doc/reference/api/index.rst, "Every request".
"""

import datetime

from placement.microversion import Since


def now():
    return datetime.datetime.now(datetime.UTC)


def latest(moments):
    """Return the latest of the moments that are not None, or the present one if there are none."""
    return max((moment for moment in moments if moment is not None), default=None) or now()


def headers(req, moment):
    """Return keyword arguments for respond() that say what a cache may do with the answer.

    `moment` is when the answer last changed, as a datetime in UTC; None if it never did.
    """
    if not req.since(Since.LAST_MODIFIED):
        return {}
    return {"last_modified": moment, "no_cache": True}
