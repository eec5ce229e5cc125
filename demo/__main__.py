"""python -m demo load|clean|samples|past: the demo cloud on the server at $BASE_URL, and its past.

The past of a new one is written to the SQLite file of the server: `python -m demo past FILE`.
"""

import argparse
import datetime
import os
import sys
import urllib.error
import urllib.parse

from demo import client, loading, month, past, tour

URL = os.environ.get("BASE_URL", client.DEFAULT_URL).rstrip("/")


def main():
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("action", choices=("load", "clean", "samples", "past"))
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    action = options.action
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    if action == "samples":
        month.write(sys.stdout, now)
        return
    if action == "past":
        past.set_back(options.file, now)
        return
    if not _is_address(URL):
        sys.exit(f"BASE_URL is {URL}, and has to be a URL like {client.DEFAULT_URL}")
    try:
        _do(action, client.Client(URL))
    except client.Refused as refusal:
        sys.exit(f"The server at BASE_URL, {URL}, refused a request: {refusal}")
    except urllib.error.URLError as error:
        sys.exit(
            f"There is no server at {URL} ({error.reason}): start one with 'make serve', with the"
            " same PORT for both."
        )


def _is_address(url):
    """Return whether a client can ask a server at the URL, if there is one."""
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        # What should be the port is not one.
        return False


def _do(action, server):
    if action == "clean":
        loading.clean(server)
        print("The demo cloud is gone, and so are all claims on its hosts.")
    else:
        loading.load(server)
        print(f"{tour.inventory(URL)}\n\n{tour.first_query(server)}\n")
        print(f"{tour.text(URL)}\n{tour.page(URL)}")


if __name__ == "__main__":
    main()
