"""If a test fails, a service that forks does not sample its cloud, or samples it twice."""

import subprocess
import sys
import textwrap

import testtools

UWSGI = """\
import ctypes, os, sys, time, types
uwsgi = sys.modules["uwsgi"] = types.SimpleNamespace(worker=0, worker_id=lambda: uwsgi.worker)
"""
BEGIN = """\
import os
from placement.background import processes

def begin():
    print(os.getpid(), flush=True)
"""


class Processes(testtools.TestCase):
    def begun_in(self, script, before=""):
        """Return "parent" or "child" for each process in which begin() was called."""
        script = before + BEGIN + textwrap.dedent(script) + "print('parent is', os.getpid())\n"
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        *begun, last = run.stdout.splitlines()
        parent = last.split()[-1]
        return ["parent" if pid == parent else "child" for pid in begun]

    def test_a_process_and_one_that_it_forks_begin(self):
        found = self.begun_in("""
            processes.in_each_process(begin)
            if not os.fork():
                os._exit(0)
            os.wait()
        """)
        self.assertEqual(["parent", "child"], found)

    def test_workers_of_uwsgi_begin_and_its_master_does_not(self):
        found = self.begun_in(
            """
            processes.in_each_process(begin)
            uwsgi.worker = 1
            if not ctypes.PyDLL(None).fork():
                uwsgi.post_fork_hook()
                os._exit(0)
            os.wait()
            """,
            before=UWSGI,
        )
        self.assertEqual(["child"], found)

    def test_a_worker_of_uwsgi_that_loads_the_application_itself_begins(self):
        found = self.begun_in("uwsgi.worker = 1; processes.in_each_process(begin)\n", before=UWSGI)
        self.assertEqual(["parent"], found)
