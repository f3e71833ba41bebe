"""Finds public symbols that the built documents leave out, which DocC does not check.

usage: check.py GRAPHS ARCHIVE

Each public symbol has a documentation comment, and stands under a topic of ours. DocC groups the rest by kinds: that
is enough for up to ten members of a type.
"""

import json
import pathlib
import sys

GROUPED_BY_KIND = 10


def undocumented(graphs):
    for path in sorted(graphs.glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            if "docComment" not in symbol:
                yield f"'{'.'.join(symbol['pathComponents'])}' has no documentation comment"


def uncurated(archive):
    for path in sorted(archive.glob("data/documentation/**/*.json")):
        page = json.loads(path.read_text())
        sections = [
            section
            for section in page.get("topicSections", [])
            if section.get("generated") and section.get("title") != "Default Implementations"
        ]
        names = [name for section in sections for name in section["identifiers"]]
        is_module = page["metadata"].get("symbolKind") == "module"
        if len(names) > (0 if is_module else GROUPED_BY_KIND):
            for name in names:
                yield f"'{name.split('/documentation/')[-1]}' is under no topic"


def main():
    graphs, archive = map(pathlib.Path, sys.argv[1:])
    faults = [*undocumented(graphs), *uncurated(archive)]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
