"""check_includes.py RUNTIME_SRC: which folders of the runtime include which. What is not in the table is an error; so is what nobody needs any more."""
import os
import re
import sys

ALLOWED = {
    "core": {"device"},  # DLPack hands out memory of GPUs
    "io": {"core"},
    "graph": {"core", "io"},
    "data": {"core", "graph", "io"},
    "exec": {"core", "cpu", "data", "device", "graph", "io", "train"},  # Model and Processor, until they have a folder of their own
    "cpu": {"core", "exec", "graph"},
    "device": {"core", "exec"},
    "train": {"core", "data", "exec", "io"},
}
source = sys.argv[1]
found, wrong = {}, []
for folder, _, files in os.walk(source):
    name = os.path.relpath(folder, source).split(os.sep)[0]
    for file in sorted(files):
        if not file.endswith((".h", ".cpp", ".c")):
            continue
        path = os.path.join(folder, file)
        with open(path) as text:
            for number, line in enumerate(text, 1):
                included = re.match(r'#include "runtime/src/([a-z]+)/', line)
                if not included or included[1] == name:
                    continue
                found.setdefault(name, set()).add(included[1])
                if included[1] not in ALLOWED.get(name, set()):
                    wrong.append("%s:%d: %s must not include %s" % (path, number, name, included[1]))
for name, allowed in sorted(ALLOWED.items()):
    for other in sorted(allowed - found.get(name, set())):
        wrong.append("%s includes nothing of %s any more: take that from the table" % (name, other))
if wrong:
    sys.exit("\n".join(wrong))
print("folders include what they may")
