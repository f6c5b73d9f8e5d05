"""What `console` blocks of pages say: commands (`$ gnnc ...`), each with lines of what it prints.

A command that ends with a backslash goes on in the next line. A line `...` stands for any lines, `...` in a line for anything in it. Blanks at both ends
of a line do not count. A block ```console packages needs what packages install: a compiler of C++ finds the library.
"""
import re

CONSOLE, OF_PACKAGES = "```console", "```console packages"
VALUE = r"%\.?\w+(?:[:#]\d+)?"


def blocks(lines, kinds):
    """The commands in blocks of these kinds: (number of its line, command, numbers of the lines that it prints)."""
    console, found = False, []
    for number, line in enumerate(lines):
        if line.startswith("```"):
            console = line.strip() in kinds
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


def missing_text(lines, missing):
    return "nothing more" if missing is None else lines[missing].strip()


def place(lines, numbers, printed):
    """The line of `printed` for each of `numbers`, and how it matches; or None and the first number that has none: None where nothing is to be printed."""
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
        return None, numbers[-1] if numbers else None
    return places, None
