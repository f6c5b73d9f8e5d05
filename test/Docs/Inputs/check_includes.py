"""check_includes.py ROOT: which folders of the project include which, and which of the runtime. What is not in a table is an error; so is what nobody
needs any more, and a way from a folder back to itself. Engines neither include nor name an executor."""
import os
import re
import sys

# From the ground up. Headers that are installed, gnn/..., are everybody's.
PROJECT = {
    "support": set(),
    "runtime": set(),
    "dialects": set(),
    "compiler": {"dialects", "support"},
    "tools": {"compiler", "runtime", "support"},
}
RUNTIME = {
    "core": set(),
    "comm": {"core"},
    "io": {"core"},
    "graph": {"core", "io"},
    "data": {"core", "graph", "io"},
    "program": {"core"},
    "bind": {"core", "data", "graph", "program"},
    "links": {"core", "io"},
    "engine": {"comm", "core", "graph", "links", "program"},
    "simulate": {"bind", "engine", "links"},
    "exec": {"bind", "core", "engine", "graph", "io", "program"},
    "grow": {"bind", "core", "exec", "graph", "program"},
    "cpu": {"bind", "core", "engine", "graph", "program"},
    "cuda": {"bind", "comm", "core", "engine", "links", "program"},
    "exchange": {"core", "cuda"},
    "stream": {"bind", "comm", "core", "engine", "exec", "io", "links", "program", "simulate"},
    "sample": {"bind", "comm", "core", "engine", "exec", "graph", "io", "program", "stream"},
    "model": {"bind", "core", "cpu", "cuda", "engine", "exec", "graph", "grow", "io", "program"},
    "train": {"bind", "comm", "core", "data", "engine", "exec", "graph", "io", "links", "model", "program", "sample", "stream"},
}
ENGINES = ("cpu", "cuda")


def lines_of(folder):
    """(place, line) of all sources in a folder."""
    for where, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            if file.endswith((".h", ".cpp", ".c", ".td")):
                with open(os.path.join(where, file)) as text:
                    yield from (("%s:%d: " % (os.path.join(where, file), number), line) for number, line in enumerate(text, 1))


def circle(table, folder, way=()):
    """A way along the table from a folder back to one that it came by, or None."""
    if folder in way:
        return way[way.index(folder):] + (folder,)
    return next(filter(None, (circle(table, other, way + (folder,)) for other in sorted(table.get(folder, ())))), None)


def check_folders(source, prefix, table):
    """Complaints about the folders of `source`, which includes name after `prefix`."""
    for name, allowed in table.items():
        found = set()
        for place, line in lines_of(os.path.join(source, name)):
            included = re.match(r'(?:#include|include) "%s(\w+)/' % prefix, line)
            if included and included[1] in table and included[1] != name:
                found.add(included[1])
                if included[1] not in allowed:
                    yield place + "%s must not include %s" % (name, included[1])
        for other in sorted(allowed - found):
            yield "%s includes nothing of %s any more: take that from the table" % (name, other)
    yield from sorted({"includes go in a circle: " + " -> ".join(way) for way in (circle(table, name) for name in table) if way})


def check_engines(source):
    executors = {name[:-2] for name in os.listdir(os.path.join(source, "exec")) if name.endswith(".h")}
    for engine in ENGINES:
        for place, line in lines_of(os.path.join(source, engine)):
            for executor in sorted(executors & set(re.findall(r"\w+", "" if line.startswith("#include") else line.split("//")[0]))):
                yield place + "engines must not name the executor " + executor


if __name__ == "__main__":
    root = sys.argv[1]
    runtime = os.path.join(root, "runtime", "src")
    complaints = [*check_folders(root, "", PROJECT), *check_folders(runtime, "runtime/src/", RUNTIME), *check_engines(runtime)]
    if complaints:
        sys.exit("\n".join(complaints))
    print("folders include what they may")
