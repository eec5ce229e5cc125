"""A real browser, for tests of the page at /operator/."""

import contextlib
import os

from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
TOKEN = "admin"
_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)
WIDE, NARROW = 1280, 400
_HEIGHT = 900
# A machine that also runs other tests may be slow.
_MILLISECONDS = 30_000

expect.set_options(timeout=_MILLISECONDS)


@contextlib.contextmanager
def chromium():
    """Yield a browser, which is closed at the end."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


def tab(browser, token=TOKEN, width=WIDE, scheme="light"):
    """Return a playwright Page in a session of its own, with this token unless it is None."""
    context = browser.new_context(
        viewport={"width": width, "height": _HEIGHT}, color_scheme=scheme, reduced_motion="reduce"
    )
    if token:
        # The token is set only once, so that signing out later has an effect.
        context.add_init_script(
            "if (!sessionStorage.length) {"
            f" sessionStorage.setItem('placement-token', '{token}');"
            " sessionStorage.setItem('begun', 'yes'); }"
        )
    return context.new_page()


def open_view(page, url, route=""):
    """Go to a view of the page at the server `url`, and wait until its requests are answered."""
    page.goto(f"{url}/operator/{route}")
    settle(page)


def settle(page):
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
