"""Compares groups with those of DuckDB; prints each difference.

usage: group_oracle.py FILE
FILE has the rows and the answers that GroupOracleTests.swift writes. The stretches of time are computed by `zoneinfo`:
the local date and time of each second decides its stretch; an hour also ends where the offset from UTC changes.
"""

import functools
import json
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import duckdb

COLUMNS = ["kind INTEGER", "amount BIGINT", "price DOUBLE", "weight DOUBLE", "date BIGINT", "shipped BIGINT",
           "note VARCHAR", "isPaid BOOLEAN", "large UBIGINT", "small UTINYINT"]
NAMES = [column.split()[0] for column in COLUMNS]
EPOCH = datetime(1970, 1, 1)


@functools.cache
def zone(name):
    return ZoneInfo(name)


def offset(name, second):
    moment = datetime.fromtimestamp(second, zone(name))
    return int(moment.utcoffset().total_seconds())


def local(name, second):
    return EPOCH + timedelta(seconds=second + offset(name, second))


def label(unit, name, second):
    """What all seconds of a stretch have in common."""
    time = local(name, second)
    match unit:
        case "hour": return (time.replace(minute=0, second=0), offset(name, second))
        case "day": return time.date()
        case "week": return time.isocalendar()[:2]
        case "month": return (time.year, time.month)
        case "quarter": return (time.year, (time.month - 1) // 3)
        case "year": return time.year


def first(unit, time):
    """The first local time of a stretch, if the clock shows it."""
    day = time.replace(hour=0, minute=0, second=0)
    match unit:
        case "hour": return time.replace(minute=0, second=0)
        case "day": return day
        case "week": return day - timedelta(days=day.weekday())
        case "month": return day.replace(day=1)
        case "quarter": return day.replace(day=1, month=(day.month - 1) // 3 * 3 + 1)
        case "year": return day.replace(day=1, month=1)


@functools.cache
def changes(name, start):
    """The seconds of four days from a start at which the offset changes."""
    found = []
    # No clock changes twice within three hours.
    for low in range(start, start + 4 * 86400, 10800):
        high = low + 10800
        before = offset(name, low)
        if before == offset(name, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(name, middle) == before else (low, middle)
        found.append(high)
    return found


@functools.cache
def beginning(unit, name, second):
    """The first second of a stretch."""
    own = label(unit, name, second)
    guess = int((first(unit, local(name, second)) - EPOCH).total_seconds())
    candidates = changes(name, (guess // 86400 - 2) * 86400)
    offsets = {offset(name, guess - 86400), offset(name, guess), offset(name, guess + 86400)}
    offsets |= {offset(name, change) for change in candidates}
    candidates = candidates + [guess - ahead for ahead in offsets]
    return min(candidate for candidate in candidates if label(unit, name, candidate) == own)


def part(kind, name, second):
    time = local(name, second)
    return {"hourOfDay": time.hour, "dayOfWeek": time.isoweekday(), "dayOfMonth": time.day,
            "monthOfYear": time.month, "quarterOfYear": (time.month + 2) // 3, "year": time.year}[kind]


def key_of(words, row):
    """The key of a row that has its columns by their names."""
    if len(words) == 1:
        return None
    ticks = row[NAMES.index(words[0])]
    if ticks is None:
        return None
    second = ticks // 1_000_000
    kind = words[1].removeprefix("part ")
    if kind == words[1]:
        return beginning(kind, words[2], second) * 1_000_000
    return part(kind, words[2], second)


def canonical(value):
    if isinstance(value, float):
        return "nan" if value != value else str(value + 0.0 if value else 0.0)
    return value


def mean(total, count):
    return None if count == 0 else canonical(int(total) / count)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trial = json.load(file)
    rows = [[float(value) if name in ("price", "weight") and value is not None else value
             for name, value in zip(NAMES, row)] for row in trial["rows"]]
    database = duckdb.connect()
    database.execute("CREATE TABLE sale (number INTEGER, " + ", ".join(COLUMNS) + ")")
    database.executemany(f"INSERT INTO sale VALUES ({', '.join('?' * (len(COLUMNS) + 1))})",
                         [[number] + row for number, row in enumerate(rows)])
    keyed = None
    for answer in trial["answers"]:
        words = answer["key"]
        if words != keyed:
            keyed = words
            database.execute(
                "CREATE OR REPLACE TABLE keys AS SELECT unnest(?::INTEGER[]) AS number, unnest(?::BIGINT[]) AS key",
                [list(range(len(rows))), [key_of(words, row) for row in rows]])
        key = words[0] if len(words) == 1 else "key"
        expected = [
            [canonical(k), *numbers, mean(total, count), canonical(a), canonical(b), canonical(c), *wide,
             mean(small, count), *dates, *notes, mean(large, count)]
            for k, count, prices, total, a, b, c, *rest in database.execute(
                f"SELECT {key} AS k, count(*), count(price), sum(amount), min(price) FILTER (NOT isnan(price)),"
                " max(price) FILTER (NOT isnan(price)), max(weight) FILTER (NOT isnan(weight)),"
                " min(large), max(large), min(date), max(shipped), min(note), max(note), sum(small), sum(large)"
                f" FROM sale JOIN keys USING (number) WHERE {answer['where']} GROUP BY k HAVING {answer['having']}"
                " ORDER BY k NULLS FIRST").fetchall()
            for numbers, wide, dates, notes, small, large in
            [([count, prices, int(total)], rest[0:2], rest[2:4], rest[4:6], rest[6], rest[7])]
        ]
        places = (0, 4, 5, 6, 7, 10, 15)
        found = [[canonical(float(value)) if place in places and isinstance(value, str)
                  and not (place == 0 and key == "note") else value
                  for place, value in enumerate(row)] for row in answer["rows"]]
        if found != expected:
            print(words, answer["where"], answer["having"])
            for row in found:
                if row not in expected:
                    print("  found   ", row)
            for row in expected:
                if row not in found:
                    print("  expected", row)
            if sorted(map(str, found)) == sorted(map(str, expected)):
                print("  in another order")


main()
