#!/usr/bin/env python3
"""Pairs callgrind's dumps with the workloads by their order, and compares the counts with recorded counts.

usage: instructions.py record|compare|print FOLDER FILE CONDITIONS
"""
import glob
import sys

TOLERANCE = 0.03
# Some workloads do a fixed amount of work for any number of operations.
ADDITIONAL_INSTRUCTIONS = 10


def dump_total(path):
    for line in open(path):
        if line.startswith(("totals:", "summary:")):
            return int(line.split()[1])
    raise SystemExit(f"{path} has no total")


def counted(folder):
    paths = glob.glob(folder + "/counts.*")
    paths.sort(key=lambda path: int(path.rsplit(".", 1)[1]))
    totals = [dump_total(path) for path in paths]
    figures = {}
    for line in open(folder + "/operations.tsv"):
        peer, workload, operations, runs = line.split("\t")
        runs = int(runs)
        figures[peer, workload] = sum(totals[:runs]) / runs / int(operations)
        del totals[:runs]
    return figures


def recorded(path):
    """Returns the conditions of the recorded figures, which are the first line, and the figures."""
    lines = open(path).read().splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return lines[0], {(peer, workload): float(count) for peer, workload, count in rows}


def main():
    how, folder, path, conditions = sys.argv[1:]
    now = counted(folder)
    if how != "compare":
        lines = [f"{peer}\t{workload}\t{count:.1f}\n" for (peer, workload), count in now.items()]
        if how == "record":
            open(path, "w").writelines([conditions + "\n"] + lines)
        sys.stdout.writelines(lines)
        return
    its_conditions, before = recorded(path)
    if its_conditions != conditions:
        print(f"not compared: the figures were recorded with '{its_conditions}', and this is '{conditions}'")
        return
    slower = 0
    for key in sorted(now.keys() | before.keys()):
        if key not in now or key not in before:
            print(*key, "is measured" if key in now else "is recorded", "only; record anew", sep="\t")
            slower += 1
            continue
        change = now[key] / before[key] - 1
        is_slower = now[key] > before[key] * (1 + TOLERANCE) + ADDITIONAL_INSTRUCTIONS
        slower += is_slower
        mark = "slower" if is_slower else ""
        print(*key, f"{before[key]:.1f}", f"{now[key]:.1f}", f"{change:+.1%}", mark, sep="\t")
    if slower:
        raise SystemExit(f"{slower} workloads take over {TOLERANCE:.0%} more instructions than recorded")


main()
