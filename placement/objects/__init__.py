"""The words of the domain and their rules. A function takes a connection first."""

import warnings

with warnings.catch_warnings():
    # They import oslo.messaging, which brings eventlet, which nobody here uses and which says
    # at each start that nobody should.
    warnings.filterwarnings("ignore", r"\s*Eventlet is deprecated")
    import oslo_versionedobjects.base  # noqa: F401
