"""The words of the domain and their rules. A function takes a connection first.

A question that no rule bears on is answered by the database layer: `list_all = db_classes.list_all`
lets handlers ask it, who do not reach past this layer.
"""

import warnings

with warnings.catch_warnings():
    # They import oslo.messaging, which brings eventlet, which nobody here uses and which says
    # at each start that nobody should.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    import oslo_versionedobjects.base  # noqa: F401
