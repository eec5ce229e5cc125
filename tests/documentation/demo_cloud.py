"""The demo cloud with its past, as `make demo` makes it."""

import datetime
import io
import os
import subprocess

from demo import client, loading, month, past
from tests import server


def load(url, file):
    """Fill a server whose database is an SQLite file; its past is written into that file."""
    loading.load(client.Client(url))
    now = datetime.datetime.now(datetime.UTC)
    samples = io.StringIO()
    month.write(samples, now)
    environment = server.environment(placement_database__connection=f"sqlite:///{file}")
    subprocess.run(
        [server.program("placement-manage"), "capacity", "--import", "-", "--replace"],
        env=os.environ | environment,
        input=samples.getvalue(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    past.set_back(file, now)
