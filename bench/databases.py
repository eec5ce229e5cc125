"""Databases that last as long as the benchmark."""

import contextlib
import uuid

import sqlalchemy as sa

# Where databases may be created, unless the operator names another server.
SERVERS = {
    "mysql": "mysql+pymysql://root@127.0.0.1:3306",
    "postgresql": "postgresql+psycopg2://postgres@127.0.0.1:5432",
}
ENGINES = ("sqlite", *SERVERS)

_CREATE = {
    "mysql": "CREATE DATABASE {} CHARACTER SET utf8mb3",
    "postgresql": "CREATE DATABASE {}",
}
_DROP = {
    "mysql": "DROP DATABASE IF EXISTS {}",
    "postgresql": "DROP DATABASE IF EXISTS {} WITH (FORCE)",
}


@contextlib.contextmanager
def fresh(engine, server_url, directory):
    """Create a database without tables; give its URL; drop it at the end.

    An SQLite file is made in `directory`, and goes with it.
    Raises: sqlalchemy.exc.SQLAlchemyError.
    """
    name = f"placement_bench_{uuid.uuid4().hex}"
    if engine == "sqlite":
        yield f"sqlite:///{directory}/{name}.db"
        return
    server = sa.make_url(server_url or SERVERS[engine])
    administrator = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        _execute(administrator, _CREATE[engine].format(name))
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        _execute(administrator, _DROP[engine].format(name))
        administrator.dispose()


def _execute(administrator, statement):
    with administrator.connect() as conn:
        conn.execute(sa.text(statement))
