"""Compares the values of files, or of a table, with those of the matrix; prints each difference.

usage: read_values.py EXPECTED csv|json|dump FILE
       read_values.py EXPECTED sql ADDRESS SCHEMA
EXPECTED has the columns with the kinds and values that Portable.swift writes.
"""

import base64
import csv
import datetime
import json
import os
import re
import struct
import subprocess
import sys
import uuid
from decimal import Decimal, getcontext

getcontext().prec = 100
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def parsed(text):
    """JSON with the digits of its numbers."""
    return json.loads(text, parse_int=str, parse_float=str)


def hexadecimal(text):
    return text.encode("utf-8").hex()


def bits(text, size):
    number, form, integer = float(text), *(("<f", "<I") if size == 4 else ("<d", "<Q"))
    return str(struct.unpack(integer, struct.pack(form, number))[0])


def ticks(value, digits):
    """The ticks of a date, which is a number or a text such as 1990-01-31T12:30:15.5Z."""
    if re.fullmatch(r"-?\d+", value):
        return value
    whole, fraction = re.fullmatch(r"([^.]*:\d\d)(?:\.(\d+))?(?:Z|\+00:00)", value).groups()
    date = datetime.datetime.fromisoformat(whole + "+00:00")
    seconds = (date - EPOCH) // datetime.timedelta(seconds=1)
    return str(seconds * 10**digits + int((fraction or "").ljust(digits, "0")))


def canonical(kind, value, form):
    """A value in the form that the expected one has."""
    if form == "csv" and kind in ("integers", "floats", "texts"):
        value = parsed(value)
    if kind == "boolean":
        return value if isinstance(value, bool) else {"true": True, "false": False}[value]
    if kind == "float":
        return bits(value, 4)
    if kind == "double":
        return bits(value, 8)
    if kind == "text":
        return hexadecimal(value)
    if kind == "bytes":
        if form == "sql":
            return value.removeprefix("\\x")
        return base64.b64decode(value, validate=True).hex()
    if kind == "uuid":
        return str(uuid.UUID(value)).upper()
    if kind == "decimal":
        return str(Decimal(value).normalize())
    if kind == "date":
        return ticks(value, 3)
    if kind == "nanoseconds":
        return ticks(value, 9)
    if kind == "floats":
        return [bits(element, 4) for element in value]
    if kind == "texts":
        return [hexadecimal(element) for element in value]
    return value


def from_sql(address, schema):
    """The rows as PostgreSQL's own client shows them."""
    return subprocess.run(
        ["psql", address, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c",
         f'SELECT row_to_json(row) FROM "{schema}"."Row" AS row ORDER BY id'],
        env=os.environ | {"PGTZ": "UTC"}, capture_output=True, text=True, check=True,
    ).stdout.splitlines()


def rows(form, arguments):
    if form == "sql":
        return [parsed(line) for line in from_sql(*arguments)]
    with open(arguments[0], encoding="utf-8", newline="") as file:
        if form == "csv":
            return list(csv.DictReader(file, strict=True))
        objects = [parsed(line) for line in file.read().split("\n") if line]
    if form == "dump":
        objects = [line["Row"] for line in objects if "Row" in line]
    return objects


def main():
    expected, form, *arguments = sys.argv[1:]
    with open(expected, encoding="utf-8") as file:
        columns = json.load(file)
    found = {int(row["id"]): row for row in rows(form, arguments)}
    for column in columns:
        name, kind = column["name"], column["kind"]
        # Columns of 64 bits are signed in PostgreSQL.
        is_wrapped = form == "sql" and name.lower().endswith(("uint", "uint64"))
        for number, value in enumerate(column["values"]):
            raw = found[number + 1].get(name)
            if form == "csv" and raw == "":
                # The reader shows null as an empty text.
                raw = "" if value == "" else None
            read = None if raw is None else canonical(kind, raw, form)
            if is_wrapped and read is not None:
                read = str(int(read) % 2**64)
            if kind == "decimal" and value is not None:
                value = str(Decimal(value).normalize())
            if read != value:
                print(f"{name}, row {number}: {raw!r}, expected {value!r}")
    if len(found) != len(columns[0]["values"]):
        print(f"{len(found)} rows, expected {len(columns[0]['values'])}")


main()
