#!/usr/bin/env python3
"""Measures hnswlib, on one thread, with the vectors that the runtime's benchmark has written.

usage: hnswlib_peer.py --group vectors [--dir FOLDER] [--n COUNT] [--reps N]
FOLDER/vectors.f32 holds COUNT vectors to index, then the queries. Queries run one at a time, as in a program, with
the least `ef` that finds 99.6 % of the ten nearest of the judged queries. About a microsecond of each time is the
cost of a call from Python.
"""
import argparse
import os
import statistics
import time

import hnswlib
import numpy

DIMENSIONS = 128
LINKS, CONSTRUCTION_CANDIDATES = 15, 100
NEEDED_RECALL, JUDGED = 0.996, 200


def emit(workload, value, rate=None):
    print(f"hnswlib\t{workload}\t{value:.2f}\t{'-' if rate is None else f'{rate:.1f}'}", flush=True)


def emit_time(workload, seconds, operations):
    emit(workload, seconds * 1e9 / operations, operations / seconds)


def timed(body):
    start = time.perf_counter()
    body()
    return time.perf_counter() - start


def nearest_by_comparing_all(vectors, queries):
    squares = (vectors * vectors).sum(axis=1)
    nearest = []
    for query in queries:
        distances = squares - 2 * (vectors @ query)
        nearest.append(set(numpy.argpartition(distances, 10)[:10].tolist()))
    return nearest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--group", default="vectors")
    parser.add_argument("--dir", default=".")
    parser.add_argument("--n", type=int, default=100_000)
    parser.add_argument("--reps", type=int, default=3)
    options = parser.parse_args()

    numbers = numpy.fromfile(os.path.join(options.dir, "vectors.f32"), dtype="<f4")
    numbers = numbers.reshape(-1, DIMENSIONS)
    vectors, queries = numbers[: options.n], numbers[options.n :]
    index = hnswlib.Index("l2", DIMENSIONS)
    index.init_index(len(vectors), M=LINKS, ef_construction=CONSTRUCTION_CANDIDATES)
    index.set_num_threads(1)
    emit_time("W15_put_vectors", timed(lambda: index.add_items(vectors, num_threads=1)), len(vectors))
    path = os.path.join(options.dir, "hnswlib.index")
    index.save_index(path)
    emit("W15_bytes_per_vector", os.path.getsize(path) / len(vectors))
    os.remove(path)

    def find(query):
        return index.knn_query(query, k=10, num_threads=1)[0][0]

    truth = nearest_by_comparing_all(vectors, queries[:JUDGED])

    def recall():
        hits = sum(len(near & set(find(query).tolist())) for query, near in zip(queries, truth))
        return hits / (10 * len(truth))

    candidates = 10
    index.set_ef(candidates)
    while recall() < NEEDED_RECALL:
        candidates += 5
        index.set_ef(candidates)

    def find_all():
        for query in queries:
            find(query)

    times = [timed(find_all) for _ in range(options.reps)]
    emit_time("W15_nearest_10_again", statistics.median(times), len(queries))
    emit("W15_recall_at_10_percent", recall() * 100)


main()
