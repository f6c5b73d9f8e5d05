"""set_argument.py FROM TO TARGET NAME ARGUMENT: a copy of a .pt2 file whose first node of TARGET has another argument."""
import json
import sys
import zipfile

source, target, op, argument, value = sys.argv[1:]
with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
    for name in archive.namelist():
        data = archive.read(name)
        if name.endswith("models/model.json"):
            model = json.loads(data)
            node = next(node for node in model["graph_module"]["graph"]["nodes"] if node["target"] == "torch.ops.aten." + op)
            node["inputs"] = [given for given in node["inputs"] if given["name"] != argument]
            node["inputs"].append({"name": argument, "arg": json.loads(value), "kind": 1})
            data = json.dumps(model).encode()
        copy.writestr(name, data)
