"""Writes a dump of notes and their authors, the store of the commands in the documents.

usage: notes.py [COUNT] | objectbox load STORE     COUNT: the number of notes, by default 20
"""

import json
import sys

DAY = 86_400_000
NEW_YEAR = 1_767_225_600_000  # 2026-01-01, in milliseconds since 1970
PROPERTIES = {
    "Author": [("name", {"type": 9}), ("born", {"type": 10})],
    "Note": [
        ("title", {"type": 9}),
        ("stars", {"type": 2}),
        ("created", {"type": 10}),
        ("author", {"type": 11, "flags": 520, "relationTarget": "Author", "indexId": "1:1901"}),
    ],
}
AUTHORS = ["Ada", "Brian", "Alan"]


def entity(number, name):
    properties = [{"id": f"1:{number}101", "name": "id", "type": 6, "flags": 1}]
    for place, (property, kind) in enumerate(PROPERTIES[name], start=2):
        properties.append({"id": f"{place}:{number}10{place}", "name": property, **kind})
    last = properties[-1]["id"]
    return {"id": f"{number}:{number}001", "lastPropertyId": last, "name": name, "properties": properties}


def note(number):
    if number == 9:
        return {"title": "Groceries", "stars": -1, "created": NEW_YEAR + 6 * DAY + 18 * DAY // 24, "author": 1}
    if number == 17:
        return {"title": "Hello", "stars": 5, "created": NEW_YEAR + 31 * DAY + 19 * DAY // 48, "author": 3}
    return {"title": f"Title {number}", "stars": 0, "created": NEW_YEAR - number * DAY, "author": 1 + number % 3}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    model = {
        "entities": [entity(1, "Author"), entity(2, "Note")],
        "lastEntityId": "2:2001",
        "lastIndexId": "1:1901",
        "lastRelationId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 5,
        "version": 1,
    }
    counts = {"Author": len(AUTHORS), "Note": count}
    entities = [{"entity": name, "count": number, "lastId": number} for name, number in counts.items()]
    print(json.dumps({"objectboxDump": 1, "entities": entities, "relations": [], "model": model}))
    for number, name in enumerate(AUTHORS, start=1):
        print(json.dumps({"Author": {"id": number, "name": name, "born": -DAY * 365 * 100}}))
    for number in range(1, count + 1):
        print(json.dumps({"Note": {"id": number, **note(number)}}))


if __name__ == "__main__":
    main()
