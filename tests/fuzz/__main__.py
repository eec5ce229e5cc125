"""Send thousands of generated requests to a live server, and check that the answers are documented.

For each version in VERSIONS, schemathesis makes requests, good and bad ones, from what
`placement-manage openapi` prints; tests/fuzz/world.py makes them more likely to meet something.
The environment may choose among these versions: `VERSIONS="1.0 1.39"`. Arguments are passed to
schemathesis: `--max-examples 5` for a quick look. The server is that of tests/server.py.

The last line counts the requests. An answer fails if it is a 500, or if its status, media type,
headers or body is not documented. With all versions and without arguments, fewer than
LEAST_REQUESTS are also a failure.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from placement import microversion, openapi
from tests import conformance, server

# The newest version, and the last ones before larger changes: how many examples each operation
# gets.
EXAMPLES = {microversion.VERSIONS[-1]: 110, "1.27": 25, "1.11": 25, "1.0": 25}
VERSIONS = os.environ.get("VERSIONS", " ".join(EXAMPLES)).split()
LEAST_REQUESTS = 5000
VERSION_HEADER = {"$ref": "#/components/parameters/Version"}
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def main(arguments):
    sent = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for version in VERSIONS:
            # Each version gets its own server, and so its own database.
            with server.running() as url:
                counts = _fuzz(version, url, directory, arguments)
            sent += counts["generated"]
            failed += counts["with_failures"] + counts["errored"]
    print(f"{sent} requests, {failed} failed")
    is_whole = not arguments and len(VERSIONS) == len(EXAMPLES)
    too_few = is_whole and sent < LEAST_REQUESTS
    return 1 if failed or too_few else 0


def _fuzz(version, url, directory, arguments):
    """Return schemathesis' counts of what it sent."""
    document = openapi.document(microversion.parsed(version))
    schemas = document["components"]["schemas"]
    document["components"]["schemas"] = {
        shape: conformance.closed(schema) for shape, schema in schemas.items()
    }
    for path in document["paths"].values():
        # tests/fuzz/world.py sends the header, as other versions have other descriptions.
        parameters = path.get("parameters", ())
        path["parameters"] = [each for each in parameters if each != VERSION_HEADER]
    description = os.path.join(directory, f"{version}.json")
    with open(description, "w") as output:
        json.dump(document, output)
    report = os.path.join(directory, f"{version}-report.json")
    run = subprocess.run(
        [server.program("schemathesis"), "run", description, "--url", url]
        + ["--checks", ",".join(CHECKS), "--max-examples", str(EXAMPLES[version])]
        + ["--continue-on-failure", "--warnings", "off", "--report-json-path", report]
        + arguments,
        # schemathesis leaves files behind.
        cwd=directory,
        env=os.environ
        | {
            "SCHEMATHESIS_HOOKS": "tests.fuzz.world",
            "PYTHONPATH": str(pathlib.Path(__file__).parents[2]),
            "FUZZ_VERSION": version,
        },
        check=False,
    )
    if not os.path.exists(report):
        sys.exit(run.returncode or 1)
    with open(report) as lines:
        return json.load(lines)["test_cases"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
