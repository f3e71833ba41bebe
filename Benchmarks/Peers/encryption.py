"""Times encrypted and plain stores of ObjectBox, SQLCipher and SQLite3 Multiple Ciphers; see ../encryption.sh.

usage: encryption.py BINARY FOLDER COUNT ROUNDS
"""

import os
import resource
import shutil
import subprocess
import sys
import time

import apsw
import sqlcipher3

DURABLE = 300
KEY = bytes(range(32)).hex()
# The rows, what they are called, and the greatest ratio of encrypted to plain that the store aims at.
ROWS = [
    ("bulk", "put of all objects, one transaction", 1.4),
    ("get", "get of each object, one transaction", 1.1),
    ("scan", "visit of all objects", 1.1),
    ("open", "opening, and one get", None),
    ("durable", f"{DURABLE} durable puts, a transaction each", 1.1),
]


class Program:
    """Our program, which answers a line with its times and a number."""

    def __init__(self, binary, folder, count, form):
        self.folder = f"{folder}/store"
        words = [binary, self.folder, str(count), form]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, row):
        self.process.stdin.write(row + "\n")
        self.process.stdin.flush()
        clock, processor, answer = self.process.stdout.readline().rstrip("\n").split("\t")
        return int(clock), int(processor), int(answer)

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"encryption.py: {self.process.args} ended with {self.process.returncode}")


class Database:
    """A database in this process. Loops run inside of SQLite, so that Python's time does not count."""

    def __init__(self, folder, count, key):
        self.folder, self.count, self.key = folder, count, key
        self.connect()
        self.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, number INTEGER, weight REAL)")

    def connect(self):
        self.connection = self.make(f"{self.folder}/items.db")
        if self.key:
            self.execute(self.key)
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = FULL")
        self.execute("PRAGMA cache_size = -65536")

    def execute(self, statement, values=()):
        return list(self.connection.cursor().execute(statement, values))

    def insert(self, objects):
        self.connection.cursor().executemany("INSERT INTO items (name, number, weight) VALUES (?, ?, ?)", objects)

    def answer(self, row, objects):
        if row == "bulk":
            self.execute("BEGIN")
            self.insert(objects)
            self.execute("COMMIT")
            return len(objects)
        if row == "get":
            return self.execute(
                "WITH RECURSIVE place(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM place WHERE n < ?1 - 1) "
                "SELECT sum(number) FROM place CROSS JOIN items ON items.id = n * 7919 % ?1 + 1", (self.count,))[0][0]
        if row == "scan":
            # The length has the texts read, as an object has them.
            return self.execute("SELECT sum(number), sum(length(name)), sum(weight) FROM items")[0][0]
        if row == "open":
            self.connection.close()
            self.connect()
            return self.execute("SELECT number FROM items WHERE id = 1")[0][0]
        for values in objects:
            self.insert([values])
        return len(objects)

    def run(self, row):
        count = {"bulk": self.count, "durable": DURABLE}.get(row, 0)
        objects = [(f"item number {place}", place * 7919 % 1_000_003, place / 8) for place in range(count)]
        clock, processor = time.perf_counter_ns(), used()
        answer = self.answer(row, objects)
        return time.perf_counter_ns() - clock, used() - processor, answer

    def close(self):
        self.connection.close()


class SQLCipher(Database):
    def __init__(self, folder, count, form):
        super().__init__(folder, count, f"PRAGMA key = \"x'{KEY}'\"" if form == "encrypted" else None)

    def make(self, path):
        return sqlcipher3.connect(path, isolation_level=None)


class MultipleCiphers(Database):
    def __init__(self, folder, count, form):
        super().__init__(folder, count, f"PRAGMA key = 'raw:{KEY}'" if form == "encrypted" else None)

    def make(self, path):
        return apsw.Connection(path)


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return int((usage.ru_utime + usage.ru_stime) * 1e9)


def size(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


def main(binary, folder, count, rounds):
    count, forms = int(count), ("plain", "encrypted")
    makers = {
        "ObjectBox": lambda *words: Program(binary, *words),
        "SQLCipher": SQLCipher,
        "SQLite3MC": MultipleCiphers,
    }
    best, store_size, faults = {}, 0, 0
    for number in range(int(rounds)):
        programs = {}
        for name, maker in makers.items():
            for form in forms:
                place = f"{folder}/{name}-{form}"
                shutil.rmtree(place, ignore_errors=True)
                os.makedirs(place)
                programs[name, form] = maker(place, count, form)
        order = list(programs)
        order = order[number % len(order):] + order[:number % len(order)]
        for row, _, _ in ROWS:
            answers = {}
            for key in order:
                clock, processor, answers[key] = programs[key].run(row)
                best[row, key] = tuple(map(min, best.get((row, key), (clock, processor)), (clock, processor)))
            if row == "open":
                store_size = size(programs["ObjectBox", "encrypted"].folder)
            if len(set(answers.values())) > 1:
                faults += 1
                print(f"encryption.py: '{row}' differs: {answers}", file=sys.stderr)
        for program in programs.values():
            program.close()
    print(f"{count:,} objects; milliseconds by the clock (of the processor); SQLCipher and SQLite3MC "
          f"({apsw.mc_version}) beside themselves without a key\n")
    print("| work | ours, plain | ours, encrypted | ratio | goal | SQLCipher | ratio | SQLite3MC | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")

    def cell(row, name, form):
        clock, processor = best[row, (name, form)]
        return f"{clock / 1e6:.2f} ({processor / 1e6:.2f})"

    def ratio(row, name):
        ratios = [e / p for e, p in zip(best[row, (name, "encrypted")], best[row, (name, "plain")])]
        return f"{ratios[0]:.2f} ({ratios[1]:.2f})"

    for row, title, goal in ROWS:
        cells = [title, cell(row, "ObjectBox", "plain")]
        for name in makers:
            cells += [cell(row, name, "encrypted"), ratio(row, name)]
            if name == "ObjectBox":
                cells.append(str(goal or ""))
        print(f"| {' | '.join(cells)} |")
    clock, processor = (store_size / time for time in best["open", ("ObjectBox", "encrypted")])
    print(f"\nAn encrypted store of {store_size / 1e6:.1f} MB opens at {clock:.2f} GB/s by the clock (goal: at least 0.8), "
          f"{processor:.2f} GB per second of processor time.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
