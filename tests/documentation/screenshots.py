"""The documentation's pictures of the page, which show the demo cloud. See `make screenshots`."""

import contextlib
import io
import pathlib
import tempfile
import urllib.parse

from PIL import Image

import demo
from demo import cloud, tour
from tests import browser, server
from tests.documentation import demo_cloud

DIRECTORY = pathlib.Path("doc/images/page")
_COLOURS = 256
VIEWS = {
    "cloud": "#/cloud",
    "hosts": "#/hosts",
    "map": "#/map?class=MEMORY_MB",
    "history": f"#/hosts/{cloud.uuid_of('b2')}?show=history",
    "host": f"#/hosts/{cloud.uuid_of('b3')}",
    "why": "#/why?" + urllib.parse.urlencode({"q": tour.GPU_FLAVOR}),
    "fit": "#/fit?" + urllib.parse.urlencode({"q": "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40"}),
    "flavors": "#/fit/flavors",
    "mix": "#/fit/mix?"
    + urllib.parse.urlencode(
        [
            *(("name", "web"), ("count", 250), ("q", "resources=VCPU:4,MEMORY_MB:8192,DISK_GB:40")),
            *(("name", "training"), ("count", 3), ("q", tour.GPU_FLAVOR)),
        ]
    ),
    "empty-rack": f"#/empty?aggregate={cloud.uuid_of('rack-b')}",
    "audit": "#/audit",
}
# The views that are also shown as on a telephone.
NARROW_TOO = ("cloud", "why")
# Plans that are made only when a button asks for them: {name: (view, heading, button)}.
PLANS = {
    "survival": ("#/cloud", "Could we lose a host, or a rack?", "Check each aggregate"),
    "release": (
        "#/why?" + urllib.parse.urlencode({"q": "resources=VCPU:4,MEMORY_MB:245760,DISK_GB:40"}),
        "Who would have to go?",
        "Find them",
    ),
}
_MOST_PIXELS_OF_A_PLAN = 600
_MARGIN = 16


def main():
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        file = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()), "placement.db")
        database = f"sqlite:///{file}"
        url = stack.enter_context(
            server.placement(
                placement_database__connection=database,
                operator__names=str(demo.NAMES),
                metrics__flavors=str(demo.FLAVORS),
            )
        )
        demo_cloud.load(url, file)
        program = stack.enter_context(browser.chromium())
        for scheme in ("light", "dark"):
            page = browser.tab(program, scheme=scheme)
            for name, route in VIEWS.items():
                browser.open_view(page, url, route)
                _keep(page.screenshot(), f"{name}-wide-{scheme}.png")
            for name, plan in PLANS.items():
                _keep(_picture_of_plan(page, url, *plan), f"{name}-wide-{scheme}.png")
            page = browser.tab(program, width=browser.NARROW, scheme=scheme)
            for name in NARROW_TOO:
                browser.open_view(page, url, VIEWS[name])
                _keep(page.screenshot(), f"{name}-narrow-{scheme}.png")


def _picture_of_plan(page, url, route, heading, button):
    browser.open_view(page, url, route)
    title = page.get_by_role("heading", name=heading)
    page.locator("section").filter(has=title).get_by_role("button", name=button).click()
    browser.settle(page)
    # The box is relative to the window, and the clip to the page; a click may have scrolled.
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("section").filter(has=title).bounding_box()
    clip = {
        "x": box["x"] - _MARGIN,
        "y": box["y"] - _MARGIN,
        "width": box["width"] + 2 * _MARGIN,
        "height": min(box["height"] + 2 * _MARGIN, _MOST_PIXELS_OF_A_PLAN),
    }
    return page.screenshot(full_page=True, clip=clip)


def _keep(picture, name):
    """Save a picture with few colours: they are enough, and take a third of the bytes."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(_COLOURS).save(DIRECTORY / name, optimize=True)


if __name__ == "__main__":
    main()
