# edge_weights.py FOLDER [WEIGHT]: gives a data set weights of its edges, some a hundred times those of others; all WEIGHT where that is given.

import json
import pathlib
import sys

from npy_files import write

folder = pathlib.Path(sys.argv[1])
data = json.loads((folder / "dataset.json").read_text())
header = (folder / data["edge_index"]).read_bytes()[:128].decode("latin-1")
edges = int(header.split("(2, ")[1].split(")")[0])
weights = [float(sys.argv[2]) if len(sys.argv) > 2 else 0.1 + (e * 7919 % 100) ** 2 / 1000 for e in range(edges)]
write(folder / "weight.npy", "<f4", weights, (edges,))
data["edge"] = {"weight": "weight.npy"}
(folder / "dataset.json").write_text(json.dumps(data))
