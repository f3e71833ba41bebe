"""Finds public symbols without a comment or a topic, which DocC does not check.

usage: check.py GRAPHS ARCHIVE

Each public symbol needs a documentation comment and a topic. DocC's default topics, which group a type's members by
kind, are enough for up to five members, or up to ten cases or properties.
"""

import json
import pathlib
import sys

CALLS = {"Instance Methods", "Type Methods", "Operators", "Subscripts"}


def undocumented(graphs):
    for path in sorted(graphs.glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            # An extension of another module's type is not a symbol that needs a comment.
            if symbol["kind"]["identifier"] != "swift.extension" and "docComment" not in symbol:
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
        limit = 5 if any(section.get("title") in CALLS for section in sections) else 10
        if page["metadata"].get("symbolKind") == "module":
            limit = 0
        if len(names) > limit:
            for name in names:
                yield f"'{name.split('/documentation/')[-1]}' is under no topic of the catalogue in Sources/"


def main():
    graphs, archive = map(pathlib.Path, sys.argv[1:])
    faults = [*undocumented(graphs), *uncurated(archive)]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
