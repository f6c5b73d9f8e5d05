"""Writes the data sets and weights of nothing-to-measure.test to the folder given."""
import json
import os
import struct
import sys

import npy_files

folder = sys.argv[1]


def dataset(name, edges, **arrays):
    """Arrays are (kind, numbers, shape)."""
    path = os.path.join(folder, name)
    os.makedirs(path)
    ends = [source for source, _ in edges] + [destination for _, destination in edges]
    npy_files.write(path + "/edge_index.npy", "<i8", ends, (2, len(edges)))
    for key, (kind, numbers, shape) in arrays.items():
        npy_files.write(path + f"/{key}.npy", kind, numbers, shape)


def pairs(some):
    return ("<i8", [end for pair in some for end in pair], (len(some), 2))


def reals(numbers, *shape):
    return ("<f4", numbers, shape or (len(numbers),))


def ids(numbers):
    return ("<i8", numbers, (len(numbers),))


def weights(name, **tensors):
    head, body = {}, b""
    for key, (numbers, shape) in tensors.items():
        data = struct.pack(f"<{len(numbers)}f", *numbers)
        head[key] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


nan = float("nan")
# Vertex 0 goes to all 30, and no other vertex goes anywhere: a score that is high at 0 alone is perfect.
dataset("hub", [(0, j) for j in range(20)], val_pairs=pairs([(0, j) for j in range(20, 30)]),
        test_pairs=pairs([(0, j) for j in range(20, 30)]))
weights("hub.st", s=([1.0] + [0.0] * 29, [30]), t=([1.0] * 30, [30]))
# All pairs that there can be.
dataset("complete", [(0, 0), (0, 1)], train_pairs=pairs([(0, 0), (0, 1)]), val_pairs=pairs([(1, 0), (1, 1)]))
weights("complete.st", s=([1.0, 0.0], [2]), t=([1.0, 1.0], [2]))
# Outputs are 1, 2, 3 and 5.
numbers = dict(x=reals([1, 2, 3, 5], 4, 1), train=ids([0, 2]))
dataset("missing", [(0, 1)], y=reals([1, nan, 4, 5]), val=ids([1]), test=ids([0, 1, 2, 3]), **numbers)
dataset("unlearnable", [(0, 1)], y=reals([nan, 2, 3, 5]), val=ids([1]), **numbers)
dataset("empty", [(0, 1)], y=reals([1, 2, 3, 5]), val=ids([]), test=ids([]), **numbers)
weights("number.st", W=([1.0], [1]))
dataset("classes", [(0, 1)], x=reals([1, 1], 2, 1), y=ids([0, 1]), train=ids([0, 1]), val=ids([1]), test=ids([]))
weights("classes.st", W=([1.0, 0.5], [1, 2]))
# Pairs as edges, as reversed edges, in two splits and repeated, and labels that are no numbers.
dataset("odd", [(0, 1), (1, 2), (2, 3)], val_pairs=pairs([(0, 1), (2, 1), (0, 3), (0, 3)]),
        test_pairs=pairs([(3, 0), (0, 3), (1, 3)]), y=reals([1, nan, 2, float("inf")]))
