# edge_weights.py FOLDER [WEIGHT]: gives a data set weights of its edges, some a hundred times those of others; all WEIGHT where that is given.

import array
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
data = json.loads((folder / "dataset.json").read_text())
header = (folder / data["edge_index"]).read_bytes()[:128].decode("latin-1")
edges = int(header.split("(2, ")[1].split(")")[0])
weights = array.array("f", [float(sys.argv[2]) if len(sys.argv) > 2 else 0.1 + (e * 7919 % 100) ** 2 / 1000 for e in range(edges)])
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % edges
header += " " * (117 - len(header)) + "\n"
(folder / "weight.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + weights.tobytes())
data["edge"] = {"weight": "weight.npy"}
(folder / "dataset.json").write_text(json.dumps(data))
