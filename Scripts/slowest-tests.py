#!/usr/bin/env python3
"""Lists the slowest tests of event streams, which `swift test --no-parallel --event-stream-output-path` writes.

usage: slowest-tests.py FILE... -- COMMAND...     COMMAND runs tests: the test program, or `swift test`

A test must end within 5 s, unless it or its suite has the tag `.slow`. Other processes make a test slower, so a test
that takes longer runs once more, alone, before it is an error.
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


def seconds_alone(command, test):
    """Returns the time of a test that runs alone, or its former time if it does not run."""
    with tempfile.TemporaryDirectory() as folder:
        events = f"{folder}/events"
        # A filter is a regular expression.
        options = ["--event-stream-output-path", events, "--filter", f"^{re.escape(test.name)}"]
        subprocess.run([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times = [other.seconds for other in read(events) if other.id == test.id]
    return times[0] if times else test.seconds


def main():
    border = sys.argv.index("--")
    paths, command = sys.argv[1:border], sys.argv[border + 1 :]
    tests = sorted((test for path in paths for test in read(path)), key=lambda test: -test.seconds)
    print(f"{len(tests)} tests took {sum(test.seconds for test in tests):.0f} s; the slowest:")
    for test in tests[:SHOWN]:
        print(f"{test.seconds:8.1f} s  {'slow  ' if test.is_marked() else '      '}{test.name}")
    failures = 0
    for test in tests:
        if test.seconds <= LIMIT or test.is_marked():
            continue
        alone = seconds_alone(command, test)
        if alone > LIMIT:
            failures += 1
            place = f"{test.place['fileID']}:{test.place['line']}"
            print(
                f"{place}: error: the test takes {alone:.1f} s alone, more than {LIMIT:.1f} s: make it shorter, or mark"
                " it with .tags(.slow) and shorten it by TestLength"
            )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
