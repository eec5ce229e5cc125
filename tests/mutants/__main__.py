"""Plant faults at random places, one after the other, and list those that no test catches.

The first tests are fast ones that execute the changed statement and little else. Mutants that
survive them are tried with all tests that execute the statement, on the other databases, too. The
exit status is 0 if 95 % of the faults that equivalent.toml does not explain are caught.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import re
import sys
import time

from tests.mutants import equivalent, places, reach, trial

# How long the first and all tests may take, in CPU seconds as recorded.
FIRST, ALL = 15, 90
GOAL = 0.95


def main():
    options = _options()
    began = time.monotonic()
    trial.import_libraries()
    _record(options.processes)
    found = _at_random(options)
    known = {entry.key: entry for entry in equivalent.explained()}
    run = Run(reach.recorded(), options.processes)
    explained = 0
    for mutant in itertools.islice(found, options.places):
        if time.monotonic() - began > 60 * options.minutes:
            break
        if equivalent.key(mutant.path, *mutant.change()) in known:
            explained += 1
        else:
            run.plant(mutant)
    run.finish()
    wrong = _report_outdated(known.values())
    return run.report(explained, options.seed) or wrong


def _options():
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="begin no fault after this time")
    parser.add_argument("--places", type=int, help="how many faults at most")
    parser.add_argument("--files", default="", help="a regex for the paths of modules")
    parser.add_argument("--operators", default="", help="a regex for the names of operators")
    parser.add_argument("--seed", type=int, default=random.randrange(10000))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser.parse_args()


def _record(processes):
    """Record, in several processes, what tests execute, unless that is already known."""
    files = reach.outdated()
    if not files:
        return
    print(f"recording what {len(files)} files of tests execute ...", flush=True)
    for part in range(processes):
        if os.fork() == 0:
            os.environ["PLACEMENT_TEST_SQLITE_ONLY"] = "1"
            trial.alone(3600)
            for path in files[part::processes]:
                reach.record(path)
            os._exit(0)
    for _ in range(processes):
        os.wait()


def _at_random(options):
    """Generate one Mutant for each place, in the order of the seed."""
    chance = random.Random(options.seed)
    files, operators = re.compile(options.files), re.compile(options.operators)
    found = [
        mutant for path in places.modules(files) for mutant in places.mutants(path, operators)
    ]
    chance.shuffle(found)
    print(f"{len(found)} faults are possible; the seed is {options.seed}", flush=True)
    seen = set()
    for mutant in found:
        place = mutant[:3]
        if place not in seen:
            seen.add(place)
            yield mutant


def _report_outdated(entries):
    """Print the explanations whose code is gone, or not unique. Return whether there are any."""
    outdated = [entry for entry in entries if not entry.has_one_place()]
    for entry in outdated:
        print(f"equivalent.toml explains code that is not once in {entry.path}: {entry.was}")
    return bool(outdated)


class Run:
    """Tries mutants, one at a time in each copy of the service."""

    def __init__(self, tests, processes):
        self._tests = tests
        self._free = [trial.Copy(reach.RECORDED.with_name(f"copy-{n}")) for n in range(processes)]
        self._running = {}
        self._caught = []
        self._survivors = []

    def plant(self, mutant):
        """Try a mutant as soon as there is a free copy."""
        while not self._free:
            self._wait()
        stages = [
            (self._first(mutant), trial.Databases.SQLITE),
            (self._all(mutant), trial.Databases.EACH),
        ]
        self._start(self._free.pop(), mutant, stages)

    def finish(self):
        """Wait for the last ones; then each test that caught a fault has to pass without one.

        Raises: SystemExit if a test fails.
        """
        while self._running:
            self._wait()
        copy = self._free[0]
        caught = list(filter(None, dict.fromkeys(self._caught)))
        copy.start(None, caught, trial.Databases.AS_NAMED, 3600)
        _, status = os.wait()
        if status != trial.SURVIVED:
            sys.exit(f"A test that caught faults fails without one, too: {copy.caught_by}")

    def report(self, explained, seed):
        """Print the survivors and a summary. Return whether there are too many."""
        caught, survived = len(self._caught), len(self._survivors)
        for mutant in sorted(self._survivors):
            was, becomes = map(json.dumps, mutant.change())
            print(f'# line {mutant.line}\n[["{mutant.path}"]]\nwas = {was}\nbecomes = [{becomes}]')
        print(
            f"{caught + survived + explained} places, seed {seed}: {caught} caught, {survived}"
            f" survived, {explained} explained; {caught / (caught + survived or 1):.1%} caught"
        )
        return caught < GOAL * (caught + survived)

    def _start(self, copy, mutant, stages):
        (tests, databases), *later = stages
        limit = 60 + 10 * int(sum(test.seconds for test in tests))
        process = copy.start(mutant, [test.name for test in tests], databases, limit)
        self._running[process] = (copy, mutant, later)

    def _wait(self):
        process, status = os.wait()
        copy, mutant, stages = self._running.pop(process)
        copy.end(mutant, process)
        if status == trial.SURVIVED and stages:
            self._start(copy, mutant, stages)
            return
        self._free.append(copy)
        if status == trial.SURVIVED:
            self._survivors.append(mutant)
        else:
            self._caught.append(copy.caught_by)
        verdict = "survived" if status == trial.SURVIVED else f"caught by {copy.caught_by}"
        print(f"{mutant.path}:{mutant.line} {mutant.operator} {verdict}", flush=True)

    def _first(self, mutant):
        return _within(FIRST, self._executing(mutant))

    def _all(self, mutant):
        return _within(ALL, self._executing(mutant))

    def _executing(self, mutant):
        """Return the tests that execute the statement of a mutant or, failing that, its module.

        The tests of the module are for statements that run only on a database server, and for those
        that run when the module is imported: whichever test came first executed these.
        """
        lines = [] if mutant.runs_on_import() else mutant.lines()
        tests = [test for test in self._tests if test.executes(mutant.path, lines)]
        return tests or self._of_module(mutant.path)

    def _of_module(self, path):
        """Return the tests that are named for a module or its folder, then others that execute it.

        Those that are named for the module may execute nothing of it on SQLite.
        """
        path = pathlib.PurePath(path)
        names = {f"test_{path.stem}", f"test_{path.parent.name}"}
        named = [test for test in self._tests if not names.isdisjoint(test.name.split("."))]
        others = [test for test in self._tests if str(path) in test.lines and test not in named]
        return named + others


def _within(seconds, tests):
    """Return as many of the first tests as take this many seconds in total."""
    sums = itertools.accumulate(test.seconds for test in tests)
    return [test for test, total in zip(tests, sums, strict=True) if total < seconds]


if __name__ == "__main__":
    sys.exit(main())
