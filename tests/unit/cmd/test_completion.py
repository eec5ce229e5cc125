"""Commands are completed in real shells."""

import os
import pathlib
import pty
import shutil
import subprocess
import time

from placement.cmd import manage, status
from tests.unit.cmd.base import CommandTestCase

# What a person has typed, and which completions are offered.
CASES = (
    (("capa",), "capacity"),
    (("db", "s"), "sync stamp share"),
    (("--config-file", "x", "db", "sh"), "share"),
    (("capacity", "--by", ""), "class aggregate trait project consumer_type"),
    (("capacity", "--by", "=", "a"), "aggregate"),
    (("capacity", "-c", "larg"), "largest_free"),
    (("audit", "--repair", "root"), "root_is_wrong"),
    (("audit", "--consumers", "kno"), "known-servers"),
    (("capacity", "--import", "kno"), "known-servers"),
    (("fit", "--mix", "kno"), "known-servers"),
    (("--config-file", "kno"), "known-servers"),
    (("flavors", "kno"), "known-servers"),
    (("flavors", "--js"), "--json"),
    (("flavors", "--format", "y"), "yaml"),
    (("flavors", "--json", "kno"), "known-servers"),
    (("openapi", "--microversion", "1.38"), "1.38"),
)
SECONDS = 60


class Completion(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.home = pathlib.Path(self.directory)
        (self.home / "known-servers").touch()

    def script(self, shell, command=manage):
        """The path of the script for a shell."""
        exit_status, output, errors = self.run_command(command, f"--shell_completion={shell}")
        self.assertEqual((0, ""), (exit_status, errors))
        path = self.home / shell
        path.write_text(output)
        return path

    def in_bash(self, path, program, *words):
        """What bash offers for the last of the words."""
        function = f"_{program.replace('-', '_')}"
        typed = " ".join(f"'{word}'" for word in (program, *words))
        done = subprocess.run(
            [
                *("bash", "--norc", "-c"),
                f"source {path}; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; {function}; "
                "echo ${COMPREPLY[@]}",
            ],
            cwd=self.home,
            capture_output=True,
            text=True,
        )
        # A person would see these errors between the words that are typed.
        self.assertEqual("", done.stderr)
        return done.stdout.strip()

    def test_bash_completes_commands_options_and_values(self):
        path = self.script("bash")
        for words, offered in CASES:
            self.assertEqual(offered, self.in_bash(path, "placement-manage", *words))

    def test_files_are_offered_for_an_argument_that_is_a_file(self):
        path = self.script("bash")
        offered = self.in_bash(path, "placement-manage", "flavors", "")
        self.assertEqual(["bash", "known-servers"], sorted(offered.split()))

    def test_bash_completes_the_other_command_too(self):
        path = self.script("bash", status)
        self.assertEqual("upgrade", self.in_bash(path, "placement-status", "up"))
        self.assertEqual("check", self.in_bash(path, "placement-status", "upgrade", "c"))

    def test_zsh_completes_commands_and_values(self):
        if shutil.which("zsh") is None:
            self.skipTest("there is no zsh")
        path = self.script("zsh")
        shown = self.typed_in_zsh(path, "placement-manage capa\t--by a\t.\n")
        self.assertIn("placement-manage capacity --by aggregate .", shown)
        shown = self.typed_in_zsh(path, "placement-manage flavors kno\t.\n")
        self.assertIn("placement-manage flavors known-servers .", shown)

    def typed_in_zsh(self, path, keys):
        """What a terminal shows after typing into a zsh that has the script at `path`."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.home)
            os.environ.update(HOME=str(self.home), TERM="dumb", PS1="", ZDOTDIR=str(self.home))
            os.execvp("zsh", ["zsh", "-f", "-i"])
        shown = b""
        # The command itself does not matter here.
        begin = f"source {path}; placement-manage() {{ true }}; echo re''ady\n"
        os.write(terminal, begin.encode())
        ends, typed = time.monotonic() + SECONDS, False
        while time.monotonic() < ends:
            try:
                shown += os.read(terminal, 4096)
            except OSError:
                break
            if b"ready" in shown and not typed:
                typed = True
                os.write(terminal, keys.encode() + b"exit\n")
        os.close(terminal)
        os.waitpid(process, 0)
        # zsh also prints a space that it then deletes.
        return shown.decode().replace(" \b", "").replace("\r", "")
