"""The words of the domain and their rules. Most functions take a connection first.

Handlers do not call the database layer directly. If a question involves no rule, a module here just
passes it on: `list_all = db_classes.list_all`.

claims/ writes allocations, and feed/ the changes that the ledger remembers; capacity_history/ keeps
records of how full the cloud was. ledger_audit.py looks for faults in the ledger, which repairs.py
mends. generational.py refuses a write that names a stale generation of a provider, and
retry_requests.py makes a transaction start over. Most of the other modules each handle one resource
of the API; the rest each answer one question of operators.

Called by handlers/, background/, documents/, metrics/, openapi/, queries/ and the commands.
"""

import importlib.util
import sys


def _import_versioned_objects():
    """Import oslo.versionedobjects without most of oslo.messaging, which is not used here.

    oslo.versionedobjects imports only one class from oslo.messaging. The rest would bring eventlet,
    a profiler and more into every process. The class is the real one, and code that imports
    oslo.messaging after this gets all of it.
    """
    name = "oslo_messaging"
    spec = importlib.util.find_spec(name)
    if spec is None or name in sys.modules:
        return
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        serializer = importlib.import_module(f"{name}.serializer")
        package.NoOpSerializer = serializer.NoOpSerializer
        importlib.import_module("oslo_versionedobjects.base")
    finally:
        del sys.modules[name]


_import_versioned_objects()
