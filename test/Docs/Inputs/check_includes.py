"""check_includes.py ROOT: checks which folders of the project include which, and which folders of the runtime. An include that its table does not
allow is an error, and so is an allowed folder that is never included, or one that comes later in the table: no includes go in a circle. Engines neither
include nor name an executor. Every folder of the runtime is in its table, in the order in which docs/dev/runtime.md lists them."""
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
    "simulate": {"engine", "links", "program"},
    "exec": {"bind", "core", "engine", "graph", "io", "program"},
    "grow": {"bind", "core", "exec", "graph", "program"},
    "cpu": {"bind", "core", "engine", "graph", "program"},
    "cuda": {"bind", "comm", "core", "engine", "links", "program"},
    "exchange": {"core", "cuda"},
    "stream": {"bind", "comm", "core", "engine", "exec", "io", "links", "program", "simulate"},
    "sample": {"bind", "comm", "core", "engine", "exec", "io", "program", "stream"},
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


def check_order(table):
    """Complaints about folders that may include others which are not before them in the table."""
    names = list(table)
    for place, name in enumerate(names):
        for other in sorted(table[name].difference(names[:place])):
            yield "%s must not include %s, which is not before it in the table" % (name, other)


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
    yield from check_order(table)


def check_engines(source):
    executors = {name[:-2] for name in os.listdir(os.path.join(source, "exec")) if name.endswith(".h")}
    for engine in ENGINES:
        for place, line in lines_of(os.path.join(source, engine)):
            for executor in sorted(executors & set(re.findall(r"\w+", "" if line.startswith("#include") else line.split("//")[0]))):
                yield place + "engines must not name the executor " + executor


def check_runtime(source, document):
    """Complaints about the folders of the runtime, and about the table of `document`, which begins its rows with them."""
    for name in sorted({entry.name for entry in os.scandir(source) if entry.is_dir()} ^ set(RUNTIME)):
        yield "the table lists %s, or runtime/src has it, but not both" % name
    with open(document) as text:
        documented = re.findall(r"`(\w+)`", "".join(re.findall(r"^\|((?: `\w+`,?)+) \|", text.read(), re.M)))
    if documented != list(RUNTIME):
        yield "%s lists other folders, or in another order: %s" % (document, ", ".join(documented))


if __name__ == "__main__":
    root = sys.argv[1]
    runtime = os.path.join(root, "runtime", "src")
    complaints = [*check_folders(root, "", PROJECT), *check_folders(runtime, "runtime/src/", RUNTIME), *check_engines(runtime),
                  *check_runtime(runtime, os.path.join(root, "docs", "dev", "runtime.md"))]
    if complaints:
        sys.exit("\n".join(complaints))
    print("folders include what they may")
