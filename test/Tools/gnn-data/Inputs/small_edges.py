"""Small tables with faults or oddities, each with the import that a careful person makes by hand: arrays, or the error that they want. Usage: small_edges.py FOLDER"""
import math
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from npy_table import table as load

NAN = math.nan


def same(a, b):
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)) or abs(a - b) < 1e-6


# name, tables, arguments, arrays or a part of the error
CASES = [
    ("classes in two spellings", {"e.csv": "from,to,ok\na,b,yes\nb,c,Yes\nc,a,no\n"}, "e.csv out --label ok", "'Yes' (1 row), 'yes' (1 row)"),
    ("classes as pandas writes them beside missing ones", {"e.csv": "from,to,ok\na,b,1.0\nb,c,\nc,a,0.0\n"}, "e.csv out --label ok --label-kind class", {"y": [1, -1, 0]}),
    ("numbers with decimal commas", {"e.csv": "from;to;stars\na;b;3,5\nb;c;4,25\nc;a;1,0\n"}, "e.csv out --label stars", {"y": [3.5, 4.25, 1.0]}),
    ("numbers, of which one is missing", {"e.csv": "from,to,stars\na,b,3.5\nb,c,\n"}, "e.csv out --label stars", "e.csv:3: no stars, expected a number: --split"),
    ("a number that is a word", {"e.csv": "from,to,stars\n" + "a,b,1.5\n" * 19 + "b,a,many\n"}, "e.csv out --label stars --label-kind number", "'many' in line 21"),
    ("an unlabelled edge in a split", {"e.csv": "from,to,ok,part\na,b,yes,train\nb,c,,test\n"}, "e.csv out --label ok --split part", "e.csv:3: the edge is in the split test and has no label: edges without one are in no split"),
    ("splits by other words", {"e.csv": "from,to,ok,part\na,b,yes,Training\nb,c,no,validation\nc,a,no,dev\nc,b,yes,TEST\n"}, "e.csv out --label ok --split part", {"train": [0], "val": [1, 2], "test": [3]}),
    ("a split by a word that is none", {"e.csv": "from,to,ok,part\na,b,yes,train\nb,c,no,holdout\n"}, "e.csv out --label ok --split part", "e.csv:3: the split is 'holdout', expected train, val, test or nothing"),
    ("days before months", {"e.csv": "from,to,ok,day\na,b,yes,31.12.2023\nb,c,no,01.02.2024\nc,a,no,15.03.2024\na,c,yes,\n"}, "e.csv out --label ok --split 2024-01-01,2024-03-01 --by day", {"train": [0], "val": [1], "test": [2], "edge_index": [[0, 1, 2, 0], [1, 2, 0, 2]]}),
    ("days that may be months", {"e.csv": "from,to,ok,day\na,b,yes,01/02/2024\nb,c,no,03/04/2024\n"}, "e.csv out --label ok --split 50%,25% --by day", "--dates"),
    ("times in another order", {"e.csv": "from,to,ok,step\na,b,yes,9\nb,c,no,1\nc,a,no,5\n"}, "e.csv out --label ok --split 34%,33% --by step", {"edge_index": [[1, 2, 0], [2, 0, 1]], "y": [0, 0, 1], "train": [0], "val": [1], "test": [2]}),
    ("edges at one time", {"e.csv": "from,to,ok,step\na,b,yes,1\nb,c,no,1\nc,a,no,1\na,c,no,2\n"}, "e.csv out --label ok --split 25%,25% --by step", {"train": [0, 1, 2], "val": [], "test": [3]}),
    ("a label that is an end", {"e.csv": "from,to\na,b\n"}, "e.csv out --label to", {"edge_index": [[0], [1]], "y": [0]}),
    ("a pair twice, turned, and a loop", {"e.csv": "from,to\n0,1\n1,0\n0,1\n2,2\n"}, "e.csv out --split-edges 50%,0%", {"edge_index": None}),
    ("pairs with other columns, turned by their names", {"e.csv": "from,to\na,b\nb,c\n", "p.csv": "to,weight,from\na,3,c\n"}, "e.csv out --pairs val=p.csv", {"val_pairs": [[2, 0]]}),
    ("pairs of a spreadsheet: a byte order mark and CRLF", {"e.csv": "from,to\na,b\nb,c\n", "p.csv": "\ufefffrom,to\r\nc,a\r\n"}, "e.csv out --pairs val=p.csv", {"val_pairs": [[2, 0]]}),
    ("ids with commas", {"e.csv": 'from,to\n"a, x",b\n', "p.csv": 'from,to\nb,"a, x"\n'}, "e.csv out --pairs test=p.csv", {"test_pairs": [[1, 0]]}),
    ("a pair without an end", {"e.csv": "from,to\na,b\n", "p.csv": "from,to\na,\n"}, "e.csv out --pairs test=p.csv", "p.csv:2: the column 'to' is empty, expected a vertex"),
    ("pairs without a type", {"e.csv": "from,to,kind\na,b,x\nb,a,y\n", "p.csv": "from,to\na,b\n"}, "e.csv out --edge-type kind --pairs test=p.csv", "there is no column 'kind'"),
    ("types that are numbers", {"e.csv": "from,to,kind\na,b,7\nb,a,3\n", "p.csv": "from,to,kind\na,b,7\n"}, "e.csv out --edge-type kind --pairs test=p.csv", {"edge_type": [1, 0], "test_pairs": [[0, 1, 1]]}),
]

def fault(folder, arguments, wanted):
    """What is not as by hand, or nothing."""
    run = subprocess.run(["gnn-data", "import", *arguments.split()], cwd=folder, capture_output=True, text=True)
    if isinstance(wanted, str):
        isRefused = run.returncode in (1, 2) and wanted in run.stderr and not (folder / "out").exists()
        return None if isRefused else (run.returncode, run.stdout, run.stderr)
    if run.returncode:
        return run.stderr
    for array, values in wanted.items():
        found = load(folder / "out" / f"{array}.npy")
        if values is None:  # all edges of a pair are in the graph, or none
            if sorted(zip(*found)) not in ([(0, 1), (0, 1), (1, 0)], [(2, 2)]):
                return array, found
        elif not same(values, found):
            return array, found
    return None


os.chdir(sys.argv[1])
faults = []
for number, (name, tables, arguments, wanted) in enumerate(CASES):
    folder = pathlib.Path(str(number))
    folder.mkdir()
    for file, text in tables.items():
        (folder / file).write_bytes(text.encode())
    if found := fault(folder, arguments, wanted):
        faults.append(f"{name}: {found}")
sys.exit("\n".join(faults) if faults else print(f"{len(CASES)} tables are imported as by hand"))
