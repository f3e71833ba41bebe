#!/usr/bin/env python3
"""Lists the slowest tests of event streams, which `swift test --no-parallel --event-stream-output-path` writes.

usage: slowest-tests.py FILE... -- COMMAND...     COMMAND runs tests: the test program, or `swift test`

A test must end within 5 s, unless it or its suite has the tag `.slow`. Other processes make a test slower, so the tests
that take longer run once more, one after another, and those that do again a third time, before they are errors.
environment: SLOWNESS multiplies the limit, for machines slower than those that the limit is for.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHOWN = 30
LIMIT = 5.0 * float(os.environ.get("SLOWNESS", "1"))


class Test:
    def __init__(self, description):
        self.id = description["id"]
        self.place = description["sourceLocation"]
        self.seconds = 0.0

    @property
    def name(self):
        """The module, suite and function, by which a filter finds the test."""
        return self.id.rpartition("/")[0]

    def is_marked(self):
        """Whether the test's attribute, or one of its suites, has the tag `.slow`."""
        path = pathlib.Path(self.place.get("filePath") or self.place["_filePath"])
        lines = path.read_text().split("\n")
        attribute = "\n".join(lines[self.place["line"] - 1 :]).partition("func ")[0]
        suites = re.findall(r"^@Suite\b.*?^(?:\w+ )*(?:struct|class|actor|enum|extension)", "\n".join(lines), re.M | re.S)
        return any(".slow" in text for text in [attribute, *suites])


def read(path):
    """Returns the tests of an event stream that have ended, with their times."""
    tests, started, ended = {}, {}, []
    with open(path) as lines:
        for line in lines:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    tests[payload["id"]] = Test(payload)
            elif payload.get("testID") in tests:
                if payload["kind"] == "testStarted":
                    started[payload["testID"]] = payload["instant"]["absolute"]
                elif payload["kind"] == "testEnded":
                    test = tests[payload["testID"]]
                    test.seconds = payload["instant"]["absolute"] - started[test.id]
                    ended.append(test)
    return ended


def run_alone(command, tests):
    """Runs tests one after another, and gives them the times that they take then; those that do not run keep theirs."""
    with tempfile.TemporaryDirectory() as folder:
        events = f"{folder}/events"
        # A filter is a regular expression.
        names = "|".join(re.escape(test.name) for test in tests)
        options = ["--event-stream-output-path", events, "--filter", f"^({names})"]
        subprocess.run([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times = {test.id: test.seconds for test in read(events)} if os.path.exists(events) else {}
    for test in tests:
        test.seconds = min(test.seconds, times.get(test.id, test.seconds))


def main():
    border = sys.argv.index("--")
    paths, command = sys.argv[1:border], sys.argv[border + 1 :]
    tests = sorted((test for path in paths for test in read(path)), key=lambda test: -test.seconds)
    print(f"{len(tests)} tests took {sum(test.seconds for test in tests):.0f} s; the slowest:")
    for test in tests[:SHOWN]:
        print(f"{test.seconds:8.1f} s  {'slow  ' if test.is_marked() else '      '}{test.name}")
    late = [test for test in tests if test.seconds > LIMIT and not test.is_marked()]
    for _ in range(2):
        if late:
            run_alone(command, late)
        late = [test for test in late if test.seconds > LIMIT]
    for test in late:
        place = f"{test.place['fileID']}:{test.place['line']}"
        print(
            f"{place}: error: the test takes {test.seconds:.1f} s alone, more than {LIMIT:.1f} s: make it shorter, or mark"
            " it with .tags(.slow) and shorten it by TestLength"
        )
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
