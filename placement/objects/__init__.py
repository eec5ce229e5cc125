"""The words of the domain and their rules. A function takes a connection first.

A question that involves no rule is answered by the database layer: as handlers do not reach past
this layer, `list_all = db_classes.list_all` lets them ask it.
"""

import warnings

with warnings.catch_warnings():
    # They import oslo.messaging, which imports eventlet, which is not used here and which warns
    # at each start that it should not be.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    import oslo_versionedobjects.base  # noqa: F401
