"""check_options.py BIN PAGE...: the tables of options in pages have each option that the programs in BIN have, and no other.

A line <!-- options: PROGRAM COMMAND... --> before a table says what it is of: each of its options is one of all these commands, or of the program itself
where none is named. The tables of a program and of its commands have all that their help lists, by all names, with all choices. Help and version need none.
"""
import collections
import re
import subprocess
import sys

OF_ALL = ({"-h", "--help"}, {"--version"})


def help_of(binaries, program, command):
    return subprocess.run([binaries + "/" + program] + command.split() + ["--help"], stdout=subprocess.PIPE, text=True, check=True).stdout


def commands_of(help):
    """The commands, with the program by itself ("") unless one of them is meant then."""
    listed = re.search(r"^Subcommands:\n((?:  .*\n)*)", help, flags=re.MULTILINE)[1]
    return re.findall(r"^  (\w+)", listed, flags=re.MULTILINE) + ([] if "(the default)" in listed else [""])


def options_of(help):
    """What the help lists: of each option its names, and the choices of its value."""
    found = {}
    for names, rest in re.findall(r"^  (-[-\w,]+)(.*)", help, flags=re.MULTILINE):
        choices = re.match(r" \S*:\{([^}]*)\}", rest)
        found[frozenset(names.split(","))] = choices[1].split(",") if choices else []
    return found


def tables_of(page):
    """(number of a row's line, program, commands, row)"""
    subject = None
    for number, line in enumerate(open(page, encoding="utf-8"), 1):
        marked = re.match(r"<!-- options: (\S+)(.*) -->$", line)
        if marked:
            subject = (marked[1], marked[2].split() or [""])
        elif not line.startswith("|"):
            subject = None
        elif subject and re.match(r"\| `-", line):
            yield number, subject[0], subject[1], line.strip()


binaries, wrong, rows = sys.argv[1], [], 0
known, told = {}, collections.defaultdict(set)
for page in sys.argv[2:]:
    for number, program, commands, row in tables_of(page):
        rows += 1
        if program not in (each for each, _ in known):
            for command in commands_of(help_of(binaries, program, "")):
                known[program, command] = options_of(help_of(binaries, program, command))
        names = frozenset(re.findall(r"(?<![\w-])--?[A-Za-z][-\w]*", row.split(" | ")[0]))
        for command in commands:
            told[program, command].add(names)
            if names not in known[program, command]:
                wrong.append("%s:%d: no option of %s: %s" % (page, number, " ".join([program, command]).strip(), ", ".join(sorted(names))))
                continue
            for choice in known[program, command][names]:
                if not re.search(r"\b%s\b" % re.escape(choice), row) and "](#" not in row:  # or a section about them
                    wrong.append("%s:%d: without the choice %s" % (page, number, choice))
for subject, options in known.items():
    for names in set(options) - told[subject]:
        if names not in OF_ALL:
            wrong.append("%s: in no table: %s" % (" ".join(subject).strip(), ", ".join(sorted(names))))
if wrong or not rows:
    sys.exit("\n".join(sorted(wrong)) or "no tables")
print("%d options of %d commands" % (rows, len(known)))
