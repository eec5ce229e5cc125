"""The service inside the process of its client: no server, no port, no keystone.

This needs the extra `direct` of the package.
"""

import contextlib
import uuid

import requests
from keystoneauth1 import adapter, session, token_endpoint

from placement import deploy, distribution
from placement.conf import connection, register_opts
from placement.interception import Interceptor

# A program that can open the database may do everything.
IDENTITY = {"X-Roles": "admin,service"}


class PlacementDirect:
    """Context manager: a client of a service that exists only inside the `with` statement.

    The client is a keystoneauth1 Adapter. It raises no exception for an answer with an error
    status. Requests without a microversion are treated as requests for 1.0 or, with
    `latest_microversion`, for the newest one. Several services can be open at the same time, on one
    database or several.

    `conf` is a ConfigOpts that has read its values, including `[placement_database] connection`;
    `[api] auth_strategy` is ignored. As with a server, the database must be migrated, or
    `[placement_database] sync_on_startup` must be true.
    """

    def __init__(self, conf, latest_microversion=False):
        self._conf = conf
        self._microversion = "latest" if latest_microversion else None
        self._opened = contextlib.ExitStack()

    def __enter__(self):
        """Raises: whatever prevents the service from starting."""
        distribution.check_alone()
        register_opts(self._conf)
        with contextlib.ExitStack() as opened:
            database = connection.connect(self._conf)
            opened.callback(database.engine.dispose)
            application = deploy.start(self._conf, database, auth_strategy="noauth2")
            # A name that neither another open service nor any host has.
            host = f"{uuid.uuid4()}.invalid"
            url = opened.enter_context(Interceptor(lambda: application, host=host))
            transport = opened.enter_context(requests.Session())
            # Proxies that the environment names cannot reach this URL, so they are ignored.
            transport.trust_env = False
            # Nothing has failed: from here on, __exit__() closes what is open.
            self._opened = opened.pop_all()
        return adapter.Adapter(
            session.Session(auth=token_endpoint.Token(url, "admin"), session=transport),
            service_type="placement",
            default_microversion=self._microversion,
            additional_headers=IDENTITY,
            raise_exc=False,
        )

    def __exit__(self, *exception):
        self._opened.close()
