"""rankings.py write DATA: besides test_pairs DATA gets pairs of training, in which each test pair has every vertex at one end, then at the other.
rankings.py check DATA SCORES EVALUATED: the filtered ranks (Bordes et al. 2013) that the scores of these give, one by one, have the means that
`gnn-train evaluate --json` printed of the split test. Scores that are not numbers are better than all others."""
import ast
import json
import math
import struct
import sys

from npy_files import write


def npy(path):
    content = open(path, "rb").read()
    begin = 10 + struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:begin].decode())
    code = {"<f8": "d", "<i4": "i", "<i8": "q"}[header["descr"]]
    numbers = struct.unpack("<%d%s" % ((len(content) - begin) // struct.calcsize(code), code), content[begin:])
    width = math.prod(header["shape"][1:])
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def all_pairs(test, vertices):
    for source, kind, target in test:
        yield from ((v, kind, target) for v in range(vertices))
    for source, kind, target in test:
        yield from ((source, kind, v) for v in range(vertices))


task, data = sys.argv[1:3]
schema = json.load(open(data + "/dataset.json"))
vertices, test = schema["num_vertices"], npy(data + "/test_pairs.npy")
if task == "write":
    pairs = list(all_pairs(test, vertices))
    write(data + "/all_pairs.npy", "<i8", [number for pair in pairs for number in pair], (len(pairs), 3))
    schema["pairs"]["train"] = "all_pairs.npy"
    json.dump(schema, open(data + "/dataset.json", "w"))
    sys.exit()

scores = dict(zip(all_pairs(test, vertices), (row[0] for row in npy(sys.argv[3]))))
kinds = npy(data + "/edge_type.npy")
sources, targets = npy(data + "/edge_index.npy")
known = set(zip(sources, (kind for row in kinds for kind in row), targets)) | set(npy(data + "/val_pairs.npy")) | set(test)
ranks = []
for other in (lambda pair, v: (v, pair[1], pair[2])), (lambda pair, v: (pair[0], pair[1], v)):
    for pair in test:
        rank = 1
        for rival in (other(pair, v) for v in range(vertices)):
            if rival != pair and rival not in known:
                rank += 0.5 if scores[rival] == scores[pair] else not scores[rival] < scores[pair]
        ranks.append(rank)
found = json.load(open(sys.argv[4]))["test"]
wanted = {"mrr": sum(1 / rank for rank in ranks) / len(ranks)}
wanted.update(("hits@%d" % k, sum(rank <= k for rank in ranks) / len(ranks)) for k in (1, 3, 10))
wrong = {name: (found[name], value) for name, value in wanted.items() if abs(found[name] - value) > 1e-12}
assert not wrong, wrong
print("ranks of", len(ranks), "are those of their scores, mrr %.4f" % wanted["mrr"])
