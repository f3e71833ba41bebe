"""Times grouped queries of ObjectBox, SQLite and DuckDB; see ../groups.sh.

usage: groups.py BINARY FOLDER COUNT ROUNDS
"""

import random
import resource
import sqlite3
import subprocess
import sys
import time

import duckdb

# The rows: what groups.sh calls them, and the statement for SQLite and DuckDB, which differ in dates only.
ROWS = [
    ("customer", "10,000 customers: number, sum, last date",
     "SELECT customer, count(*), sum(total), max(date) FROM purchases GROUP BY customer"),
    ("condition", "the same of the half that meets a condition, without the date",
     "SELECT customer, count(*), sum(total) FROM purchases WHERE total < 5000 GROUP BY customer"),
    ("city", "500 texts: number, sum",
     "SELECT city, count(*), sum(total) FROM purchases GROUP BY city"),
    ("month", "36 months: number, sum",
     "SELECT {month}, count(*), sum(total) FROM purchases GROUP BY 1"),
    ("two", "500 texts and 8 numbers: number, sum",
     "SELECT city, status, count(*), sum(total) FROM purchases GROUP BY city, status"),
    ("index", "8 numbers with an index: number",
     "SELECT status, count(*), 0 FROM purchases GROUP BY status"),
    ("best", "ten greatest sums of customers with more than 50 objects",
     "SELECT customer, count(*), sum(total) FROM purchases GROUP BY customer HAVING count(*) > 50 "
     "ORDER BY sum(total) DESC, customer LIMIT 10"),
]
MONTHS = {
    "SQLite": "strftime('%Y-%m', date, 'unixepoch')",
    "DuckDB": "date_trunc('month', to_timestamp(date))",
}
COLUMNS = "customer BIGINT, total BIGINT, weight DOUBLE, date BIGINT, city TEXT, status BIGINT"


def purchases(count):
    source = random.Random(1)
    start = 1672531200  # 2023, for three years
    for _ in range(count):
        yield (source.randrange(10_000), source.randrange(10_000), source.randrange(1000) / 8,
               start + source.randrange(1096 * 86_400), f"city number {source.randrange(500)}", source.randrange(8))


class Program:
    """Our program, which answers a line with its times and its sums."""

    def __init__(self, binary, folder, file):
        self.process = subprocess.Popen([binary, folder, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, row, _):
        self.process.stdin.write(row + "\n")
        self.process.stdin.flush()
        clock, processor, sums = self.process.stdout.readline().rstrip("\n").split("\t")
        return int(clock), int(processor), sums


class Database:
    """A database in this process."""

    def __init__(self, name, connection):
        self.name = name
        self.connection = connection

    def run(self, _, statement):
        statement = statement.replace("{month}", MONTHS[self.name])
        clock, processor = time.perf_counter_ns(), used()
        rows = self.connection.execute(statement).fetchall()
        times = time.perf_counter_ns() - clock, used() - processor
        # With two keys, the numbers are one column further.
        column = 2 if "city, status" in statement else 1
        return (*times, f"{len(rows)} {sum(r[column] for r in rows)} {sum(r[column + 1] for r in rows)}")


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return int((usage.ru_utime + usage.ru_stime) * 1e9)


def databases(folder, objects):
    sqlite = sqlite3.connect(f"{folder}/sqlite.db")
    sqlite.execute("PRAGMA mmap_size = 4294967296")
    sqlite.execute("PRAGMA cache_size = -65536")
    sqlite.execute(f"CREATE TABLE purchases (id INTEGER PRIMARY KEY, {COLUMNS})")
    sqlite.executemany("INSERT INTO purchases (customer, total, weight, date, city, status) VALUES (?, ?, ?, ?, ?, ?)",
                       objects)
    sqlite.execute("CREATE INDEX statuses ON purchases (status)")
    sqlite.commit()
    yield Database("SQLite", sqlite)
    duck = duckdb.connect(f"{folder}/duck.db")
    duck.execute("SET threads = 1")
    duck.execute("SET TimeZone = 'UTC'")
    duck.execute(f"CREATE TABLE purchases ({COLUMNS})")
    duck.execute(f"COPY purchases FROM '{folder}/purchases.tsv' (DELIMITER '\t', HEADER false)")
    duck.execute("CHECKPOINT")
    yield Database("DuckDB", duck)


def main(binary, folder, count, rounds):
    objects = list(purchases(int(count)))
    with open(f"{folder}/purchases.tsv", "w", encoding="utf-8") as file:
        for purchase in objects:
            print(*purchase, sep="\t", file=file)
    programs = {"ObjectBox": Program(binary, f"{folder}/store", f"{folder}/purchases.tsv")}
    programs |= {database.name: database for database in databases(folder, objects)}
    print(f"{int(count):,} objects; milliseconds by the clock (of the processor)\n")
    print("| groups | ObjectBox | SQLite | DuckDB, one thread | ours / SQLite (0.3) | ours / DuckDB (2) |")
    print("|---|--:|--:|--:|--:|--:|")
    faults = 0
    for row, title, statement in ROWS:
        best = {}
        for _ in range(int(rounds)):
            answers = {}
            for name, program in programs.items():
                clock, processor, answers[name] = program.run(row, statement)
                best[name] = min(best.get(name, (clock, processor)), (clock, processor))
            if len(set(answers.values())) > 1:
                faults += 1
                print(f"groups.py: '{row}' differs: {answers}", file=sys.stderr)
        ours, lite, duck = (best[name] for name in ("ObjectBox", "SQLite", "DuckDB"))
        cells = [f"{clock / 1e6:.1f} ({processor / 1e6:.1f})" for clock, processor in (ours, lite, duck)]
        print(f"| {title} | {' | '.join(cells)} | {ours[0] / lite[0]:.2f} | {ours[0] / duck[0]:.2f} |")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
