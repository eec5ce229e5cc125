"""Databases that last as long as the benchmark."""

import contextlib
import pathlib
import uuid

import psutil
import sqlalchemy as sa

# Where databases may be created, unless the operator names another server.
SERVERS = {
    "mysql": "mysql+pymysql://root@127.0.0.1:3306",
    "postgresql": "postgresql+psycopg2://postgres@127.0.0.1:5432",
}
ENGINES = ("sqlite", *SERVERS)

_PROCESSES = ("mariadbd", "mysqld", "postgres")

_CREATE = {
    "mysql": "CREATE DATABASE {} CHARACTER SET utf8mb3",
    "postgresql": "CREATE DATABASE {}",
}
_DROP = {
    "mysql": "DROP DATABASE IF EXISTS {}",
    "postgresql": "DROP DATABASE IF EXISTS {} WITH (FORCE)",
}


def add_options(parser):
    """Add to a parser the options that `fresh` needs: the engine and the server."""
    parser.add_argument("--engine", choices=ENGINES, default="sqlite", help="default: sqlite")
    parser.add_argument(
        "--database-server",
        metavar="URL",
        help=f"where databases may be created; default: {' or '.join(SERVERS.values())}",
    )


@contextlib.contextmanager
def fresh(engine, server_url, directory):
    """Create a database without tables; yield its URL; drop it at the end.

    An SQLite file is created in `directory`, and is removed with it.
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


def server_pid(url):
    """Return the id of the process that serves a database, or None if it is not visible.

    The database may be a file, or it may be on another machine or in a container.
    """
    url = sa.make_url(url)
    if url.get_backend_name() == "sqlite" or url.host not in ("127.0.0.1", "localhost", None):
        return None
    engine = sa.create_engine(url)
    try:
        with engine.connect() as conn:
            if conn.dialect.name == "postgresql":
                backend = conn.scalar(sa.text("SELECT pg_backend_pid()"))
                process = psutil.Process(backend).parent()
            else:
                path = pathlib.Path(conn.scalar(sa.text("SELECT @@pid_file")))
                process = psutil.Process(int(path.read_text()))
    except (OSError, ValueError, psutil.Error):
        return None
    finally:
        engine.dispose()
    return process.pid if process.name().startswith(_PROCESSES) else None


def _execute(administrator, statement):
    with administrator.connect() as conn:
        conn.execute(sa.text(statement))
