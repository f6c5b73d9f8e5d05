"""scores.py KIND DATA SPLIT LOGITS EVALUATED: metrics of a split, computed from the outputs and targets by their definitions, pair by pair and
threshold by threshold, are those that `gnn-train evaluate --json` printed. KIND: classes, binary or numbers."""
import ast
import json
import math
import struct
import sys

kind, data, split, outputs, evaluated = sys.argv[1:]


def npy(path):
    content = open(path, "rb").read()
    begin = 10 + struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:begin].decode())
    code = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}[header["descr"]]
    numbers = struct.unpack("<%d%s" % ((len(content) - begin) // struct.calcsize(code), code), content[begin:])
    width = math.prod(header["shape"][1:])
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def auc(scores):
    pairs = [(a > b) + 0.5 * (a == b) for a, one in scores if one for b, other in scores if not other]
    return sum(pairs) / len(pairs)


def average_precision(scores):
    result, recall = 0, 0
    for threshold in sorted({score for score, _ in scores}, reverse=True):
        chosen = [one for score, one in scores if score >= threshold]
        now = sum(chosen) / sum(one for _, one in scores)
        result, recall = result + (now - recall) * sum(chosen) / len(chosen), now
    return result


def f1(found, wanted, label):
    right = sum(f == w == label for f, w in zip(found, wanted))
    return 2 * right / ((found.count(label) + wanted.count(label)) or 1)


rows = [row[0] for row in npy("%s/%s.npy" % (data, split))]
target, output = npy(data + "/y.npy"), npy(outputs)
known = [target[row[0]][0] for row in npy(data + "/train.npy")]
target, output = [target[row] for row in rows], [output[row] for row in rows]
expected = {}
if kind == "classes":
    wanted, classes = [t[0] for t in target], range(len(output[0]))
    found = [max(classes, key=lambda k: o[k]) for o in output]
    shares = [[math.exp(x - max(o)) / sum(math.exp(y - max(o)) for y in o) for x in o] for o in output]
    curves = [[(s[k], w == k) for s, w in zip(shares, wanted)] for k in (classes if len(classes) > 2 else [1])]
elif kind == "binary":
    wanted, found = [int(t[0]) for t in target], [int(o[0] > 0) for o in output]
    classes, curves = range(2), [[(o[0], w) for o, w in zip(output, wanted)]]
else:
    errors = [o[0] - t[0] for o, t in zip(output, target)]
    mean = sum(t[0] for t in target) / len(target)
    squares = sum(e * e for e in errors)
    expected = {"mae": sum(map(abs, errors)) / len(errors), "rmse": math.sqrt(squares / len(errors)),
                "r2": 1 - squares / sum((t[0] - mean) ** 2 for t in target)}
    alike = [sum(known) / len(known) - t[0] for t in target]
    expected["baseline_mae"] = sum(map(abs, alike)) / len(alike)
    expected["baseline_rmse"] = math.sqrt(sum(e * e for e in alike) / len(alike))
got = json.load(open(evaluated))[split]
if kind != "numbers":
    present = [k for k in classes if k in found or k in wanted]
    expected["f1_macro"] = sum(f1(found, wanted, k) for k in present) / len(present)
    expected["f1_micro"] = expected["accuracy"] = sum(f == w for f, w in zip(found, wanted)) / len(found)
    most = min(classes, key=lambda k: -known.count(k))
    expected["baseline_accuracy"] = wanted.count(most) / len(wanted)
    if len(classes) == 2:
        right = sum(f == w == 1 for f, w in zip(found, wanted))
        expected["f1"] = f1(found, wanted, 1)
        expected["precision"], expected["recall"] = right / found.count(1), right / wanted.count(1)
    expected["auc"] = sum(map(auc, curves)) / len(curves)
    expected["ap"] = sum(map(average_precision, curves)) / len(curves)
    confusion = [[sum(f == j and w == i for f, w in zip(found, wanted)) for j in classes] for i in classes]
    assert got.pop("confusion") == confusion, confusion
assert set(got) == set(expected) | {"loss"}, (got, expected)
for name, value in expected.items():
    assert abs(got[name] - value) < 1e-9, (name, got[name], value)
