"""Compares the declarations of gnnc._native with the headers of the runtime. Usage: signatures.py FOLDER"""
import glob
import os
import re
import sys

from gnnc import _native

STRUCTS = {"gnn_input_t": _native.Input, "gnn_model_options_t": _native.ModelOptions, "gnn_graph_options_t": _native.GraphOptions,
           "gnn_pullback_options_t": _native.PullbackOptions, "gnn_pullback_item_t": _native.PullbackItem}


def main(folder):
    text = ""
    for path in sorted(glob.glob(os.path.join(folder, "*.h"))):
        with open(path) as file:
            text += re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    declared = dict(re.findall(r"GNN_API [^;{}()]*?(\w+)\(((?:[^()]|\([^()]*\))*)\);", text))
    known = _native._CHECKED | {name: arguments for name, (_, *arguments) in _native._OTHERS.items()}
    for name, arguments in known.items():
        flat = re.sub(r"\([^()]*\)", "", declared[name])
        count = 0 if flat.strip() == "void" else flat.count(",") + 1
        assert count == len(arguments), f"{name} takes {count} arguments, not {len(arguments)}"
    for name, struct in STRUCTS.items():
        body = re.search(r"typedef struct " + name + r" \{(.*?)\}", text, re.S)[1]
        fields = [field.strip("* ") for line in body.split(";") for field in re.findall(r"[*\s](\w+)\s*(?:,|$)", line.strip())]
        assert fields == [field for field, _ in struct._fields_], f"{name} has {fields}"
    version = re.search(r"#define GNN_INTERFACE_VERSION (\d+)u", text)[1]
    assert int(version) == _native.INTERFACE_VERSION, f"the headers have version {version} of the interface"
    print(len(known), "functions and", len(STRUCTS), "structs as in the headers")


main(*sys.argv[1:])
