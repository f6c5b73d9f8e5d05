#!/usr/bin/env python3
"""What a window of batches that are known ahead would save of what samples read of files, all counted by a simulation.

The memory of a cache keeps the rows that most batches of an epoch read. A batch also finds the rows of the batch before it, which is in
memory still (--before of them). Beside that, a window of N batches that are sampled ahead says which rows will be read again soon; of
these the cache keeps in a part of its memory those whose next use is the nearest (Belady). The others give up that part, and what the
samples take: 16 bytes a vertex and 12 an edge at least. The part is the best of some. The last column is what a window would save
if samples took no memory. All are bytes that are read of files, rows between others included, as parts of those of a cache alone.
"""

import argparse
import json
import pathlib
import tempfile

import caches
import numpy

PARTS = (0, 0.01, 0.03, 0.1, 0.2, 0.4)  # of the cache that the window may have


class Graph:
    def __init__(self, folder):
        source, destination = (numpy.array(ids) for ids in caches.edges_of(folder / "edge_index.npy"))
        self.vertices = json.loads((folder / "rows.json").read_text())
        order = numpy.argsort(destination, kind="stable")
        self.sources = source[order]
        self.offsets = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(destination, minlength=self.vertices))])
        self.seeds = numpy.load(folder / "train.npy")

    def draw(self, rows, fan_out, random):
        """The sources of at most so many edges of each row."""
        degrees = self.offsets[rows + 1] - self.offsets[rows]
        owner = numpy.repeat(numpy.arange(len(rows)), degrees)
        rank = numpy.arange(len(owner)) - (numpy.cumsum(degrees) - degrees)[owner]
        edge = (rank + self.offsets[rows][owner])[numpy.lexsort((random.random(len(owner)), owner))]
        return self.sources[edge[rank < fan_out]]

    def batches(self, size, fan_outs, random):
        """The vertices of one batch after the other, and how many edges it has."""
        while True:
            seeds = random.permutation(self.seeds)
            for first in range(0, len(seeds), size):
                met = last = seeds[first : first + size]
                edges = 0
                for fan_out in fan_outs:
                    drawn = self.draw(last, fan_out, random)
                    edges += len(drawn)
                    last = numpy.setdiff1d(drawn, met)
                    met = numpy.concatenate([met, last])
                yield numpy.sort(met), edges


def bytes_read(rows, row_bytes):
    """As RowReads.cpp joins them; ascending."""
    total, begin, before = 0, None, None
    for row in rows:
        if begin is not None and (row - before - 1) * row_bytes <= 4096 and (row - begin + 1) * row_bytes <= 65536:
            before = row
            continue
        total += (before - begin + 1) * row_bytes if begin is not None else 0
        begin = before = row
    return total + ((before - begin + 1) * row_bytes if begin is not None else 0)


def read_of_batch(missed, before, ahead, room, row_bytes):
    """The mean over batches, each of which misses some rows in what stays, finds those of the `before` last ones, and has a window of so
    many batches with room for some rows."""
    uses = {}
    next_use = [None] * len(missed)
    for number in reversed(range(len(missed))):
        next_use[number] = [uses.get(row, len(missed)) for row in missed[number]]
        uses.update((row, number) for row in missed[number])
    window, total, counted = {}, 0, len(missed) - max(ahead, 1)
    for number in range(counted):
        there = set(window).union(*missed[max(number - before, 0) : number])
        total += bytes_read([row for row in missed[number] if row not in there], row_bytes)
        known = {row: use for row, use in window.items() if use > number}
        known.update((row, use) for row, use in zip(missed[number], next_use[number]) if number + before < use <= number + ahead)
        window = dict(sorted(known.items(), key=lambda each: (each[1], each[0]))[:room])
    return total / counted


def compare(name, graph, options, fan_outs, share):
    random = numpy.random.default_rng(1)
    row_bytes, batches = 4 * options.features, graph.batches(options.batch, fan_outs, random)
    hot = numpy.zeros(graph.vertices, int)
    vertices = edges = 0
    steps = -(-len(graph.seeds) // options.batch)
    for _ in range(steps):
        met, drawn = next(batches)
        hot[met] += 1
        vertices += len(met) / steps
        edges += drawn / steps
    order, drawn = numpy.argsort(-hot, kind="stable"), [next(batches)[0] for _ in range(options.batches)]
    sample = (16 * vertices + 12 * edges) / row_bytes
    rows = share * graph.vertices

    def missed(kept):
        stays = numpy.zeros(graph.vertices, bool)
        stays[order[: int(kept)]] = True
        return [batch[~stays[batch]].tolist() for batch in drawn]

    alone = read_of_batch(missed(rows), 0, 0, 0, row_bytes)
    print(f"{name:8} {','.join(map(str, fan_outs)):6} {options.batch:5} {100 * share:3.0f}% {alone / 1000:8.1f} KB", end="")
    print(f" {read_of_batch(missed(rows), options.before, 0, 0, row_bytes) / alone:7.3f}", end="")
    for ahead in options.ahead:
        found = []
        for taken in ((ahead - 1) * sample, 0):
            sizes = [(rows - part * rows - taken, int(part * rows)) for part in PARTS]
            found.append(min((read_of_batch(missed(kept), options.before, ahead, room, row_bytes) for kept, room in sizes if kept >= 0), default=None))
        print("".join(f" {each / alone:7.3f}" if each is not None else "       -" for each in found), end="", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin")
    parser.add_argument("--vertices", type=int, default=32768)
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--batches", type=int, default=160, help="that are counted")
    parser.add_argument("--sizes", type=float, nargs="+", default=(0.1, 0.3), help="of caches, parts of all features")
    parser.add_argument("--fanouts", nargs="+", default=("10,5", "15,10"))
    parser.add_argument("--before", type=int, default=1)
    parser.add_argument("--ahead", type=int, nargs="+", default=(2, 4, 8))
    options = parser.parse_args()
    ahead = "".join(f" {f'{each} paid':>7} {f'{each} free':>7}" for each in options.ahead)
    print(f"{'graph':8} {'fan-out':6} batch size    alone    {'before':>7}{ahead}")
    with tempfile.TemporaryDirectory() as work:
        options.work = pathlib.Path(work)
        for name, make in (("rmat", caches.make_rmat), ("planted", caches.make_planted)):
            make(options.work / name, options)
            graph = Graph(options.work / name)
            for fan_outs in options.fanouts:
                for share in options.sizes:
                    compare(name, graph, options, tuple(map(int, fan_outs.split(","))), share)


if __name__ == "__main__":
    main()
