#!/usr/bin/env python3
"""Reads the store fixtures by Documentation/FileFormat.md alone, and compares them with the texts beside them.

usage: read_store.py [FOLDER...]     folders with data.mdb and contents.json; all fixtures without one

Needs the package `lmdb`. Prints a line for each fixture; exits with 1 when one differs.
"""
import json
import math
import os
import re
import struct
import sys
import uuid

import lmdb

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
STORES = os.path.join(ROOT, "Tests", "Fixtures", "Stores")

# Property types.
BOOL, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, STRING, DATE, RELATION, DATE_NANO, FLEX = range(1, 14)
UNKNOWN, BYTES, INTS, LONGS, FLOATS, STRINGS = 0, 23, 26, 27, 28, 30
# Flags of properties.
ID, UNIQUE, SKIP_NULL, SKIP_ZERO, HASH, HASH64, UNSIGNED = 1, 32, 256, 512, 2048, 4096, 8192
EXTERNAL_UUID = (102, 105)
SIZES = {UNKNOWN: 1, BOOL: 1, BYTE: 1, SHORT: 2, CHAR: 2, INT: 4, LONG: 8, DATE: 8, DATE_NANO: 8, RELATION: 8,
         FLOAT: 4, DOUBLE: 8}
MASK = (1 << 64) - 1
DECIMAL = re.compile(rb"([+-]?)([0-9]+[.]?[0-9]*|[.][0-9]+)(?:[Ee]([+-]?[0-9]{1,4}))?")
KEY_LIMIT = 481


class Bytes:
    """Reads numbers and texts one after the other."""

    def __init__(self, data):
        self.data, self.place = bytes(data), 0

    def number(self, size):
        self.place += size
        if self.place > len(self.data):
            raise ValueError("the bytes end early")
        return int.from_bytes(self.data[self.place - size:self.place], "little")

    def text(self):
        size = self.number(4)
        self.place += size
        return self.data[self.place - size:self.place].decode()

    def array(self, read):
        return [read() for _ in range(self.number(4))]

    def optional(self, read):
        return read() if self.number(1) else None

    def identity(self):
        return [self.number(4), self.number(8)]

    def is_at_end(self):
        return self.place == len(self.data)


# Checksums

def remainder(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


REMAINDERS = [remainder(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = REMAINDERS[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def digest(system):
    rows = (part for key in sorted(system) if key != b"digest" and not key.startswith(b"sequence/")
            for part in (key, system[key]))
    return crc32c(b"".join(struct.pack("<I", len(part)) + part for part in rows))


# Schema

def read_schema(data):
    b = Bytes(data)
    schema = {"lastEntity": b.identity(), "lastIndex": b.identity(), "lastRelation": b.identity()}
    schema["entities"] = b.array(lambda: read_entity(b))
    if not b.is_at_end():
        raise ValueError("bytes behind the schema")
    return schema


def read_entity(b):
    entity = {"identity": b.identity(), "name": b.text(), "flags": b.number(4), "externalName": b.optional(b.text),
              "lastProperty": b.identity()}
    entity["properties"] = b.array(lambda: read_property(b))
    entity["relations"] = b.array(lambda: read_relation(b))
    entity["compoundIndexes"] = b.array(lambda: {
        "identity": b.identity(), "isUnique": b.number(1) != 0, "properties": b.array(lambda: b.number(4))})
    words = b.array(lambda: {
        "identity": b.identity(), "name": b.optional(b.text),
        "parts": b.array(lambda: [b.number(4), b.number(1)]), "language": b.optional(b.text),
        "prefixes": b.array(lambda: b.number(1)), "keepsDiacritics": b.number(1) != 0,
        "k1": b.optional(lambda: b.number(8)), "b": b.optional(lambda: b.number(8)),
        "tokenizer": bytes(b.array(lambda: b.number(1))).decode()})
    return entity | ({"fullTextIndexes": words} if words else {})


def read_relation(b):
    relation = {"identity": b.identity(), "target": b.identity()}
    name = b.optional(b.text)
    relation |= {"externalName": b.optional(b.text), "externalType": b.number(4), "onDelete": b.number(1),
                 "onTargetDelete": b.number(1)}
    return relation | ({} if name is None else {"name": name})


def read_property(b):
    return {"identity": b.identity(), "name": b.text(), "type": b.number(2), "flags": b.number(4),
            "index": b.optional(b.identity), "target": b.optional(b.text), "graph": b.optional(lambda: read_graph(b)),
            "externalName": b.optional(b.text), "externalType": b.number(4), "collation": b.number(1),
            "onDelete": b.number(1)}


def read_graph(b):
    return {"dimensions": b.number(8), "neighborsPerNode": b.optional(lambda: b.number(4)),
            "indexingSearchCount": b.optional(lambda: b.number(4)), "flags": b.number(4),
            "distanceType": b.optional(lambda: b.number(2)),
            "repairProbability": b.optional(lambda: b.number(4)), "cacheInKilobytes": b.optional(lambda: b.number(8))}


# Records

class Layout:
    """The places of the properties in the records of a layout."""

    def __init__(self, b):
        self.number = b.number(2)
        properties = b.array(lambda: (b.number(4), b.number(8), b.number(2), b.number(1)))
        self.uids = {id: uid for id, uid, _, _ in properties}
        stored = [(id, type) for id, _, type, is_id in properties if not is_id]
        self.fields, self.bits = {}, {id: bit for bit, (id, _) in enumerate(stored)}
        place = 2 + (len(stored) + 7) // 8
        for id, type in stored:
            if type in SIZES:
                self.fields[id] = (place, SIZES[type])
                place += SIZES[type]
        rank = {STRING: 0, BYTES: 1, FLEX: 1}
        variable = sorted((rank.get(type, 2), id) for id, type in stored if type not in SIZES)
        for number, (_, id) in enumerate(variable):
            self.fields[id] = (place, None if number else 0)
            place += 4
        self.fixed_size = place

    def value(self, record, prop):
        """Returns the bytes of a property; None for null, and when the layout lacks it."""
        id, uid = prop["identity"]
        if id not in self.fields or not record[2 + self.bits[id] // 8] >> self.bits[id] % 8 & 1:
            return None
        if self.uids[id] != uid:
            return None
        place, size = self.fields[id]
        if size:
            return record[place:place + size]
        end = struct.unpack_from("<I", record, place)[0]
        start = self.fixed_size if size == 0 else struct.unpack_from("<I", record, place - 4)[0]
        return record[start:end]


def read_layouts(b):
    return b.array(lambda: Layout(b))


def is_signed(prop):
    return prop["type"] != BOOL and not prop["flags"] & UNSIGNED


def is_integer(prop):
    return prop["type"] in SIZES and prop["type"] not in (FLOAT, DOUBLE)


def float_of(data):
    return struct.unpack("<f" if len(data) == 4 else "<d", data)[0]


def decode(prop, data):
    """Returns the value that the JSON text holds for the bytes of a property."""
    type = prop["type"]
    if type == BOOL:
        return data != b"\0"
    if is_integer(prop):
        return int.from_bytes(data, "little", signed=is_signed(prop))
    if type in (FLOAT, DOUBLE):
        return Float(data)
    if type == STRING:
        return data.decode()
    if type == INTS or type == LONGS:
        return [n for n, in struct.iter_unpack("<i" if type == INTS else "<q", data)]
    if type == FLOATS:
        return [Float(data[place:place + 4]) for place in range(0, len(data), 4)]
    if type == STRINGS:
        ends = [n for n, in struct.iter_unpack("<I", data[4:4 + 4 * struct.unpack_from("<I", data)[0]])]
        texts = data[4 + 4 * len(ends):]
        return [texts[start:end].decode() for start, end in zip([0] + ends, ends)]
    if type == BYTES and prop["externalType"] in EXTERNAL_UUID:
        return str(uuid.UUID(bytes=data)).upper()
    return data.hex()


class Float:
    """A floating point number, equal to a text that means the same bits."""

    def __init__(self, data):
        self.data = data

    def __eq__(self, text):
        value = float(text)
        if math.isnan(value):
            return math.isnan(float_of(self.data))
        return struct.pack("<f" if len(self.data) == 4 else "<d", value) == self.data


# Keys

def mix(value):
    product = (value ^ 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93
    return product >> 64 ^ product & MASK


def hash64(data):
    state = 0x9E3779B97F4A7C15 ^ len(data)
    for place in range(0, len(data), 8):
        state = mix(state ^ int.from_bytes(data[place:place + 8], "little"))
    return mix(state ^ state >> 32)


def fold(text):
    """Simple case folding; `casefold` is full folding, where a character may become several."""
    def one(c):
        folded = c.casefold()
        if len(folded) > 1:
            folded = c.lower()
        return folded if len(folded) == 1 else c
    return "".join(map(one, text))


def decimal_bytes(text):
    """Returns the bytes by which a decimal compares; none for a text that is no decimal."""
    match = DECIMAL.fullmatch(text)
    if not match:
        return b""
    sign, number, power = match.groups()
    whole, _, fraction = number.partition(b".")
    mantissa, exponent = int(whole + fraction), int(power or 0) - len(fraction)
    if mantissa == 0:
        return b"\x80\0"
    while mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    if exponent < -128 or mantissa * 10 ** max(0, exponent - 127) >= 1 << 128:
        return b""
    digits = str(mantissa)
    pairs = [int(digits[place:place + 2].ljust(2, "0")) + 1 for place in range(0, len(digits), 2)]
    data = (0x8100 + exponent + len(digits)).to_bytes(2, "big") + bytes(pairs) + b"\0"
    return bytes(byte ^ 0xFF for byte in data) if sign == b"-" else data


def collated(prop, data):
    """Returns the bytes by which a text compares under the collation of a property."""
    if prop["collation"] not in (0, 1, 2):
        raise ValueError("an unknown collation")
    if prop["collation"] == 2:
        return decimal_bytes(data)
    return fold(data.decode()).encode() if prop["collation"] == 1 else data


def ordered_float(data):
    size = len(data)
    value = float_of(data)
    if math.isnan(value):
        data = struct.pack("<f" if size == 4 else "<d", math.nan)
    bits = int.from_bytes(data, "little") if value != 0 else 0
    top = 1 << 8 * size - 1
    return (bits ^ (2 * top - 1) if bits & top else bits | top).to_bytes(size, "big")


def ordered_integer(prop, data):
    number = int.from_bytes(data, "little")
    if is_signed(prop):
        number ^= 1 << 8 * len(data) - 1
    return number.to_bytes(len(data), "big")


def index_key(prop, data):
    """Returns the key of a value in the index of a property; None when it is left out."""
    flags = prop["flags"]
    if data is None:
        return None if flags & (SKIP_NULL | SKIP_ZERO) else b"\0"
    if flags & SKIP_ZERO and (is_integer(prop) and not any(data)
                              or prop["type"] in (FLOAT, DOUBLE) and float_of(data) == 0):
        return None
    if flags & (HASH | HASH64):
        if is_integer(prop):
            data = int.from_bytes(data, "little", signed=True).to_bytes(8, "little", signed=True)
        elif prop["type"] in (FLOAT, DOUBLE):
            value = float_of(data)
            data = struct.pack("<d", math.nan if math.isnan(value) else value or 0.0)
        else:
            data = collated(prop, data)
        key = hash64(data).to_bytes(8, "big")
        return b"\1" + (key if flags & HASH64 else key[:4])
    if is_integer(prop):
        return b"\1" + ordered_integer(prop, data)
    if prop["type"] in (FLOAT, DOUBLE):
        return b"\1" + ordered_float(data)
    return (b"\1" + collated(prop, data))[:KEY_LIMIT]


def compound_key(parts):
    key = b""
    for prop, data in parts:
        if data is None or prop["type"] == RELATION and not any(data):
            key += b"\0"
        elif is_integer(prop):
            key += b"\1" + ordered_integer(prop, data)
        elif prop["type"] in (FLOAT, DOUBLE):
            key += b"\1" + ordered_float(data)
        else:
            key += b"\1" + collated(prop, data).replace(b"\0", b"\0\xff") + b"\0\0"
    return key[:KEY_LIMIT]


# Full-text indexes

class Words:
    """Reads the values of a full-text index one after the other."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def byte(self):
        self.place += 1
        return self.data[self.place - 1]

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.number()
        return value - (1 << 64) if value >> 63 else value

    def zigzag(self):
        value = self.number()
        return -(value >> 1) - 1 if value & 1 else value >> 1

    def real(self):
        self.place += 8
        return struct.unpack_from("<d", self.data, self.place - 8)[0]

    def bytes(self):
        size = self.number()
        self.place += size
        if self.place > len(self.data):
            raise ValueError("the bytes end early")
        return self.data[self.place - size:self.place]

    def list(self, read):
        return [read() for _ in range(self.number())]

    def is_at_end(self):
        return self.place == len(self.data)

    def run(self):
        run = {"number": self.number(), "level": self.signed(), "documents": self.number(), "dead": self.number(),
               "least": self.number()}
        run["greatest"] = run["least"] + self.number()
        return run | {"small": self.byte() != 0, "postings": self.number(), "positions": self.number(),
                      "bytes": self.signed(), "mean": self.real()}

    def merge(self):
        return {"output": self.run(), "inputs": self.list(lambda: [self.number() for _ in range(4)]),
                "maps": self.number(), "hasDocuments": self.byte(), "term": self.bytes(), "segment": self.number(),
                "credit": self.signed()}


def from_bits(data, start, width, count):
    whole = int.from_bytes(data, "little") >> start
    return [whole >> width * place & (1 << width) - 1 for place in range(count)]


class FullTextIndex:
    """The postings of the live documents of a full-text index."""

    def __init__(self, rows, state_rows, weights):
        self.values = dict(rows) | dict(state_rows)
        header = Words(self.value(0, b"H"))
        if header.number() != 3:
            raise ValueError("an unknown form of a full-text index")
        young = {bytes(4)} | {struct.pack(">I", 0xFFFFFFFF - place) for place in range(3)}
        of_index = [key for key, _ in rows if key[:4] in young]
        if of_index != [bytes(4) + b"H" + bytes(4)] or any(key[:4] not in young for key, _ in state_rows):
            raise ValueError("values in the wrong table of a full-text index")
        self.k1, self.b = header.real(), header.real()
        if list(header.bytes()) != weights:
            raise ValueError("weights that are not those of the schema")
        header.bytes()
        self.is_weighted = any(weight != 1 for weight in weights)
        state = Words(self.value(0, b"S"))
        self.objects, self.words, _ = state.signed(), state.signed(), state.number()
        self.runs = state.list(state.run)
        state.list(state.merge)
        state.list(state.number)
        self.pending = dict(state.list(lambda: (state.number(), state.list(state.number))))
        if not header.is_at_end() or not state.is_at_end():
            raise ValueError("bytes behind the header or the state")

    def value(self, run, kind, number=0):
        return self.values[struct.pack(">I", run) + kind + struct.pack(">I", number)]

    def stream(self, run, kind):
        parts, number = [], 0
        while part := self.values.get(struct.pack(">I", run) + kind + struct.pack(">I", number)):
            parts.append(part)
            number += 1
        return b"".join(parts)

    def content(self):
        self.terms, self.counts, live_count, word_count = {}, {}, 0, 0
        for run in self.runs:
            ids, lengths = self.documents(run)
            if ids != sorted(ids) or ids and [ids[0], ids[-1]] != [run["least"], run["greatest"]]:
                raise ValueError(f"the IDs of run {run['number']}")
            bits = self.stream(run["number"], b"B")
            live = [place // 8 >= len(bits) or bits[place // 8] >> place % 8 & 1 for place in range(len(ids))]
            for ordinal in self.pending.get(run["number"], []):
                live[ordinal] = 0
            if live.count(0) != run["dead"]:
                raise ValueError(f"the dead documents of run {run['number']}")
            live_count += len(ids) - run["dead"]
            word_count += sum(length for length, is_live in zip(lengths, live) if is_live)
            self.read_terms(run, ids, live)
        if [live_count, word_count] != [self.objects, self.words]:
            raise ValueError("the objects or words of a full-text index")
        for term, count in self.counts.items():
            if count != len(self.terms.get(term, {})):
                raise ValueError(f"the count of {term}")
        return {"objects": self.objects, "terms": {
            term.hex(): {str(id): posting for id, posting in postings.items()}
            for term, postings in self.terms.items() if postings}}

    def documents(self, run):
        number, count = run["number"], run["documents"]
        if count == 0:
            return [], []
        if run["small"]:
            data = self.value(number, b"D")
            base, width = struct.unpack_from("<QB7x", data)
            ids = self.numbers(base, width, data[16:], count)
            lengths = data[16 + width * count:]
        else:
            directory, ids = self.stream(number, b"J"), []
            for chunk in range((count + 2039) // 2040):
                base, width = struct.unpack_from("<QB7x", directory, 16 * chunk)
                offsets = self.value(number, b"I", chunk) if width else b""
                ids += self.numbers(base, width, offsets, min(2040, count - 2040 * chunk))
            lengths = self.stream(number, b"N")
        return ids, [length for length, in struct.iter_unpack("<H", lengths)]

    @staticmethod
    def numbers(base, width, offsets, count):
        if width == 0:
            return list(range(base, base + count))
        return [base + int.from_bytes(offsets[width * place:width * (place + 1)], "little") for place in range(count)]

    def read_terms(self, run, ids, live):
        prefix = struct.pack(">I", run["number"]) + b"T"
        postings, positions = self.stream(run["number"], b"P"), self.stream(run["number"], b"X")
        for key in sorted(key for key in self.values if key.startswith(prefix)):
            block, term = Words(self.values[key]), b""
            is_first = True
            while not block.is_at_end():
                term = term[:block.number()] + block.bytes()
                if is_first and key[5:-5] != term:
                    raise ValueError(f"the key of the block of {term}")
                is_first = False
                flags = block.byte()
                dead = block.zigzag() if flags & 2 else 0
                found = [] if flags & 16 else self.entry(block, flags, postings, positions)
                self.counts[term] = self.counts.get(term, 0) + len(found) - dead
                for ordinal, frequency, places in found:
                    if live[ordinal]:
                        self.add(term, ids[ordinal], frequency, places)

    def add(self, term, id, frequency, places):
        postings = self.terms.setdefault(term, {})
        if id in postings:
            raise ValueError(f"object {id} is live in two runs")
        postings[id] = [frequency, places]

    def entry(self, block, flags, postings, positions):
        block.byte()
        has_positions = not flags & 4
        if flags & 8:
            ordinal = block.number()
            return [(ordinal, 1, [block.number()] if has_positions else [])]
        count = block.number()
        if flags & 1:
            data = Words(block.bytes())
            found, next_ordinal = [], 0
            for _ in range(count):
                gap = data.number()
                frequency = 1 if gap & 1 else data.number()
                ordinal = next_ordinal + (gap >> 1)
                next_ordinal = ordinal + 1
                found.append((ordinal, frequency, self.places(data, frequency) if has_positions else []))
            if not data.is_at_end():
                raise ValueError("bytes behind postings")
            return found
        first = block.number()
        last = first + block.number()
        start, places_start, places_size, directory = (block.number() for _ in range(4))
        data = Words(positions[places_start:places_start + places_size])
        found, next_ordinal = [], first
        for place in range((count + 127) // 128):
            block_last, offset, places_offset, _, size, byte_count = struct.unpack_from(
                "<IIIBBH", postings, directory + 16 * place)
            packed = postings[start + offset:start + offset + byte_count]
            gaps = from_bits(packed[2:], 0, packed[0], size)
            frequencies = from_bits(packed[2:], packed[0] * size, packed[1], size)
            if has_positions and data.place != places_offset:
                raise ValueError("an offset of positions")
            for gap, frequency in zip(gaps, frequencies):
                ordinal = next_ordinal + gap
                next_ordinal = ordinal + 1
                found.append((ordinal, frequency + 1, self.places(data, frequency + 1) if has_positions else []))
            if found[-1][0] != block_last:
                raise ValueError("the last ordinal of a block")
        if len(found) != count or found[-1][0] != last or not data.is_at_end():
            raise ValueError("the postings of a segment")
        return found

    def places(self, data, frequency):
        count = data.number() if self.is_weighted else frequency
        places = []
        for _ in range(count):
            places.append((places[-1] if places else 0) + data.number())
        return places


# Stores

class Store:
    """The content of a store file, in the form of the JSON text beside it."""

    def __init__(self, path):
        self.environment = lmdb.open(path, subdir=False, readonly=True, lock=False, max_dbs=256, create=False)
        with self.environment.begin() as self.transaction:
            system = dict(self.rows("objectbox"))
            if Bytes(system[b"format"]).number(4) != 6:
                raise ValueError("an unknown version of the format")
            if Bytes(system[b"digest"]).number(4) != digest(system):
                raise ValueError("a wrong digest")
            self.schema = read_schema(system[b"schema"])
            self.expected_tables = {b"objectbox"}
            self.content = {"entities": {}, "indexes": {}, "relations": {}, "graphs": {}}
            for name in "lastEntity", "lastIndex", "lastRelation":
                self.content[name] = self.schema[name]
            for entity in self.schema["entities"]:
                self.read_entity(entity, system)
            if b"retired" in system:
                self.read_retired(Bytes(system[b"retired"]))
            names = self.transaction.cursor(self.environment.open_db(None, self.transaction))
            tables = {bytes(name) for name, _ in names}
            if tables - {b"sync"} != self.expected_tables:
                raise ValueError(f"tables {tables ^ self.expected_tables}")
        self.environment.close()

    def rows(self, name, **flags):
        table = self.environment.open_db(name.encode(), self.transaction, create=False, **flags)
        self.expected_tables = getattr(self, "expected_tables", set()) | {name.encode()}
        return [(bytes(key), bytes(value)) for key, value in self.transaction.cursor(table)]

    def objects(self, name):
        """The rows of a table by object ID, which is a number of the machine."""
        return [(int.from_bytes(key, sys.byteorder), value) for key, value in self.rows(name, integerkey=True)]

    def check(self, id, record, entity):
        """Checks the checksum of a record."""
        expected = crc32c(struct.pack("<QQ", entity["identity"][1], id) + record[:-4])
        if struct.unpack("<I", record[-4:])[0] != expected:
            raise ValueError(f"a wrong checksum of {entity['name']} {id}")

    def entries(self, name):
        """The entries of an index: keys and object IDs."""
        rows = self.rows(name, dupsort=True, integerdup=True, dupfixed=True)
        return [[key, int.from_bytes(value, sys.byteorder)] for key, value in rows]

    def read_entity(self, entity, system):
        number = entity["identity"][0]
        layouts = read_layouts(Bytes(system[b"layouts/%d" % number]))
        for index in entity.get("fullTextIndexes", []):
            number_of_index = index["identity"][0]
            weights = [weight for _, weight in index["parts"]]
            words = FullTextIndex(self.rows(f"f{number_of_index}"), self.rows(f"s{number_of_index}"), weights)
            self.content.setdefault("words", {})[str(number_of_index)] = words.content()
        records = self.objects(f"e{number}")
        kept = system.get(b"sequence/%d" % number)
        by_id = {prop["identity"][0]: prop for prop in entity["properties"]}
        values = {}
        for id, record in records:
            self.check(id, record, entity)
            layout = layouts[struct.unpack_from("<H", record)[0]]
            values[id] = {pid: id.to_bytes(8, "little") if prop["flags"] & ID else layout.value(record, prop)
                          for pid, prop in by_id.items()}
        self.content["entities"][entity["name"]] = entity | {
            "sequence": Bytes(kept).number(8) if kept else None,
            "layoutCount": len(layouts),
            "layouts": {str(id): struct.unpack_from("<H", record)[0] for id, record in records},
            "objects": {str(id): {by_id[pid]["name"]: decode(by_id[pid], data) for pid, data in fields.items()
                                  if data is not None and not by_id[pid]["flags"] & ID}
                        for id, fields in values.items()}}
        for prop in entity["properties"]:
            if prop["index"] and prop["graph"] and prop["type"] == FLOATS:
                self.read_graph(prop, values)
            elif prop["index"]:
                keys = ((index_key(prop, fields[prop["identity"][0]]), id) for id, fields in values.items())
                self.check_index(prop["index"][0], [(key, id) for key, id in keys if key is not None])
        for index in entity["compoundIndexes"]:
            parts = [by_id[pid] for pid in index["properties"]]
            self.check_index(index["identity"][0], [
                (compound_key([(prop, fields[prop["identity"][0]]) for prop in parts]), id)
                for id, fields in values.items()])
        for relation in entity["relations"]:
            number = relation["identity"][0]
            self.content["relations"][str(number)] = self.pairs(f"r{number}", f"b{number}")

    def read_retired(self, b):
        def read_old_entity():
            entity = read_entity(b)
            layouts = read_layouts(b)
            entity |= {"layoutCount": len(layouts), "sequence": b.number(8)}
            entity["table"] = f"retired/e{entity['identity'][1]}" if b.number(1) else f"e{entity['identity'][0]}"
            entity |= {"objectCount": b.number(8), "sizeInBytes": b.number(8)}
            records = self.objects(entity["table"])
            for id, record in records:
                self.check(id, record, entity)
                layout = layouts[struct.unpack_from("<H", record)[0]]
                for prop in entity["properties"]:
                    if not prop["flags"] & ID and (data := layout.value(record, prop)) is not None:
                        decode(prop, data)
            if len(records) != entity["objectCount"]:
                raise ValueError(f"a number of objects of retired {entity['name']}")
            return entity | {"records": {str(id): record.hex() for id, record in records}}

        def read_old_relation():
            relation = {"identity": b.identity(), "source": [b.number(8), b.text()], "target": [b.number(8), b.text()]}
            uids = "/".join(str(uid) for uid in (relation["identity"][1], relation["source"][0], relation["target"][0]))
            place = uids if b.number(1) else None
            relation |= {"linkCount": b.number(8), "sizeInBytes": b.number(8)}
            names = [f"retired/{end}{place}" if place else f"{end}{relation['identity'][0]}" for end in "rb"]
            pairs = self.pairs(*names)
            if len(pairs) != relation["linkCount"]:
                raise ValueError(f"a number of pairs in {names[0]}")
            return relation | {"table": names[0], "pairs": pairs}

        entities, relations = b.array(read_old_entity), b.array(read_old_relation)
        if not b.is_at_end():
            raise ValueError("bytes behind the retired data")
        self.content["retired"] = {
            "entities": {entity["name"]: entity for entity in entities},
            "relations": {str(relation["identity"][1]): relation for relation in relations}}

    def pairs(self, forward_name, backward_name):
        """The pairs of source and target of a relation, from its two tables."""
        forward = [[int.from_bytes(key, "big"), id] for key, id in self.entries(forward_name)]
        backward = [[id, int.from_bytes(key, "big")] for key, id in self.entries(backward_name)]
        if sorted(backward) != forward:
            raise ValueError(f"the tables {forward_name} and {backward_name} differ")
        return forward

    def check_index(self, number, expected):
        entries = self.entries(f"i{number}")
        if entries != [list(entry) for entry in sorted(expected)]:
            raise ValueError(f"the keys of index {number} are not those of the records")
        self.content["indexes"][str(number)] = [[key.hex(), id] for key, id in entries]

    def read_graph(self, prop, values):
        number = prop["index"][0]
        graph = {"nodes": {}}
        for id, node in self.objects(f"v{number}"):
            b = Bytes(node)
            if id == 0:
                graph |= {"form": b.number(1), "topLevel": b.number(1), "entry": b.number(8), "count": b.number(8)}
            else:
                levels = b.number(1)
                graph["nodes"][str(id)] = [b.array(lambda: b.number(8)) for _ in range(levels)]
            if not b.is_at_end():
                raise ValueError(f"bytes behind node {id}")
        for id, levels in graph["nodes"].items():
            for level, neighbors in enumerate(levels):
                if any(int(id) not in graph["nodes"][str(other)][level] for other in neighbors):
                    raise ValueError(f"a link of {id} goes one way")
        with_vectors = {str(id) for id, fields in values.items() if fields[prop["identity"][0]] is not None}
        if set(graph["nodes"]) != with_vectors or len(with_vectors) != graph.get("count", 0):
            raise ValueError(f"the nodes of graph {number} are not the objects with a vector")
        self.content["graphs"][str(number)] = graph


def difference(found, expected, path=""):
    """Returns the first place where two values differ; None when they are equal."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            if key not in found or key not in expected:
                return f"{path}/{key} is only in the {'text' if key in expected else 'file'}"
            if place := difference(found[key], expected[key], f"{path}/{key}"):
                return place
        return None
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = (difference(a, b, f"{path}/{n}") for n, (a, b) in enumerate(zip(found, expected)))
        return next(filter(None, pairs), None)
    return None if found == expected and isinstance(found, bool) == isinstance(expected, bool) else f"{path} differs"


def main():
    folders = sys.argv[1:] or sorted(os.path.join(STORES, name) for name in os.listdir(STORES))
    differing = 0
    for folder in folders:
        with open(os.path.join(folder, "contents.json"), encoding="utf-8") as file:
            expected = json.load(file)
        expected.pop("model")
        try:
            content = Store(os.path.join(folder, "data.mdb")).content
            fault = difference(content, expected)
        except (ValueError, KeyError, IndexError, struct.error, lmdb.Error) as error:
            fault = f"{type(error).__name__}: {error}"
        objects = sum(len(entity["objects"]) for entity in expected["entities"].values())
        print(f"{os.path.basename(folder)}: {fault or f'{objects} objects read'}")
        differing += bool(fault)
    sys.exit(1 if differing or not folders else 0)


if __name__ == "__main__":
    main()
