"""The pictures of the page in the documentation, of the demo cloud. See `make screenshots`."""

import pathlib

from demo import client, loading
from tests import browser, server

DIRECTORY = pathlib.Path("doc/images/page")
VIEWS = {"cloud": "#/cloud", "ledger": "#/ledger"}


def main():
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    with server.placement() as url, browser.chromium() as program:
        loading.load(client.Client(url))
        for scheme in ("light", "dark"):
            for size, width in (("wide", browser.WIDE), ("narrow", browser.NARROW)):
                page = browser.tab(program, width=width, scheme=scheme)
                for name, route in VIEWS.items():
                    browser.open_view(page, url, route)
                    page.screenshot(path=DIRECTORY / f"{name}-{size}-{scheme}.png")


if __name__ == "__main__":
    main()
