"""check_console.py ROOT FOLDER PAGE...: what `console` blocks of pages show (console.py) is what the commands print.

The commands of all pages run in FOLDER, one after the other; it gets links to what is in ROOT, which stands for /usr/share/gnnc too. Values of MLIR and
LLVM (`%12`) are compared last: where they alone differ, GNNC_UPDATE_GOLDEN=1 in the environment writes those of today into the page.
"""
import os
import pathlib
import re
import subprocess
import sys

from console import CONSOLE, VALUE, blocks, missing_text, place

HERE = {name: value for name, value in os.environ.items() if name != "GNN_RUNS"}  # a run is kept in FOLDER, as in its reader's
PROGRAMS = ("cat", "cp", "gnn-data", "gnn-train", "gnnc")


def check(page, root, folder, update):
    lines = page.read_text(encoding="utf-8").split("\n")
    wrong, stale, count = [], False, 0
    for command_line, command, numbers in blocks(lines, {CONSOLE}):
        if command.split()[0] not in PROGRAMS:
            wrong.append("%s:%d: not a program that this test runs: %s" % (page, command_line + 1, command.split()[0]))
            continue
        here = command.replace("/usr/share/gnnc", str(root))
        result = subprocess.run(["sh", "-c", here], cwd=folder, env=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        places, missing = place(lines, numbers, result.stdout.split("\n")[:-1])
        if places is None:
            wrong.append("%s:%d: `%s` does not print: %s" % (page, (missing or command_line) + 1, command, missing_text(lines, missing)))
            continue
        count += len(places)
        for number, match in places:
            values = iter(match.groups())
            today = re.sub(VALUE, lambda _: next(values), lines[number])
            if today != lines[number] and not update:
                wrong.append("%s:%d: now `%s`; GNNC_UPDATE_GOLDEN=1 writes it" % (page, number + 1, today.strip()))
            stale |= today != lines[number]
            lines[number] = today
    if stale and update:
        page.write_text("\n".join(lines), encoding="utf-8")
    return wrong, count


root, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True)
for name in ("examples", "stdlib"):
    (folder / name).symlink_to(root / name)
wrong, count = [], 0
for page in sys.argv[3:]:
    problems, lines = check(pathlib.Path(page), root, folder, "GNNC_UPDATE_GOLDEN" in os.environ)
    wrong += problems
    count += lines
if wrong:
    sys.exit("\n".join(wrong))
print("%d lines are what the commands print" % count)
