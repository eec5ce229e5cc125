"""A path, spelled in a thousand ways that a web server or the service might treat as the same path.

The first ones differ from the plain path in one thing; the rest are random, but the same each time.
"""

import random
from typing import NamedTuple

# What may stand for a slash, or between two segments.
_SLASHES = (
    "//", "///", "/./", "/x/../", "/x/%2e%2e/", "/%2e/", "/.%2F", "/x/.%2E/", "/x/..%2f",
    "%2F", "%2f", "/%2F", "%2F/", "%5C", "\\", "/;/", "/;x/", "/x/..;/", "/%00/", "/%20/",
    "%252F", "%c0%af", "%e0%80%af", "%c0%2f", "/.;/", "/..//", "/%09/", "/%0A/", "/%0D/",
)
# What may stand after a path.
_ENDINGS = (
    "%0A", "%0a", "%0D", "%0D%0A", "%0A%0A", "%00", "%00x", "%09", "%0B", "%0C", "%20",
    "%1F", "%7F", "%85", "%A0", "%C2%85", "%C2%A0", "%E2%80%A8", "%E2%80%8B", "%FF",
    "%C0%80", "/", "//", "/.", "/./", "/..", "/../", "/x/..", "/%2e", "/%2e%2e", "%2F",
    "%2F.", "/%0A", ";", ";x", ";x=1", "%3Bx", "?", "?x", "??", "?x=%0A", "?/../x", "%3F",
    "%3Fx", "#", "#x", "%23", "%23x", "%", "%2", "%0", "%zz", "%u000a", "%250A", "&", "+",
    ".", "..", "%2e", "~", ".json", "*", "\\", "%5C", ",", ":", "\x00", "\x01", "\t",
    "\x0b", "\x0c", "\x7f", "\xff", "\xa0", "%0A?", "%0A?x", "%0A#", "%00?", "?%", "%?",
    "%#", "\r",
)
# What may stand before a path, as in the form of a target that is sent to proxies.
_ORIGINS = (
    "http://127.0.0.1", "HTTP://127.0.0.1", "http://127.0.0.1:80", "https://127.0.0.1",
    "http://elsewhere", "http://a@elsewhere", "http://[::1]", "//127.0.0.1", "http:", "x:",
)
_LEADS = (
    "/", "//", "/.", "/./", "/x/..", "/..", "/%2e%2e", "/x/%2e%2e", "/%2F", "/;", "/x/../.",
    "%2F",
)
# What may stand for the prefix.
_MOUNTS = (
    "/%70lacement", "//placement", "/placement/", "/placement/.", "/placement/x/..",
    "/PLACEMENT", "/placemen%74", "/placement%2F", "/placement;x", "/placement%0A",
    "%2Fplacement", "/x/../placement", "/placement/../placement", "/placement/placement/..",
    "/plac%65ment",
)


class Spelling(NamedTuple):
    """The parts of a request target; `mount` is what stands for the prefix of the site."""

    origin: str = ""
    lead: str = ""
    mount: str = "/placement"
    path: str = ""
    ending: str = ""

    def behind_web_server(self):
        return f"{self.origin}{self.lead}{self.mount}{self.path}{self.ending}"

    def of_the_service(self):
        """The same, for a service that has no prefix."""
        return f"{self.origin}{self.lead}{self.path}{self.ending}"


def behind_web_server(path, count=1000):
    """Return `count` different targets for a path of a site, which begins with a slash."""
    return _different(map(Spelling.behind_web_server, _endless(path)), count)


def of_the_service(path, count=1000):
    """The same, for a service that has no prefix."""
    return _different(map(Spelling.of_the_service, _endless(path)), count)


def _different(targets, count):
    found = {}
    while len(found) < count:
        found[next(targets)] = None
    return list(found)


def _endless(path):
    yield from _with_one_change(path)
    dice = random.Random(path)
    while True:
        yield _with_several_changes(path, dice)


def _with_one_change(path):
    yield Spelling(path=path)
    for name, values in (
        ("origin", _ORIGINS),
        ("lead", _LEADS),
        ("mount", _MOUNTS),
        ("ending", _ENDINGS),
    ):
        for value in values:
            yield Spelling(path=path)._replace(**{name: value})
    for at, letter in enumerate(path):
        for instead in _SLASHES if letter == "/" else _letters(letter):
            yield Spelling(path=path[:at] + instead + path[at + 1 :])
    yield Spelling(path=path.upper())
    yield Spelling(path="".join(_encoded(letter) for letter in path))


def _with_several_changes(path, dice):
    def sometimes(values, plain):
        return dice.choice(values) if dice.random() < 0.15 else plain

    return Spelling(
        sometimes(_ORIGINS, ""),
        sometimes(_LEADS, ""),
        sometimes(_MOUNTS, "/placement"),
        "".join(_sometimes_changed(letter, dice) for letter in path),
        sometimes(_ENDINGS, ""),
    )


def _sometimes_changed(letter, dice):
    chance = dice.random()
    if letter == "/":
        return dice.choice(_SLASHES) if chance < 0.1 else letter
    if chance < 0.3:
        return dice.choice([_encoded(letter), _encoded(letter).lower()])
    return dice.choice(_letters(letter)) if chance < 0.32 else letter


def _letters(letter):
    """Return what may stand for a letter: its code, encoded once or twice, or another case."""
    code = ord(letter)
    too_long = f"%{0xC0 | code >> 6:02X}%{0x80 | code & 0x3F:02X}"
    full_width = "".join(f"%{byte:02X}" for byte in chr(code + 0xFEE0).encode())
    return (
        _encoded(letter),
        _encoded(letter).lower(),
        letter.upper(),
        f"%25{code:02X}",
        f"%u00{code:02x}",
        too_long,
        full_width,
    )


def _encoded(letter):
    return f"%{ord(letter):02X}"
