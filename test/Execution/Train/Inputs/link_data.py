# link_data.py FOLDER apart|within [typed]: a graph of 62 vertices with features and types of edges, and pairs to be found. `apart`: no training pair
# joins what an edge joins; one is there twice, one is a vertex with itself. `within`: every pair is an edge too, some twice, some with one the other way
# of any type. `typed`: an edge of another type goes the way of one pair, in both.

import pathlib
import random
import sys

from npy_files import write

folder, kinds = pathlib.Path(sys.argv[1]), sys.argv[2:]
folder.mkdir(parents=True, exist_ok=True)
draw = random.Random(1)
n = 62


def save(name, kind, shape, numbers):
    write(folder / name, kind, numbers, shape)


def savePairs(name, pairs):
    save(name, "<i8", (len(pairs), 3), [id for pair in pairs for id in pair])


def one():
    return (draw.randrange(n - 2), draw.randrange(3), draw.randrange(n - 2))


edges = [one() for _ in range(240)]
joined = {(a, b) for a, _, b in edges} | {(b, a) for a, _, b in edges}
pairs = [pair for pair in (one() for _ in range(60)) if (pair[0], pair[2]) not in joined]
alone = next(v for v in range(n) if (v, v) not in joined)
pairs[3:6] = [pairs[2], (alone, 1, alone), (n - 2, 0, n - 1)]  # the last: of vertices without another edge
inputs = [draw.gauss(0, 1) for _ in range(5 * n)]
savePairs("train_pairs.npy", pairs)
for name in ("val_pairs.npy", "test_pairs.npy"):
    savePairs(name, [one() for _ in range(20)])
if "typed" in kinds:
    a, t, b = pairs[10]
    edges.append((a, (t + 1) % 3, b))
if "within" in kinds:
    edges = pairs + edges + pairs[::7] + [(b, draw.randrange(3), a) for a, _, b in pairs[::3]]
save("edge_index.npy", "<i8", (2, len(edges)), [a for a, _, _ in edges] + [b for _, _, b in edges])
save("edge_type.npy", "<i8", (len(edges),), [t for _, t, _ in edges])
save("x.npy", "<f4", (n, 5), inputs)
