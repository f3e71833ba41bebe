#!/usr/bin/env python3
"""Compares the runtime's searches with those of SQLite's FTS5 and Tantivy, and prints tables.

usage: search.py [--quick] [--only PART-OF-A-ROW] OURS FTS5 FOLDER
OURS and FTS5 are the programs SearchBenchmark and fts5, FOLDER has the files of search_texts.py. Each query runs in all
programs in turn, several times; the least processor time of each counts. A ratio is the median of the queries' ratios.
Fails if FTS5 finds other objects or other scores. Tantivy is called in this process: each of its times has about 2 µs
of Python. It ranks by rounded lengths, and gives all words of a beginning the same score, which is less work.
"""
import argparse
import collections
import os
import random
import re
import statistics
import subprocess
import sys
import time

import tantivy

WORD = re.compile("[a-z0-9]+")
LIMIT = 10
# The greatest ratios that meet the goals: ours / FTS5, ours / Tantivy, and ours / the same without a filter.
GOALS = {
    "common term": (1 / 100, 1.3, None),
    "two common terms, OR": (1 / 100, 1.3, None),
    "two common terms, AND": (1 / 20, 1.3, None),
    "rare term": (1 / 5, 1.3, None),
    "phrase of two": (1 / 5, 2, None),
    "beginning of four letters": (1 / 5, 2, None),
    "common term, filter of 1 %": (1 / 50, None, 1.5),
    "two common terms, AND, filter of 1 %": (1 / 50, None, 1.5),
}
WRITE_GOAL, BUILD_GOAL, SIZE_GOAL, WORST_PUT_GOAL = 1.3, 1.2, 1.0, 5e6


class Program:
    """A program that executes commands."""

    def __init__(self, path, folder):
        os.makedirs(folder, exist_ok=True)
        self.process = subprocess.Popen([path, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write("\t".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"search.py: '{self.process.args[0]}' has ended at {words}")
        return answer.rstrip("\n").split("\t")

    def times(self, *words):
        """Returns the nanoseconds of the processor and of the clock that a command took."""
        return [int(number) for number in self.ask(*words)]

    def search(self, query, is_filtered):
        """Returns the nanoseconds, and the IDs with their scores."""
        answer = self.ask("filter" if is_filtered else "search", LIMIT, query.text)
        found = [pair.split(":") for pair in answer[1].split()]
        return int(answer[0]), [(int(identifier), float(score)) for identifier, score in found]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Tantivy:
    def __init__(self, folder, lines):
        os.makedirs(folder, exist_ok=True)
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", stored=False, tokenizer_name="default", index_option="position")
        builder.add_unsigned_field("id", stored=True, indexed=False)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema, path=folder)
        writer = self.index.writer(256_000_000, 1)
        for number, (_, text) in enumerate(lines):
            document = tantivy.Document()
            document.add_text("text", text)
            document.add_unsigned("id", number + 1)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()
        self.size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))

    def search(self, query):
        """Returns the nanoseconds that making and running a query took."""
        start = time.thread_time_ns()
        if query.kind == "phrase":
            made = tantivy.Query.phrase_query(self.schema, "text", query.words)
        elif query.kind == "beginning":
            made = tantivy.Query.regex_query(self.schema, "text", query.words[0] + ".*")
        else:
            terms = [tantivy.Query.term_query(self.schema, "text", word, index_option="freq") for word in query.words]
            occur = tantivy.Occur.Should if query.kind == "or" else tantivy.Occur.Must
            made = terms[0] if len(terms) == 1 else tantivy.Query.boolean_query([(occur, term) for term in terms])
        found = self.searcher.search(made, LIMIT, count=False)
        taken = time.thread_time_ns() - start
        if not found.hits:
            sys.exit(f"search.py: Tantivy finds nothing for '{query.text}'")
        return taken


class Query:
    def __init__(self, kind, words):
        self.kind, self.words = kind, words
        joint = {"or": " OR ", "and": " AND "}.get(kind, " ")
        self.text = joint.join(f'"{word}"' for word in words)
        if kind == "phrase":
            self.text = f'"{" ".join(words)}"'
        if kind == "beginning":
            self.text = words[0] + "*"


class Queries:
    """Makes random queries of the words of texts."""

    def __init__(self, lines):
        self.chance = random.Random(11)
        self.lines = lines
        counts = collections.Counter()
        for _, text in lines:
            counts.update(set(WORD.findall(text.lower())))
        ordered = [word for word, _ in counts.most_common(3000)]
        self.common, self.middling = ordered[:60], ordered[300:]
        self.rare = sorted(word for word, count in counts.items() if 2 <= count <= 20)

    def phrase(self):
        while True:
            words = WORD.findall(self.chance.choice(self.lines)[1].lower())
            start = self.chance.randrange(len(words))
            if start + 1 < len(words):
                return Query("phrase", words[start : start + 2])

    def make(self, row):
        if row.startswith("common term"):
            return Query("term", [self.chance.choice(self.common)])
        if row.startswith("two common terms, OR"):
            return Query("or", self.chance.sample(self.common, 2))
        if row.startswith("two common terms, AND"):
            return Query("and", self.chance.sample(self.common, 2))
        if row == "rare term":
            return Query("term", [self.chance.choice(self.rare)])
        if row == "phrase of two":
            return self.phrase()
        word = self.chance.choice([word for word in self.middling if len(word) >= 4])
        return Query("beginning", [word[:4]])


def check_equal(query, ours, theirs):
    """Checks that scores are equal, and objects too unless their score is the last one's."""
    scores = [score for _, score in ours]
    if scores != [score for _, score in theirs]:
        sys.exit(f"search.py: other scores for '{query.text}': {ours}, {theirs}")
    last = scores[-1] if len(scores) == LIMIT else None
    sets = [{found for found in results if found[1] != last} for results in (ours, theirs)]
    if sets[0] != sets[1]:
        sys.exit(f"search.py: other objects for '{query.text}': {ours}, {theirs}")


def quantity(nanoseconds):
    for least, unit, divisor in [(1e9, "s", 1e9), (1e6, "ms", 1e6), (0, "µs", 1e3)]:
        if nanoseconds >= least:
            value = nanoseconds / divisor
            return f"{value:.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def fraction(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def cells(ratio, goal):
    if ratio is None:
        return ["", ""]
    mark = "**" if goal and ratio > goal else ""
    return [f"{mark}{fraction(ratio)}{mark}", f"{goal:.3g}" if goal else ""]


def print_table(*rows):
    for index, row in enumerate(rows):
        print("| " + " | ".join(row) + " |")
        if index == 0:
            print("|---|" + "--:|" * (len(row) - 1))
    print(flush=True)


def searches(options, ours, fts5, peer, queries):
    rows = [["ten best of", "ours", "/ FTS5", "goal", "/ Tantivy", "goal", "/ unfiltered", "goal"]]
    for row, goals in GOALS.items():
        if options.only not in row:
            continue
        is_filtered = "filter" in row
        times, ratios = [], [[], [], []]
        is_slow = "common" in row
        for number in range((5 if options.quick else 25) if is_slow else (20 if options.quick else 100)):
            query = queries.make(row)
            best = collections.defaultdict(lambda: float("inf"))
            for repetition in range(5):
                taken, found = ours.search(query, is_filtered)
                best["ours"] = min(best["ours"], taken)
                if repetition == 0 or not is_slow:
                    taken, theirs = fts5.search(query, is_filtered)
                    best["fts5"] = min(best["fts5"], taken)
                    check_equal(query, found, theirs)
                if is_filtered:
                    best["unfiltered"] = min(best["unfiltered"], ours.search(query, False)[0])
                else:
                    best["tantivy"] = min(best["tantivy"], peer.search(query))
            times.append(best["ours"])
            for ratio, name in zip(ratios, ["fts5", "tantivy", "unfiltered"]):
                if name in best:
                    ratio.append(best["ours"] / best[name])
        rows.append([row, quantity(statistics.median(times))])
        for ratio, goal in zip(ratios, goals):
            rows[-1] += cells(statistics.median(ratio) if ratio else None, goal)
    print_table(*rows)


def builds(ours, fts5, file):
    """Puts all texts into both programs, and returns the times."""
    times = {}
    for name, program in [("ours", ours), ("fts5", fts5)]:
        for store in ["records", "words"]:
            times[name, store] = program.times("build", store, file)[0]
    return times


def writes(options, ours, fts5, lines):
    """Puts, updates and removes single objects with and without an index, in turn."""
    chance = random.Random(5)
    taken = collections.defaultdict(list)
    rounds = 20 if options.quick else 300
    numbers = chance.sample(range(1, len(lines) + 1), 2 * rounds)
    for changed, removed in zip(numbers[:rounds], numbers[rounds:]):
        label, text = chance.choice(lines)
        _, other = chance.choice(lines)
        for work in ["put", "update", "remove"]:
            for name, program in [("ours", ours), ("fts5", fts5)]:
                for store in ["records", "words"]:
                    if work == "put":
                        times = program.times("put", store, label, text)
                    elif work == "update":
                        times = program.times("update", store, changed, other)
                    else:
                        times = program.times("remove", store, removed)
                    taken[name, store, work].append(times)
    rows = [["one, durable", "ours", "/ the record alone", "goal", "FTS5 / its record", "ours / FTS5"]]
    rows[0] += ["processor time", "/ the record alone", "FTS5 / its record", "ours / FTS5"]
    for work in ["put", "update", "remove"]:
        row = [work]
        for place in [1, 0]:
            middle = {key: statistics.median(times[place] for times in values) for key, values in taken.items()}
            words, record = middle["ours", "words", work], middle["ours", "records", work]
            theirs, their_record = middle["fts5", "words", work], middle["fts5", "records", work]
            row.append(quantity(words))
            row += cells(words / record, WRITE_GOAL) if place == 1 else [fraction(words / record)]
            row += [fraction(theirs / their_record), fraction(words / theirs)]
        rows.append(row)
    print_table(*rows)


def worst_puts(options, folder, programs):
    """Puts single short texts beside many."""
    path = os.path.join(folder, "short.tsv")
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    puts = 500 if options.quick else 20_000
    first, last = os.path.join(folder, "first.tsv"), lines[-puts:]
    batch, rest = (len(lines) - puts) // 100, lines[:-puts]
    rows = [[f"put of one, beside {len(rest):,}", "mean processor time", "99th percentile", "greatest", "goal"]]
    for name, program in programs.items():
        for start in range(0, len(rest), batch):
            with open(first, "w") as file:
                file.writelines("\t".join(line) + "\n" for line in rest[start : start + batch])
            program.times("build", "words", first)
        times = sorted(program.times("put", "words", *line)[0] for line in last)
        mark = "**" if name == "ours" and times[-1] > WORST_PUT_GOAL else ""
        values = [statistics.mean(times), times[len(times) * 99 // 100]]
        rows.append([name, *map(quantity, values), f"{mark}{quantity(times[-1])}{mark}"])
        rows[-1].append(quantity(WORST_PUT_GOAL) if name == "ours" else "")
    os.remove(first)
    print_table(*rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("ours")
    parser.add_argument("fts5")
    parser.add_argument("folder")
    options = parser.parse_args()
    path = os.path.join(options.folder, "texts.tsv")
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]

    data = os.path.join(options.folder, "data")
    ours, fts5 = Program(options.ours, data + "/ours"), Program(options.fts5, data + "/fts5")
    built = builds(ours, fts5, path)
    peer = Tantivy(data + "/tantivy", lines)
    print(f"{len(lines):,} texts; tantivy {tantivy.__version__}, {peer.searcher.num_segments} segments.\n")
    searches(options, ours, fts5, peer, Queries(lines))
    if options.only:
        return
    writes(options, ours, fts5, lines)
    own_time, their_time = built["ours", "words"], built["fts5", "words"]
    alone = own_time / built["ours", "records"]
    size, their_size = int(ours.ask("size")[0]), int(fts5.ask("size")[0])
    print_table(
        [f"all {len(lines):,}", "ours", "/ FTS5", "goal", "/ Tantivy", "/ records alone"],
        ["put in one transaction", quantity(own_time), *cells(own_time / their_time, BUILD_GOAL), "", fraction(alone)],
        [
            "size of the index",
            f"{size / 1e6:.1f} MB",
            *cells(size / their_size, SIZE_GOAL),
            fraction(size / peer.size),
            "",
        ],
    )
    ours.end()
    fts5.end()
    programs = {"ours": Program(options.ours, data + "/ours-short"), "FTS5": Program(options.fts5, data + "/fts5-short")}
    worst_puts(options, options.folder, programs)


main()
