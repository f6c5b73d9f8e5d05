"""check_console.py ROOT FOLDER PAGE...: what `console` blocks of pages show is what the commands print.

A block has commands (`$ gnnc ...`), each with lines of what it prints. A command that ends with a backslash goes on in the next line.
A line `...` stands for any lines, `...` in a line for anything in it. Blanks
at both ends of a line do not count. The commands of all pages run in FOLDER, one after the other; it gets links to what is in ROOT. Values of MLIR and
LLVM (`%12`) are compared last: where they alone differ, GNNC_UPDATE_GOLDEN=1 in the environment writes those of today into the page.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

PROGRAMS = ("cat", "gnn-data", "gnn-train", "gnnc")
VALUE = r"%\.?\w+(?:[:#]\d+)?"


def blocks(lines):
    """The commands of a page: (number of its line, command, numbers of the lines that it prints)."""
    console, found = False, []
    for number, line in enumerate(lines):
        if line.startswith("```"):
            console = line.strip() == "```console"
        elif console and line.startswith("$ "):
            found.append((number, line[2:].strip(), []))
        elif console and found[-1][1].endswith("\\"):
            found[-1] = (number, found[-1][1][:-1] + line.strip(), [])
        elif console:
            found[-1][2].append(number)
    return found


def pattern(shown):
    """What a line may be, each value in a group."""
    parts = re.split(r"(%s|\.\.\.)" % VALUE, shown.strip())
    made = ["(%s)" % VALUE if re.fullmatch(VALUE, p) else ".*" if p == "..." else re.escape(p) for p in parts]
    return re.compile("".join(made) + "$")


def runs_of(lines, numbers):
    """What is shown in one piece, between lines `...`."""
    runs = [[]]
    for number in numbers:
        if lines[number].strip() == "...":
            runs.append([])
        else:
            runs[-1].append(number)
    return runs


def place(lines, numbers, printed):
    """The line of `printed` for each of `numbers`, and how it matches; or the first number that has none."""
    places, begin = [], 0
    runs = runs_of(lines, numbers)
    for index, run in enumerate(runs):
        wanted = [pattern(lines[n]) for n in run]
        if index == len(runs) - 1 and len(runs) > 1:
            starts = [len(printed) - len(run)]
        else:
            starts = range(begin, len(printed) - len(run) + 1) if index else [0]
        deepest = 0
        for start in starts:
            if start < begin:
                continue
            matches = [w.match(p.strip()) for w, p in zip(wanted, printed[start:])]
            if len(matches) == len(run) and all(matches):
                break
            deepest = max(deepest, next((i for i, m in enumerate(matches) if not m), 0))
        else:
            return None, (run or numbers)[deepest]
        places += zip(run, matches)
        begin = start + len(run)
    if len(runs) == 1 and begin != len(printed):
        return None, numbers[-1]
    return places, None


def check(page, folder, update):
    lines = page.read_text(encoding="utf-8").split("\n")
    wrong, stale, count = [], False, 0
    for command_line, command, numbers in blocks(lines):
        words = shlex.split(command)
        if words[0] not in PROGRAMS:
            wrong.append("%s:%d: not a program that this test runs: %s" % (page, command_line + 1, words[0]))
            continue
        result = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        places, missing = place(lines, numbers, result.stdout.split("\n")[:-1])
        if places is None:
            wrong.append("%s:%d: `%s` does not print: %s" % (page, missing + 1, command, lines[missing].strip()))
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
    problems, lines = check(pathlib.Path(page), folder, "GNNC_UPDATE_GOLDEN" in os.environ)
    wrong += problems
    count += lines
if wrong:
    sys.exit("\n".join(wrong))
print("%d lines are what the commands print" % count)
