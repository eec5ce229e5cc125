"""The words of the domain and their rules. A function takes a connection first.

The database layer answers questions that involve no rule. Handlers do not reach past this layer, so
`list_all = db_classes.list_all` passes such a question on.
"""

import warnings

with warnings.catch_warnings():
    # They import oslo.messaging, which imports eventlet. It is not used here, but warns at each
    # start that it should not be.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    import oslo_versionedobjects.base  # noqa: F401
