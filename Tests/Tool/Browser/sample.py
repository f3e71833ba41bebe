"""A store for the browser tests, as a dump for `objectbox load`."""

import base64
import json
import math
import struct
import zlib

MESSAGES = 3000
SCRIPT = "<img src=x onerror=\"document.title='stolen'\"><script>document.title='stolen'</script>"

PEOPLE = [
    ("Ada Lovelace", "ada@example.org", -4861987200000, [51.51, -0.13]),
    ("Grace Hopper", "grace@example.org", -1988582400000, [40.71, -74.01]),
    ("Alan Turing", "alan@example.org", -1815868800000, [51.99, -0.73]),
    ("Katherine Johnson", "katherine@example.org", -1620777600000, [37.08, -76.38]),
    ("Konrad Zuse", "konrad@example.org", -1877644800000, [52.52, 13.40]),
    ("Barbara Liskov", "barbara@example.org", -952819200000, [42.36, -71.09]),
    (SCRIPT, "mallory@example.org", None, [48.86, 2.35]),
]
WORDS = "the engine weaves algebraic patterns just as a loom weaves flowers and leaves".split()


def picture(width=64, height=48):
    """A PNG with a gradient."""
    rows = b"".join(
        b"\0" + bytes(v for x in range(width) for v in (x * 4 % 256, 110, y * 5 % 256)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def model():
    def prop(number, name, kind, flags=0, **more):
        result = {"id": f"{number}:{number + 100}", "name": name, "type": kind}
        if flags:
            result["flags"] = flags
        return result | more

    def entity(number, name, properties, relations=()):
        for element in properties:
            local, uid = element["id"].split(":")
            element["id"] = f"{local}:{int(uid) + number * 1000}"
        return {"id": f"{number}:{number * 1000}", "lastPropertyId": properties[-1]["id"], "name": name,
                "properties": properties, "relations": list(relations)}

    person = entity(1, "Person", [
        prop(1, "id", 6, 1), prop(2, "name", 9, 8, indexId="1:5001"),
        prop(3, "email", 9, 2080, indexId="2:5002"), prop(4, "born", 10, 8, indexId="3:5003"),
        prop(5, "photo", 23),
        prop(6, "place", 28, 8, indexId="4:5004", vectorIndex={"dimensions": 2, "distanceType": 6}),
        prop(7, "mood", 28), prop(8, "notes", 9), prop(9, "boss", 11, 520, indexId="5:5005", relationTarget="Person"),
    ], [{"id": "1:6001", "name": "friends", "targetId": "1:1000"}])
    message = entity(2, "Message", [
        prop(1, "id", 6, 1), prop(2, "text", 9), prop(3, "sent", 10, 8, indexId="6:5006"),
        prop(4, "stars", 5, 8, indexId="7:5007"), prop(5, "isRead", 1), prop(6, "tags", 30),
        prop(7, "author", 11, 520, indexId="8:5008", relationTarget="Person"),
    ], [{"id": "2:6002", "name": "readers", "targetId": "1:1000"}])
    message["fullTextIndexes"] = [{"id": "9:5009", "properties": [message["properties"][1]["id"]]}]
    empty = entity(3, "Draft", [prop(1, "id", 6, 1), prop(2, "title", 9, 4), prop(3, "length", 5),
                                prop(4, "marks", 27), prop(5, "due", 10)])
    return {"entities": [person, message, empty], "lastEntityId": "3:3000", "lastIndexId": "9:5009",
            "lastRelationId": "2:6002", "modelVersion": 5, "modelVersionParserMinimum": 4, "version": 1}


def message(number):
    result = {
        "id": number, "text": " ".join(WORDS[(number * 7 + i) % len(WORDS)] for i in range(4 + number % 5)),
        "sent": 1767225600000 + number * 3600000, "isRead": number % 3 == 0, "author": number % 6 + 1,
    }
    if number % 4:
        result["stars"] = number % 6
    if number % 10 == 0:
        result["tags"] = ["swift", f"tag {number % 7}"]
    return result


def lines():
    """The lines of the dump."""
    yield {"objectboxDump": 1, "entities": [{"entity": name} for name in ("Person", "Message", "Draft")],
           "relations": [{"relation": 1}, {"relation": 2}], "model": model()}
    for index, (name, email, born, place) in enumerate(PEOPLE):
        person = {"id": index + 1, "name": name, "email": email, "place": place,
                  "mood": [round(math.sin(i * (index + 2) / 9) * (1 - i / 80), 3) for i in range(64)]}
        if born is not None:
            person["born"] = born
        if index == 0:
            person["photo"] = base64.b64encode(picture()).decode()
            person["notes"] = "Wrote the first program.\nThought of music as well."
        if index == 2:
            person["photo"] = base64.b64encode(bytes(range(200))).decode()
        if index:
            person["boss"] = 1
        yield {"Person": person}
    for number in range(1, MESSAGES + 1):
        yield {"Message": message(number)}
    yield {"relation": 1, "source": 1, "targets": [2, 3, 5]}
    yield {"relation": 1, "source": 3, "targets": [1]}
    for number in range(1, 40):
        yield {"relation": 2, "source": number, "targets": [1, number % 6 + 1] if number % 6 else [1]}


def library():
    """The lines of a store with every delete rule: 63 books of one author, loans and reviews."""
    def relation(number, name, target, rule):
        return {"id": f"{number}:{number + 9000}", "name": name, "type": 11, "flags": 520,
                "indexId": f"{number}:{number + 9100}", "relationTarget": target, "onDelete": rule}

    def entity(number, name, *properties):
        own = [{"id": f"1:{number}001", "name": "id", "type": 6, "flags": 1}]
        for place, element in enumerate(properties, 2):
            uid = f"{place}:{number}{place:03}"
            own.append(element | {"id": uid} if isinstance(element, dict) else {"id": uid, "name": element, "type": 9})
        return {"id": f"{number}:{number}000", "lastPropertyId": own[-1]["id"], "name": name, "properties": own,
                "relations": []}

    entities = [
        entity(1, "Author", "name"), entity(2, "Book", "title", relation(1, "author", "Author", "nullify")),
        entity(3, "Loan", relation(2, "book", "Book", "cascade")),
        entity(4, "Review", "text", relation(3, "author", "Author", "restrict")),
    ]
    yield {"objectboxDump": 1, "entities": [{"entity": element["name"]} for element in entities], "relations": [],
           "model": {"entities": entities, "lastEntityId": "4:4000", "lastIndexId": "3:9103", "lastRelationId": "0:0",
                     "modelVersion": 5, "modelVersionParserMinimum": 4, "version": 1}}
    for number, name in enumerate(("Ada", "Grace"), 1):
        yield {"Author": {"id": number, "name": name}}
    for number in range(1, 64):
        yield {"Book": {"id": number, "title": f"Volume {number}", "author": 1}}
    for number in range(1, 4):
        yield {"Loan": {"id": number, "book": 1}}
    yield {"Loan": {"id": 4, "book": 5}}
    yield {"Review": {"id": 1, "text": "Good", "author": 2}}


def write(path, lines=lines):
    with open(path, "w", encoding="utf-8") as file:
        for line in lines():
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
