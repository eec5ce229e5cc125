"""Empty and strange text in paths and queries: all databases answer alike, and never with 500."""

import functools

import sqlalchemy as sa
import testtools

from placement import deploy, openapi
from placement.db import engine
from tests import databases, fixtures

HOST = "10000000-0000-4000-8000-000000000001"
ODD_HOST = "10000000-0000-4000-8000-000000000002"
AGGREGATE = "20000000-0000-4000-8000-000000000001"
CONSUMER = "30000000-0000-4000-8000-000000000001"

CLAIM = {
    "allocations": {HOST: {"resources": {"VCPU": 1}}},
    "project_id": "project",
    "user_id": "user",
    "consumer_generation": None,
    "consumer_type": "INSTANCE",
}

SMILE = "%F0%9F%98%80"
# Strange texts, encoded for URLs.
TEXTS = (
    *("", "%20", "%09", "%0A", "+", ",", ",,", ":", ":1", "VCPU:1,:1", ":1,VCPU:1", "VCPU:"),
    *("!", "!,", "in:", "in:,", "!in:", "startswith:", ":x", "HW_CPU_X86_VMX,"),
    *("0", "-1", "9" * 30, "_", "%25", "'", "\\", "%C3%A9", "%EF%BF%BF"),
    *("%00", "VCPU:1%00", f"in:{AGGREGATE}%00", "%FF", "%ED%A0%80", "%C0%80"),
    *(SMILE, f"{SMILE}:1", f"VCPU:1,{SMILE}:1", f"in:{SMILE}", f"!{SMILE}", f"startswith:{SMILE}"),
    *(f"{HOST}{SMILE}", "a" * 300, "A" * 300 + ":1", "a" * 3000),
)
# What a query with one more parameter needs to be valid.
BASES = {
    "/allocation_candidates": "resources=VCPU:1&",
    "/operator/explanation": "resources=VCPU:1&",
    "/operator/fit": "resources=VCPU:1&",
    "/usages": "project_id=project&",
}
# Values that exist, for the variables of a path that are not replaced by a strange one.
VARIABLES = {
    "uuid": HOST,
    "consumer_uuid": CONSUMER,
    "name": "HW_CPU_X86_VMX",
    "resource_class": "VCPU",
}
# One version for each way in which parameters have ever been parsed.
PARSED_DIFFERENTLY = ("1.10", "1.24", "latest")


@functools.cache
def reads():
    """Return [(url, names of query parameters)] of all that can be read by GET."""
    paths = openapi.document()["paths"]
    return [
        (url, [_key(each["name"]) for each in item["get"].get("parameters", ())])
        for url, item in paths.items()
        if "get" in item and url not in ("/healthcheck", "/metrics")
    ]


def versions(url, choices):
    """Return those of the versions in which to ask for a URL: all, if it has versions at all."""
    return ("latest",) if url.startswith(("/operator", "/openapi")) else choices


def _key(parameter):
    """The parameters of one group are described together."""
    return parameter.replace("_by_group", "1")


def queries():
    """Yield the URLs in which one query parameter has a strange value, alone and beside others."""
    for url, names in reads():
        for name in ["", *names]:
            for text in TEXTS:
                yield f"{url}?{name}={text}"
                if url in BASES:
                    yield f"{url}?{BASES[url]}{name}={text}"


def paths():
    """Yield the URLs in which one variable of the path has a strange value."""
    for url, _ in reads():
        for variable in VARIABLES:
            marked = "{" + variable + "}"
            if marked in url:
                others = VARIABLES | {variable: "{}"}
                for text in TEXTS:
                    yield url.format(**others).format(text)


def populate(service):
    """Give a service a host, and a consumer that takes from it."""
    of_host = f"/resource_providers/{HOST}"
    inventories = {"VCPU": {"total": 8}}
    for method, path, body in (
        ("POST", "/resource_providers", {"uuid": HOST, "name": "host"}),
        ("PUT", f"{of_host}/inventories", _at(0, inventories=inventories)),
        ("PUT", f"{of_host}/aggregates", _at(1, aggregates=[AGGREGATE])),
        ("PUT", f"{of_host}/traits", _at(2, traits=["HW_CPU_X86_VMX"])),
        ("PUT", f"/allocations/{CONSUMER}", CLAIM),
    ):
        answer = service.ask(method, path, "latest", json=body, content_type="application/json")
        assert answer.status_int < 300, answer.text


def _at(generation, **body):
    return {"resource_provider_generation": generation, **body}


@functools.cache
def expected():
    """Return {(version, url): status} with SQLite, which can compare any text."""
    service = fixtures.Application("sqlite")
    service.setUp()
    try:
        populate(service)
        return statuses_of(service, questions())
    finally:
        service.cleanUp()


def questions():
    """Yield (version, url) of every strange read."""
    for url in paths():
        yield "latest", url
    for url in queries():
        for version in versions(url, PARSED_DIFFERENTLY):
            yield version, url


def statuses_of(service, asked):
    return {
        (version, url): service.ask("GET", url, version).status_int for version, url in asked
    }


class OfSQLite(testtools.TestCase):
    """If a test fails, some odd text causes a 500, or is silently ignored."""

    def test_no_text_in_any_parameter_causes_a_500(self):
        statuses = expected()
        self.assertEqual([], [asked for asked, status in statuses.items() if status >= 500])
        self.assertEqual({200, 400, 404, 410}, set(statuses.values()))

    def test_a_resource_class_with_an_empty_name_is_unknown(self):
        service = self.useFixture(fixtures.Application("sqlite"))
        populate(service)
        for url in ("/allocation_candidates", "/operator/fit", "/resource_providers"):
            for query in (":1", "VCPU:1,:1"):
                answer = service.ask("GET", f"{url}?resources={query}", "latest")
                self.assertEqual(400, answer.status_int, (url, query))
                self.assertIn("No such resource class ''.", answer.text)
        answer = service.ask("GET", "/operator/explanation?resources=:1", "latest")
        self.assertIn("No resource class is called ''.", answer.json["summary"])
        [constraint] = answer.json["constraints"]
        self.assertEqual("1 ''", constraint["words"])
        self.assertEqual(["1 offers no ''"], constraint["reasons"])
        answer = service.ask("GET", "/operator/explanation?resources=VCPU:1&host=%20", "latest")
        self.assertIn("No root provider with uuid or name ' ' found.", answer.text)
        path = "/allocation_candidates?resources=VCPU:1&resources1=:1"
        answer = service.ask("GET", path, "latest")
        self.assertEqual(400, answer.status_int)

    def test_a_path_with_a_character_of_four_bytes_is_not_found(self):
        statuses = {
            url: status for (version, url), status in expected().items() if SMILE in url
        }
        self.assertEqual(200, statuses[f"/allocations/{SMILE}"])
        self.assertEqual(404, statuses[f"/resource_providers/{HOST}{SMILE}"])
        self.assertEqual(200, statuses[f"/resource_providers?name={SMILE}"])


@databases.on_each_server
class OddValues:
    """If a test fails, what a client gets depends on the database behind the service."""

    def assert_as_elsewhere(self, service):
        found = statuses_of(service, questions())
        different = {
            asked: (status, found[asked])
            for asked, status in expected().items()
            if status != found[asked]
        }
        self.assertEqual({}, different)

    def test_every_read_has_the_same_answer_as_on_sqlite(self):
        service = self.useFixture(fixtures.Application(self.kind))
        populate(service)
        self.assert_as_elsewhere(service)


@databases.on_each_database
class NamesOfNothing:
    """If a test fails, a text that no database can store finds something whose name is U+FFFD."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        populate(self.service)
        body = {"name": "host\ufffd", "uuid": ODD_HOST}
        self.send("POST", "/resource_providers", body)
        claim = CLAIM | {"project_id": "project\ufffd", "user_id": "user\ufffd"}
        self.send("PUT", f"/allocations/{ODD_HOST}", claim)

    def send(self, method, path, body):
        answer = self.service.ask(
            method, path, "latest", json=body, content_type="application/json"
        )
        self.assertLess(answer.status_int, 300, answer.text)

    def ask(self, path):
        return self.service.ask("GET", path, "latest")

    def test_a_character_is_not_replaced_by_a_stored_one(self):
        for character, found in (("%EF%BF%BD", 1), ("%00", 0), ("%00%00", 0), (SMILE, 0)):
            listed = self.ask(f"/resource_providers?name=host{character}")
            self.assertEqual(found, len(listed.json["resource_providers"]), character)
            listed = self.ask(f"/operator/providers?name=host{character}")
            self.assertEqual(found, len(listed.json["resource_providers"]), character)
            for owner in (
                f"project_id=project{character}",
                f"project_id=project%EF%BF%BD&user_id=user{character}",
            ):
                self.assertEqual(found, len(self.ask(f"/usages?{owner}").json["usages"]), owner)

    def test_text_that_no_database_can_store_names_no_host_under_operator(self):
        for character, status in (("%EF%BF%BD", 200), ("%00", 400), (SMILE, 400)):
            for question in ("explanation?host", "fit?exclude"):
                answer = self.ask(f"/operator/{question}=host{character}&resources=VCPU:1")
                self.assertEqual(status, answer.status_int, (question, character))
                self.assertNotIn("store", answer.text)


class OddCharacterSets(testtools.TestCase):
    """If a test fails, a question to MySQL is refused as if something were to be stored."""

    kind = "mysql"

    def setUp(self):
        super().setUp()
        if self.kind not in databases.reachable():
            self.skipTest("There is no MySQL.")

    def service(self, of_tables, of_connection):
        """Return a service on tables in one character set, through connections in another."""
        url = databases.create("mysql")
        connection = engine.connect(f"{url}?charset={of_connection}")
        self.addCleanup(connection.engine.dispose)
        name = connection.engine.url.database
        with connection.writer() as conn:
            conn.execute(sa.text(f"ALTER DATABASE {name} CHARACTER SET {of_tables}"))
        service = fixtures.Application()
        service.configuration = fixtures.configuration(
            placement_database__connection=url, placement_database__sync_on_startup=True
        )
        service.application = deploy.start(service.configuration, connection)
        populate(service)
        return service

    def test_text_that_the_tables_cannot_store_is_not_found(self):
        asked = [each for each in questions() if each[0] == "latest" and SMILE in each[1]]
        on_sqlite = self.useFixture(fixtures.Application("sqlite"))
        populate(on_sqlite)
        expected = statuses_of(on_sqlite, asked)
        for of_tables, of_connection in (("utf8mb3", "utf8mb4"), ("utf8mb4", "utf8mb3")):
            service = self.service(of_tables, of_connection)
            self.assertEqual(expected, statuses_of(service, asked), (of_tables, of_connection))

    def test_text_that_the_tables_cannot_store_is_refused_when_written(self):
        service = self.service("utf8mb3", "utf8mb4")
        answer = self.create(service)
        self.assertEqual(400, answer.status_int)
        self.assertIn("The database cannot represent a value of this request, such as", answer.text)

    def test_a_lookup_of_text_that_the_connection_cannot_send_is_refused_in_words_that_fit(self):
        """If it fails, who only asks for a name reads that something cannot be stored."""
        service = self.service("utf8mb3", "latin1")
        answer = service.ask("GET", f"/operator/find?q={SMILE}", "latest")
        self.assertEqual(400, answer.status_int)
        self.assertIn("The database cannot represent a value of this request, such as", answer.text)

    def test_text_that_the_tables_can_store_is_found(self):
        service = self.service("utf8mb4", "utf8mb4")
        self.assertEqual(200, self.create(service).status_int)
        answer = service.ask("GET", f"/resource_providers?name={SMILE}", "latest")
        self.assertEqual(1, len(answer.json["resource_providers"]))

    def create(self, service):
        body = {"name": "\N{GRINNING FACE}"}
        return service.ask(
            "POST", "/resource_providers", "latest", json=body, content_type="application/json"
        )
