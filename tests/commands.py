"""Commands, run in this process."""

import contextlib
import io

import fixtures


class Commands:
    """A mixin for testtools: only what the test sets is configured."""

    def use_database(self, url):
        self.useFixture(fixtures.EnvironmentVariable("OS_PLACEMENT_DATABASE__CONNECTION", url))

    def run_command(self, command, *arguments):
        """(exit status, standard output, standard error) of a command."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                exit_status = command.main(list(arguments))
            except SystemExit as end:
                exit_status = end.code
        return exit_status or 0, output.getvalue(), errors.getvalue()
