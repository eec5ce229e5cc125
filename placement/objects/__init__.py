"""The words of the domain and their rules. A function takes a connection first.

Handlers do not call the database layer directly. If a question involves no rule, it is just passed
on: `list_all = db_classes.list_all`.
"""

import warnings

with warnings.catch_warnings():
    # They import oslo.messaging, which imports eventlet. It is not used here, but warns at each
    # start that it should not be.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    import oslo_versionedobjects.base  # noqa: F401
