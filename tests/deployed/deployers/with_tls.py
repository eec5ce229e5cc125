"""A MariaDB that accepts the account of the service only over TLS."""

import contextlib
import os

import sqlalchemy as sa

from tests.deployed.servers import mariadb, unprivileged
from tests.deployed.web_servers import site

_SETTINGS = """
ssl_ca = {certificates}/certificate.pem
ssl_cert = {certificates}/certificate.pem
ssl_key = {certificates}/key.pem
"""


@contextlib.contextmanager
def running():
    """Yield (URL without parameters, directory of certificate.pem) of a new server; stop it."""
    with unprivileged.directory(mariadb.ACCOUNT) as directory:
        certificates = os.path.join(directory, "certificates")
        os.mkdir(certificates)
        site.make_certificate(certificates)
        for path in (certificates, os.path.join(certificates, "key.pem")):
            unprivileged.hand_over(path, mariadb.ACCOUNT)
        os.chmod(directory, 0o755)
        settings = mariadb.DURABLE + _SETTINGS.format(certificates=certificates)
        with mariadb.running(os.path.join(directory, "server"), settings) as database:
            _set_up(database)
            yield database.url, certificates


def _set_up(database):
    """Require TLS, and let the account see which sessions wait."""
    engine = sa.create_engine(database.root_url(), isolation_level="AUTOCOMMIT")
    with engine.connect() as conn:
        conn.exec_driver_sql(f"ALTER USER {mariadb.PLACEMENT}@'%%' REQUIRE SSL")
        conn.exec_driver_sql(f"GRANT PROCESS ON *.* TO {mariadb.PLACEMENT}@'%%'")
    engine.dispose()


def create(url, certificates, name):
    """Create another database on the server, and return its URL."""
    parameters = f"?ssl_ca={certificates}/certificate.pem"
    engine = sa.create_engine(url + parameters, isolation_level="AUTOCOMMIT")
    with engine.connect() as conn:
        conn.exec_driver_sql(f"CREATE DATABASE {name} CHARACTER SET utf8mb3")
    engine.dispose()
    return url.removesuffix(mariadb.PLACEMENT) + name
