"""placement-manage history, after a few writes over HTTP."""

import contextlib
import datetime
import json
import os
import re
import time
from unittest import mock

import fixtures
from oslo_utils import timeutils

from placement.cmd import manage
from placement.cmd.questions import history
from placement.db.faults import outages
from placement.objects.feed import reading
from tests import databases
from tests.commands import Commands
from tests.functional.feed.test_changes import (
    CHILD,
    CONSUMER,
    HOST,
    RACK,
    ServiceWithChanges,
    claim,
)
from tests.unit.cmd.test_display import Output

NAME = f"host-{HOST[-4:]}"


@databases.on_each_database
class HistoryCommand(Commands, ServiceWithChanges):
    """If a test fails, an operator does not find out what happened."""

    def setUp(self):
        super().setUp()
        self.use_database(self.service.database.engine.url.render_as_string(hide_password=False))
        self.make_host()
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 2}}))
        self.send("PUT", f"/allocations/{CONSUMER}", claim({HOST: {"VCPU": 3}}, 1))

    def history(self, *arguments):
        status, output, errors = self.run_command(manage, "history", *arguments)
        self.assertEqual("", errors)
        return status, output

    def rows(self, *arguments):
        """Return what the column Change has."""
        _, output = self.history(*arguments, "-f", "json", "-c", "change")
        return [each["Change"] for each in json.loads(output)]

    def test_a_table_shows_who_changed_what(self):
        status, output = self.history()
        self.assertEqual(0, status)
        last = output.splitlines()[-1]
        when = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
        change = rf"VCPU on {NAME} 2 -> 3"
        self.assertRegex(last, rf"\A +{when} +admin +allocations +{CONSUMER} +{change}\Z")
        self.assertIn("+ VCPU total 100, + VCPU reserved 0", output)

    def test_names_stand_beside_consumers_and_users_but_not_in_rows(self):
        path = f"{self.useFixture(fixtures.TempDir()).path}/names.json"
        with open(path, "w") as file:
            json.dump({CONSUMER: "web-1", "admin": "Root"}, file)
        self.useFixture(fixtures.EnvironmentVariable("OS_OPERATOR__NAMES", path))
        _, output = self.history()
        who = r"admin \(Root\) +allocations"
        self.assertRegex(output.splitlines()[-1], rf"{who} +{CONSUMER} \(web-1\)")
        _, output = self.history("-f", "json", "-c", "user", "-c", "uuid", "-c", "name")
        row = json.loads(output)[-1]
        self.assertEqual({"User": "admin", "UUID": CONSUMER, "Name": "web-1"}, row)

    def test_the_changes_of_a_host_are_found_by_its_name_even_after_it_was_deleted(self):
        self.make_host(CHILD)
        changes = self.rows("--host", NAME)
        self.assertEqual(4, len(changes))
        self.assertEqual(changes, self.rows("--host", HOST))
        self.assertEqual(f"+ name {NAME}, + root {NAME}", changes[0])
        self.send("DELETE", f"/allocations/{CONSUMER}")
        self.send("DELETE", f"/resource_providers/{HOST}")
        self.assertEqual(6, len(self.rows("--host", NAME)))
        self.assertEqual(f"- VCPU on {HOST} 3", self.rows("--host", NAME)[-2].split(", ")[0])

    def test_a_deleted_host_is_found_by_its_name_whatever_was_changed_since(self):
        name = "CUSTOM_GOLD"
        self.send("POST", "/resource_providers", {"uuid": RACK, "name": name})
        self.send("DELETE", f"/resource_providers/{RACK}")
        self.make_host(CHILD)
        self.send("PUT", f"/traits/{name}")
        self.assertEqual(
            [f"{sign} name {name}, {sign} root {RACK}" for sign in "+-"],
            self.rows("--host", name),
        )

    def test_after_a_restore_followers_read_everything_again_and_the_history_is_the_same(self):
        changes = self.rows()
        position = self.changes()["next"]
        output = "Programs that follow the changes will read everything again.\n"
        self.assertEqual((0, output, ""), self.run_command(manage, "db", "restored"))
        self.send("GET", f"/operator/changes?after={position}", status=410)
        self.assertEqual(changes, self.rows())

    def test_an_unknown_host_is_a_mistake(self):
        status, output, errors = self.run_command(manage, "history", "--host", "nowhere")
        self.assertEqual((2, ""), (status, output))
        self.assertIn("No provider with the name or UUID 'nowhere' exists", errors)

    def test_a_consumer_is_found_by_any_spelling_of_its_uuid(self):
        """If it fails, an operator who pastes a UUID in capitals reads that nothing was changed."""
        expected = self.rows("--consumer", CONSUMER)
        self.assertNotEqual([], expected)
        for spelling in (CONSUMER.upper(), CONSUMER.replace("-", ""), f"{{{CONSUMER}}}"):
            self.assertEqual(expected, self.rows("--consumer", spelling), spelling)

    def test_a_name_instead_of_the_uuid_of_a_consumer_is_a_mistake(self):
        for name in ("web-1", ""):
            status, output, errors = self.run_command(manage, "history", "--consumer", name)
            self.assertEqual((2, ""), (status, output))
            self.assertIn(f"--consumer takes a UUID, and not {name!r}.", errors)

    def test_changes_are_chosen_by_consumer_project_and_actor(self):
        for arguments, count in (
            (("--consumer", CONSUMER), 2),
            (("--project", "project"), 2),
            (("--project", "another"), 0),
            (("--actor", "admin"), 4),
            (("--actor", "nobody"), 0),
        ):
            self.assertEqual(count, len(self.rows(*arguments)), arguments)

    def test_changes_by_a_command_are_reported_too(self):
        path = f"{self.useFixture(fixtures.TempDir()).path}/known"
        with open(path, "w") as file:
            file.write(f"{CHILD}\n")
        # The clock of the file system is coarse, and may be behind the last claim.
        later = time.time() + 60
        os.utime(path, (later, later))
        options = ("--delete-orphans", "--at-most", "100", "--older-than", "0h")
        self.run_command(manage, "audit", "--consumers", path, *options)
        _, output = self.history("--consumer", CONSUMER, "-f", "json")
        last = json.loads(output)[-1]
        self.assertEqual(
            ("command", None, "placement-manage audit"),
            (last["By"], last["User"], last["Operation"]),
        )

    def test_changes_are_shown_since_a_date_or_a_time(self):
        now = timeutils.utcnow()
        for moment, count in (
            (f"{now - datetime.timedelta(days=1):%Y-%m-%d}", 4),
            (f"{now - datetime.timedelta(hours=1):%Y-%m-%dT%H:%M}", 4),
            (f"{now - datetime.timedelta(hours=1):%Y-%m-%d %H:%M:%S}", 4),
            (f"{now + datetime.timedelta(hours=1):%Y-%m-%dT%H:%M}+02:00", 4),
        ):
            self.assertEqual(count, len(self.rows("--since", moment)), moment)
        # Changes in the same second do not count as later.
        time.sleep(1.1)
        later = f"{timeutils.utcnow():%Y-%m-%dT%H:%M:%S}"
        self.assertEqual([], self.rows("--since", later))

    def test_a_value_that_is_not_a_date_or_is_in_the_future_is_refused(self):
        for since, said in (
            ("yesterday", "'yesterday' is neither a time such as 48h"),
            ("2026-13-01", "nor a date such as 2026-11-01"),
            ("2999-01-01", "'2999-01-01' is in the future"),
        ):
            status, output, errors = self.run_command(manage, "history", "--since", since)
            self.assertEqual((2, ""), (status, output))
            self.assertIn(said, errors)

    def test_tables_fit_a_terminal_of_80_columns_with_words_and_uuids_whole(self):
        path = f"/resource_providers/{HOST}/aggregates"
        body = {"resource_provider_generation": 3, "aggregates": [RACK]}
        self.send("PUT", path, body)
        for arguments, words in (
            (["history"], [CONSUMER, "allocations", "MEMORY_MB"]),
            (["find", CONSUMER[:6]], [CONSUMER, "INSTANCE"]),
            (["capacity", "--by", "aggregate"], [RACK, "MEMORY_MB", "Capacity"]),
        ):
            lines = self.on_terminal(80, arguments)
            self.assertEqual([], [line for line in lines if len(line) > 80])
            for word in words:
                self.assertTrue(any(word in line.split() for line in lines), (word, lines))

    def on_terminal(self, width, arguments):
        output = Output(is_terminal=True)
        with (
            fixtures.EnvironmentVariable("NO_COLOR", "1"),
            fixtures.EnvironmentVariable("COLUMNS", str(width)),
            contextlib.redirect_stdout(output),
        ):
            manage.main(arguments)
        output.flush()
        return output.buffer.getvalue().decode().splitlines()

    def test_an_empty_history_is_not_an_error(self):
        self.assertEqual((1, "Nothing was changed.\n"), self.history("--actor", "nobody"))

    def test_the_command_says_that_changes_are_not_recorded(self):
        self.useFixture(fixtures.EnvironmentVariable("OS_OPERATOR__HISTORY_DAYS", "0"))
        status, output, errors = self.run_command(manage, "history", "--actor", "nobody")
        self.assertEqual((1, "Nothing was changed.\n"), (status, output))
        self.assertIn("[operator] history_days is 0", errors)

    def test_json_is_the_document_of_the_service(self):
        _, output = self.history("--json")
        self.assertEqual(self.changes(), json.loads(output))

    def in_pages_of_one(self):
        """Let a page have one change; return a list to which each page is added."""
        read, pages = reading.page_after, []

        def page(*arguments, **options):
            pages.append(read(*arguments, limit=1, **options))
            return pages[-1]

        self.useFixture(fixtures.MonkeyPatch("placement.objects.feed.reading.page_after", page))
        return pages

    def test_several_pages_are_one_document_and_a_table_each(self):
        whole, rows = self.changes(), self.rows()
        pages = self.in_pages_of_one()
        self.assertEqual(whole, json.loads(self.history("--json")[1]))
        self.assertEqual(rows, self.rows())
        self.assertEqual(10, len(pages))
        _, output = self.history()
        self.assertEqual(["Time", "2"] * 4, re.findall(r"^  (Time|2)", output, re.MULTILINE))

    def test_changes_are_found_after_a_page_without_any(self):
        changes, position = reading.page_after(self.service.database, None)
        for form in (("--json",), ("-f", "csv"), ()):
            pages = [([], position - 1), (changes, position), ([], position)]
            with mock.patch.object(reading, "page_after", side_effect=pages):
                status, output = self.history(*form)
            self.assertEqual(0, status)
            self.assertIn(CONSUMER, output)

    def test_what_was_read_is_printed_before_the_rest_is_read(self):
        first = reading.page_after(self.service.database, None, limit=1)
        lost = outages.Lost("(2013) Lost connection")
        for form in (("--json",), ("-f", "csv"), ("-f", "value"), ()):
            with mock.patch.object(reading, "page_after", side_effect=[first, lost]):
                status, output, errors = self.run_command(manage, "history", *form)
            self.assertEqual(2, status)
            self.assertIn("The database cannot be reached.", errors)
            self.assertIn(f"+ name {NAME}" if "--json" not in form else HOST, output, form)

    def test_a_follower_prints_new_changes_as_lines(self):
        class End(Exception):
            pass

        def meanwhile(seconds):
            self.assertEqual(history.INTERVAL, seconds)
            if self.slept:
                raise End
            self.slept = True
            self.send("DELETE", f"/allocations/{CONSUMER}")

        self.slept = False
        with (
            # time.sleep itself is not replaced: threads of the whole process depend on it.
            mock.patch.object(history, "time", mock.Mock(sleep=meanwhile)),
            mock.patch("builtins.print") as printed,
        ):
            arguments = ("history", "--follow", "--consumer", CONSUMER, "--json")
            self.assertRaises(End, manage.main, list(arguments))
        lines = [json.loads(call.args[0]) for call in printed.call_args_list]
        generations = [each["after"] and each["after"]["consumer_generation"] for each in lines]
        self.assertEqual([1, 2, None], generations)
