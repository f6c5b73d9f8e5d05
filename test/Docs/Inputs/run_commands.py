"""run_commands.py FOLDER PAGE...: the commands that pages name in plain blocks run.

Their models and data sets are stand-ins (commands.test makes them in FOLDER, which has a copy for each page): what is tested is that the commands are
right, not what they print. Trainings take two epochs, `console` blocks are for check_console.py.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

# Of other machines, of what is not to be had here, or tested elsewhere: (pattern, why).
NOT_RUN = [(r"--device cuda", "needs a GPU"), (r"--rendezvous", "two machines"), (r"\.parquet\b", "parquet.test"), (r"papers100M", "graphbolt.test"),
           (r"ogbn_arxiv", "ogb.test"), (r"links\.so", "Train/links.test"), (r"--data this-week", "weights.test"),
           (r"^gnnc tune", "Train/tuning.test: it times programs for a minute"), (r"^gnn-train report runs/|--run-dir runs/", "the folder is named by the time")]


def commands(page):
    """(line, command) of each, with lines that go on behind a backslash."""
    kind, command, start = None, "", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            kind = line[3:] if kind is None else None
            continue
        if kind != "":
            continue
        if command or re.match(r"(\$ )?(gnnc|gnn-train|gnn-data) (?!error:|warning:)", line):
            start = start if command else number
            command += re.sub(r"^\$ |\s{2,}# .*$|\\$", "", line) + " "
            if not line.endswith("\\"):
                yield start, command.strip()
                command = ""


def hidden(page):
    """Lines whose command cannot be run, as a part of it is left out: (line, text). Blocks of another kind than plain and console, such as ```text, are
    not looked at."""
    kind = None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            kind = line[3:] if kind is None else None
        elif kind is None and re.search(r"`(gnnc|gnn-train|gnn-data) [^`]*…", line):
            yield number, line
        elif kind is not None and (kind == "" or kind.startswith("console")) and "…" in line:
            yield number, line


def shortened(command):
    """The same, in less time: two epochs, two runs."""
    words = shlex.split(command)
    command = re.sub(r"--runs \d+", "--runs 2", command)
    if words[0] != "gnn-train" or words[1] in ("evaluate", "predict", "report", "time", "plan"):
        return command
    return re.sub(r"--epochs \d+", "", command) + " --epochs 2"


wrong, count = [], 0
for page in map(pathlib.Path, sys.argv[2:]):
    folder = pathlib.Path(sys.argv[1] + "." + page.stem)
    for line, text in hidden(page):
        wrong.append("%s:%d: … stands for a part of a command, which hides it from this test: write it out, or mark the block ```text: %s" % (page, line, text))
    shutil.copytree(sys.argv[1], folder, symlinks=True)
    if any("--run-dir run" in command for _, command in commands(page)):
        shutil.rmtree(folder / "run")  # the page makes it
    for line, command in commands(page):
        if any(re.search(pattern, command) for pattern, _ in NOT_RUN):
            continue
        result = subprocess.run(["sh", "-c", shortened(command)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        count += 1
        if result.returncode:
            wrong.append("%s:%d: `%s`: exit code %d\n%s" % (page, line, command, result.returncode, result.stdout))
if wrong:
    sys.exit("\n".join(wrong))
print("%d commands run" % count)
