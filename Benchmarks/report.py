#!/usr/bin/env python3
"""Prints tables of ratios of medians; with --write, writes Documentation/Design/Measurements.md and what shows it.

usage: report.py [--write] FOLDER GROUP...      FOLDER holds GROUP.tsv with peer, workload, value and rate
       report.py --redraw      writes the charts, and the summary of Performance.md, from Measurements.md again
"""
import html
import math
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENTATION = os.path.join(HERE, "..", "Documentation")
BEGIN = "<!-- begin of the results; Benchmarks/run.sh writes them -->"
END = "<!-- end of the results -->"
SUMMARY_BEGIN = "<!-- begin of the summary; Benchmarks/report.py writes it -->"
SUMMARY_END = "<!-- end of the summary -->"
TITLES = {
    "100k": "One thread",
    "durable": "Durable puts, a transaction each",
    "conc": "Readers beside a writer",
    "micro": "Single steps",
    "vectors": "Nearest neighbours, 100,000 vectors of 128 dimensions in clusters",
    "filtered": "Ten nearest of 100,000 vectors under other conditions",
    "1m": "A million objects",
    "growth": "Ten million objects, beside 100,000",
}
OURS = [("objectbox", "class"), ("objectbox_struct", "struct")]
PEERS = [("lmdb_packed", "LMDB"), ("sqlite_normal", "SQLite"), ("sqlite_full", "SQLite FULL"), ("hnswlib", "hnswlib"), ("objectbox_unfiltered", "unfiltered"), ("objectbox_100k", "100,000")]
# In some groups, PEERS_FOLDER may have results of this LMDB program only.
SUBSTITUTES = {"lmdb_packed": "lmdb"}


def rows(name):
    lines = open(os.path.join(HERE, name)).read().splitlines()
    return [line.split("\t") for line in lines[1:]]


def load_goals():
    goals = {}
    for workload, peer, goal, *kind in rows("goals.tsv"):
        for each in kind or [kind for _, kind in OURS]:
            goals[workload, peer, each] = float(goal)
    return goals


def load_values(folder, groups):
    """Returns the values by workload and peer, and the runtime's workloads by group."""
    values, members = {}, {}
    for group in groups:
        members[group] = []
        for line in open(os.path.join(folder, group + ".tsv")):
            peer, workload, value, _ = line.split("\t")
            values.setdefault((workload, peer), []).append(float(value))
            if peer in dict(OURS) and workload not in members[group]:
                members[group].append(workload)
    return values, members


# Larger units, keyed by the smallest value that uses them.
SCALES = {
    "%": [],
    "ns": [(1e6, "ms", 1e6), (1e4, "µs", 1e3)],
    "µs": [(1e4, "ms", 1e3)],
    "bytes": [(1e6, "MB", 1e6)],
    "KiB": [(1e4, "MiB", 1024)],
}


def quantity(value, unit):
    for least, larger, divisor in SCALES[unit]:
        if value >= least:
            value, unit = value / divisor, larger
            break
    return f"{value:.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def fraction(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


class Results:
    def __init__(self, folder, groups):
        self.values, self.members = load_values(folder, groups)
        self.goals = load_goals()
        self.texts = {workload: (unit, text) for workload, unit, text in rows("workloads.tsv")}

    def of(self, workload, peer):
        """Returns the values of a peer's runs."""
        found = self.values.get((workload, peer))
        return found or self.values.get((workload, SUBSTITUTES.get(peer)), [])

    def ratio(self, workload, ours, peer):
        mine, theirs = self.of(workload, ours), self.of(workload, peer)
        if not mine or not theirs or statistics.median(theirs) == 0:
            return None
        return statistics.median(mine) / statistics.median(theirs)

    def above(self, workload, ours):
        """Returns our median minus the first peer's, or None if a value is missing."""
        mine, theirs = self.of(workload, ours), self.of(workload, PEERS[0][0])
        return statistics.median(mine) - statistics.median(theirs) if mine and theirs else None

    def workloads(self, group):
        """Returns a group's workloads that workloads.tsv explains, in its order."""
        return [workload for workload in self.texts if workload in self.members[group]]

    def peers(self, group):
        """Returns the peers with a value of a workload of the group."""
        return [
            (peer, title)
            for peer, title in PEERS
            if any(self.of(workload, peer) for workload in self.workloads(group))
        ]

    def table(self, group):
        peers = self.peers(group)
        head = ["workload", "", "ours", "spread"]
        for _, title in peers:
            head += [f"/ {title}", "goal"]
        lines = ["| " + " | ".join(head) + " |", "|---|---|" + "--:|" * (len(head) - 2)]
        for workload in self.workloads(group):
            for ours, kind in OURS:
                if self.of(workload, ours):
                    cells = self.cells(workload, ours, kind, peers)
                    lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def cells(self, workload, ours, kind, peers):
        unit, text = self.texts[workload]
        values = self.of(workload, ours)
        middle = statistics.median(values)
        shown = quantity(middle, unit)
        for measure, value in [("value", middle), ("above", self.above(workload, ours))]:
            goal = self.goals.get((workload, measure, kind))
            if goal and value is not None:
                mark = "**" if value > goal else ""
                found = f"{quantity(value, unit)} above {PEERS[0][1]}, " if measure == "above" else ""
                shown = f"{mark}{shown}{mark} ({found}goal {quantity(goal, unit)})"
        is_plain = not any(self.of(workload, name) for name, _ in OURS if name != ours)
        spread = max(values) / min(values) if min(values) > 0 and len(values) > 1 else None
        cells = [text, "" if is_plain else kind, shown, f"{spread:.2f}" if spread else ""]
        for peer, _ in peers:
            ratio, goal = self.ratio(workload, ours, peer), self.goals.get((workload, peer, kind))
            mark = "**" if ratio and goal and ratio > goal else ""
            cells.append("" if ratio is None else f"{mark}{fraction(ratio)}{mark}")
            cells.append("" if ratio is None or not goal else f"{goal:g}")
        return cells

    def met(self):
        """Returns the number of goals of measured workloads, and the number of goals that are met."""
        answers = []
        for (workload, peer, kind), goal in self.goals.items():
            ours = next(name for name, each in OURS if each == kind)
            values = self.of(workload, ours)
            if peer == "value":
                value = statistics.median(values) if values else None
            elif peer == "above":
                value = self.above(workload, ours)
            else:
                value = self.ratio(workload, ours, peer)
            if value is not None:
                answers.append(value <= goal)
        return len(answers), sum(answers)


# MARK: Recorded results


class Recorded:
    """The ratios in the tables of Measurements.md: by group, workload, kind and peer; with the goals."""

    def __init__(self, document):
        self.rows = []
        titles = {f"{title} (`{group}`)": group for group, title in TITLES.items()}
        for section in re.split(r"^### ", document, flags=re.MULTILINE)[1:]:
            group = titles.get(section.split("\n")[0])
            lines = [line.strip("|").split("|") for line in section.split("\n") if line.startswith("| ")]
            if group is None or not lines:
                continue
            head = [cell.strip() for cell in lines[0]]
            for line in lines[1:]:
                cells = [cell.strip().replace("**", "") for cell in line]
                self.rows.append((group, cells[0], cells[1], cells[2].split(" (")[0], self.ratios(head, cells)))

    @staticmethod
    def ratios(head, cells):
        """Returns the ratio and the goal for each peer; a missing goal is None."""
        found = {}
        for place, title in enumerate(head):
            if title.startswith("/ ") and cells[place]:
                has_goal = place + 1 < len(cells) and head[place + 1] == "goal" and cells[place + 1]
                found[title[2:]] = float(cells[place]), float(cells[place + 1]) if has_goal else None
        return found

    def summary(self):
        """Yields the rows of the summary that were measured: text, our time, its ratios to SQLite and LMDB."""
        for group, workload, text, peer in SUMMARY:
            for each, name, kind, ours, ratios in self.rows:
                if (each, name) == (group, workload) and kind in ("", "class") and {peer, "LMDB"} <= ratios.keys():
                    yield text, ours, ratios[peer][0], ratios["LMDB"][0]

    def bars(self):
        """Returns for each peer the names, ratios and goals of all workloads that it has a time of."""
        for peer in ["SQLite", "LMDB"]:
            bars = []
            for group, text, kind, ours, ratios in self.rows:
                if peer in ratios and re.search("(ns|µs|ms)$", ours):
                    text += ", struct" if kind == "struct" else ""
                    text += ", a million" if group == "1m" else ""
                    bars.append((text, *ratios[peer]))
            if bars:
                yield peer, bars


# MARK: Chart

# The workloads of the summary: group, name in the tables, name in the summary, the SQLite that it is compared with.
SUMMARY = [
    ("100k", "get, a transaction each", "read an object by its ID", "SQLite"),
    ("conc", "get in two threads beside a writer", "read by ID beside a writer", "SQLite"),
    ("100k", "string contains, count", "search all texts for a part", "SQLite"),
    ("100k", "put, one transaction", "put, many in a transaction", "SQLite"),
    ("100k", "put with a unique string", "put with a unique text", "SQLite"),
    ("100k", "update", "update", "SQLite"),
    ("100k", "remove by ID", "remove by ID", "SQLite"),
    ("100k", "string by hash index", "find by an indexed text", "SQLite"),
    ("100k", "integer range by index", "find a range by an index", "SQLite"),
    ("100k", "read all, keep them", "read all objects", "SQLite"),
    ("durable", "durable put, 8 threads", "durable puts of 8 threads", "SQLite FULL"),
    ("durable", "durable put, 1 thread", "durable put, one at a time", "SQLite FULL"),
]

# Greys and colours that are legible on both white and black.
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #7d8590 } .title { font-weight: 700 }
.line, .goal { stroke: #7d8590; stroke-width: 1 } .goal { stroke-width: 3 }
.faint { stroke: #7d8590; stroke-width: 1; stroke-opacity: 0.3 }
.faster { fill: #2a9d78 } .slower { fill: #d1793a }
"""
LEFT, WIDTH, ROW, LEAST, MOST = 360, 400, 18, 1 / 32, 8


def place(ratio):
    """Returns the position of a ratio on the logarithmic axis."""
    ratio = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def line(kind, x, top, bottom):
    return f'<line class="{kind}" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}"/>'


def label(text, x, y, anchor, kind="label"):
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{html.escape(text)}</text>'


def drawing(width, height, parts, style=STYLE):
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n' + "\n".join(parts) + "\n</svg>\n"


def chart(recorded):
    """Draws all ratios."""
    parts, y = [], 24
    for title, bars in recorded.bars():
        parts.append(label(f"our time / that of {title}, logarithmic; left of 1 is faster, the marks are goals", 12, y, "start", "title"))
        top, bottom = y + 26, y + 26 + ROW * len(bars)
        for ratio, text in [(1 / 16, "1/16"), (1 / 4, "1/4"), (1, "1"), (4, "4")]:
            parts.append(label(text, place(ratio), y + 20, "middle"))
            parts.append(line("line" if ratio == 1 else "faint", place(ratio), top, bottom))
        for text, ratio, goal in bars:
            y = top + 13
            low, high = sorted((place(ratio), place(1)))
            kind = "faster" if ratio <= 1 else "slower"
            parts.append(label(text, LEFT - 10, y, "end"))
            parts.append(
                f'<rect class="{kind}" x="{low:.1f}" y="{top + 3}" width="{high - low:.1f}" height="{ROW - 6}"/>'
            )
            if goal:
                parts.append(line("goal", place(goal), top + 2, top + ROW - 2))
            parts.append(label(fraction(ratio), LEFT + WIDTH + 50, y, "end"))
            top += ROW
        y = bottom + 34
    return drawing(LEFT + WIDTH + 62, y, parts)


def times(ratio):
    """Returns how many times as fast a ratio of times is."""
    return f"{1 / ratio:.1f}"


def short_chart(recorded):
    """Draws the summary, for a column of a third of a page: few rows, and each number in words of the reader."""
    left, width, row = 226, 150, 24
    style = STYLE.replace("12px", "14px")
    parts = [label("times as fast as SQLite", left, 20, "start", "title")]
    top = 30
    most = max((1 / ratio for _, _, ratio, _ in recorded.summary()), default=1)
    for text, _, ratio, _ in recorded.summary():
        kind = "faster" if ratio <= 1 else "slower"
        length = width / ratio / most
        parts.append(label(text, left - 8, top + 16, "end"))
        parts.append(f'<rect class="{kind}" x="{left}" y="{top + 4}" width="{length:.1f}" height="{row - 8}"/>')
        parts.append(label(times(ratio), left + length + 6, top + 16, "start"))
        top += row
    parts.append(line("line", left + width / most, 28, top + 2))
    return drawing(left + width + 40, top + 12, parts, style)


def summary(recorded):
    """Returns the summary as a table."""
    lines = ["| work | ours | times as fast as SQLite | as LMDB in C |", "|---|--:|--:|--:|"]
    for text, ours, ratio, lmdb in recorded.summary():
        lines.append(f"| {text} | {ours} | {times(ratio)} | {times(lmdb)} |")
    return "\n".join(lines)


# MARK: Documents


def put(name, begin, end, text):
    """Replaces what a document has between two lines."""
    path = os.path.join(DOCUMENTATION, name)
    document = open(path).read()
    before, found_begin, rest = document.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise SystemExit(f"{name} lacks the lines '{begin}' and '{end}'")
    open(path, "w").write(f"{before}{begin}\n\n{text}\n\n{end}{after}")


def redraw():
    """Writes everything that shows the recorded results."""
    document = open(os.path.join(DOCUMENTATION, "Design", "Measurements.md")).read()
    recorded = Recorded(document.partition(BEGIN)[2].partition(END)[0])
    put("Performance.md", SUMMARY_BEGIN, SUMMARY_END, summary(recorded))
    open(os.path.join(DOCUMENTATION, "performance.svg"), "w").write(short_chart(recorded))
    open(os.path.join(DOCUMENTATION, "Design", "measurements.svg"), "w").write(chart(recorded))


def main():
    words = sys.argv[1:]
    if words == ["--redraw"]:
        return redraw()
    writes = "--write" in words
    folder, *groups = [word for word in words if word != "--write"]
    results = Results(folder, groups)
    blocks = [open(os.path.join(folder, "conditions.md")).read().strip().replace("\n", "\n\n")]
    count, met = results.met()
    if count:
        blocks.append(f"{met} of {count} goals are met. A ratio above its goal is bold.")
    for group in groups:
        blocks += [f"### {TITLES[group]} (`{group}`)", results.table(group)]
    text = "\n\n".join(blocks)
    print(text)
    if writes:
        put(os.path.join("Design", "Measurements.md"), BEGIN, END, text)
        redraw()


main()
