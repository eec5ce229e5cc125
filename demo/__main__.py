"""python -m demo load|clean: the demo cloud on the server at $BASE_URL."""

import argparse
import os
import sys
import urllib.error

from demo import client, loading, tour

URL = os.environ.get("BASE_URL", client.DEFAULT_URL).rstrip("/")


def main():
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("action", choices=("load", "clean"))
    action = parser.parse_args().action
    try:
        _do(action, client.Client(URL))
    except client.Refused as refusal:
        sys.exit(str(refusal))
    except urllib.error.URLError as error:
        sys.exit(
            f"There is no server at {URL} ({error.reason}): start one with 'make serve', with the"
            " same PORT for both."
        )


def _do(action, server):
    if action == "clean":
        loading.clean(server)
        print("The demo cloud is gone, and so is whatever was claimed on its hosts.")
    else:
        loading.load(server)
        print(f"{tour.inventory(URL)}\n\n{tour.text(URL)}\n{tour.page(URL)}")


if __name__ == "__main__":
    main()
