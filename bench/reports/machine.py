"""Where the benchmark ran: the machine, and the versions of the software on it."""

import datetime
import importlib.metadata
import os
import pathlib
import platform
import subprocess

import psutil
import sqlalchemy as sa

from bench.running.servers import REPOSITORY

_VERSION = {
    "mysql": "SELECT version()",
    "postgresql": "SHOW server_version",
    "sqlite": "SELECT sqlite_version()",
}
# How much of its tables the database keeps in memory, besides the system's own cache.
_BUFFERS = {
    "mysql": "SELECT concat(@@innodb_buffer_pool_size DIV 1048576, 'MB')",
    "postgresql": "SHOW shared_buffers",
}


def conditions(url, web_server):
    """Return {what: text}: the machine, and versions, such as that of the database at `url`.

    Raises: sqlalchemy.exc.SQLAlchemyError.
    """
    gibibytes = psutil.virtual_memory().total / 1024**3
    return {
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} x {_processor()}, {gibibytes:.0f} GiB,"
        f" {platform.system()} {platform.release()}",
        "database": _database(url),
        "this server": _revision(),
        "Python": f"{platform.python_version()}, SQLAlchemy {sa.__version__},"
        f" {_with_version(web_server)}",
    }


def _processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _database(url):
    engine = sa.create_engine(url)
    try:
        with engine.connect() as conn:
            dialect = conn.dialect
            version = conn.scalar(sa.text(_VERSION[dialect.name]))
            buffers = [
                f"buffers of {conn.scalar(sa.text(statement))}"
                for name, statement in _BUFFERS.items()
                if name == dialect.name
            ]
    finally:
        engine.dispose()
    # The driver of SQLite is part of Python.
    drivers = importlib.metadata.packages_distributions().get(dialect.dbapi.__name__, [])
    return ", ".join([f"{dialect.name} {version}", *map(_with_version, drivers), *buffers])


def _with_version(distribution):
    return f"{distribution} {importlib.metadata.version(distribution)}"


def _revision():
    version = importlib.metadata.version("placement-server")
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=REPOSITORY, capture_output=True, text=True
    )
    return f"{version}, commit {described.stdout.strip()}" if described.stdout else version
