"""The pictures of the page in the documentation, of the demo cloud. See `make screenshots`."""

import io
import pathlib
import urllib.parse

from PIL import Image

from demo import client, cloud, loading, tour
from tests import browser, server

DIRECTORY = pathlib.Path("doc/images/page")
_COLOURS = 256
VIEWS = {
    "cloud": "#/cloud",
    "hosts": "#/hosts",
    "host": f"#/hosts/{cloud.uuid_of('b3')}",
    "why": "#/why?" + urllib.parse.urlencode({"q": tour.GPU_FLAVOR}),
    "fit": "#/fit?" + urllib.parse.urlencode({"q": "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40"}),
    "ledger": "#/ledger",
}


def main():
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    with server.placement() as url, browser.chromium() as program:
        loading.load(client.Client(url))
        for scheme in ("light", "dark"):
            for size, width in (("wide", browser.WIDE), ("narrow", browser.NARROW)):
                page = browser.tab(program, width=width, scheme=scheme)
                for name, route in VIEWS.items():
                    browser.open_view(page, url, route)
                    _keep(page.screenshot(), f"{name}-{size}-{scheme}.png")


def _keep(picture, name):
    """Few colours will do, and are a third of the bytes."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(_COLOURS).save(DIRECTORY / name, optimize=True)


if __name__ == "__main__":
    main()
