"""conv_norm_twice.py LIBRARY FOLDER: prints the losses of two steps of stochastic gradient descent on a sample of all edges."""
import json
import struct
import subprocess
import sys

import npy_files
from conv_norm_twice_data import CLASSES, EDGES, LABELS, RATE, SEEDS, VERTICES, WEIGHTS, WIDTH, X

library, folder = sys.argv[1:]
npy_files.write(folder + "/x.npy", "<f4", sum(X, []), (VERTICES, WIDTH))
npy_files.write(folder + "/y.npy", "<i8", LABELS, (VERTICES,))
npy_files.write(folder + "/edge_index.npy", "<i8", [e[0] for e in EDGES] + [e[1] for e in EDGES], (2, len(EDGES)))
for split, rows in ("train", SEEDS), ("val", [10]), ("test", [12]):
    npy_files.write("%s/%s.npy" % (folder, split), "<i8", rows, (len(rows),))
with open(folder + "/dataset.json", "w") as file:
    json.dump({"name": "karate", "num_vertices": VERTICES, "num_classes": CLASSES, "edge_index": "edge_index.npy", "vertex": {"x": "x.npy"},
               "labels": "y.npy", "split": {split: split + ".npy" for split in ("train", "val", "test")}}, file)

tensors = dict(WEIGHTS)
for name, (shape, values) in WEIGHTS.items():
    if name.endswith("gamma"):
        norm = name[:-len("gamma")]
        tensors[norm + "mean_all"], tensors[norm + "var_all"] = (shape, [0] * len(values)), (shape, [1] * len(values))
header, data = {}, b""
for name, (shape, values) in tensors.items():
    begin = len(data)
    data += struct.pack("<%dd" % len(values), *values)
    header[name] = {"dtype": "F64", "shape": shape, "data_offsets": [begin, len(data)]}
text = json.dumps(header).encode()
with open(folder + "/weights.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)

subprocess.run(["gnn-train", library, "--data", folder, "--weights", folder + "/weights.safetensors", "--fanout", "all,all", "--batch", "100",
                "--optimizer", "sgd", "--lr", str(RATE), "--weight-decay", "0", "--epochs", "2", "--no-evaluation", "--run-dir", folder + "/run"],
               check=True, stdout=subprocess.DEVNULL)
with open(folder + "/run/metrics.jsonl") as file:
    print(*("%.6f" % json.loads(line)["loss"] for line in file))
