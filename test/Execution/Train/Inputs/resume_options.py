"""Goes through all options of `gnn-train train --help`: each either is in the checkpoint, or TrainingOptions.def says
why not. Arguments: a folder to write to, libraries of vertices and of links, data sets of each, `note.py`, which
changes a note of a checkpoint, and TrainingOptions.def.

A run is begun with an option. Resumed without it, the checkpoint still has its value. Resumed with another value it is
refused by name, or the change is told; if the note is removed, as in a checkpoint from before there was the option,
only the value of runs before is taken.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys

folder, vertices, links, planted, knowledge, note, table = sys.argv[1:]
samples = "--fanout 5,5"

# option: (value, other value, key in the checkpoint, other options, whether it is of links)
KEPT = {  # another value is refused
    "--weight-decay": ("0.5", "0.25", "weight_decay", "", False),
    "--optimizer": ("sgd", "adam", "optimizer", "", False),
    "--schedule": ("step=2,0.5", "cosine", "schedule", "", False),
    "--warm-up": ("1", "2", "warm_up", "", False),
    "--clip": ("1", "2", "clip", "", False),
    "--monitor": ("accuracy", "f1_macro", "monitor", "", False),
    "--class-weights": ("balanced", "1,2,3", "class_weights", "", False),
    "--order": ("degree", "locality", "order", "", False),
    "--negatives": ("3", "2", "negatives", "", True),
    "--batch": ("50", "60", "batch", samples, False),
    "--fanout": ("5,5", "4,4", "fanout", "", False),
    "--sampler": ("labor", "replace", "sampler", samples, False),
    "--shares": ("2", "3", "shares", samples, False),
    "--rows": ("reached", "all", "rows", "", False),
    "--inputs": ("dense", "sparse", "inputs", "", False),
    "--seed": ("3", "4", "first_seed", "", False),
}
TAKEN = {  # another value is taken, and told
    "--epochs": ("2", "3", "epochs", "", False),
    "--evaluate-every": ("2", "3", "evaluate_every", "", False),
    "--patience": ("5", "6", "patience", "", False),
    "--lr": ("0.5", "0.25", "learning_rate", "", False),
    "--isa": ("x86-64-v2", None, "isa", "", False),
    "--device": ("cpu", None, "device", "", False),
    "--memory": ("1000KB", "1100KB", "memory", "", False),
    "--spill": (folder, os.path.dirname(folder), "spill", "--memory 1000KB", False),
    "--cut": ("work", None, "cut", "--memory 1000KB --intervals 2", False),
    "--intervals": ("2", None, "intervals", "--memory 1000KB", False),
    "--rank-every": ("2", "3", "rank_every", "", True),
    "--no-evaluation": ("", None, "no_evaluation", samples, False),
    "--no-ranking": ("", None, "no_ranking", "", True),
}
ELSEWHERE = {  # noted, and tested in other files
    "--data": "the content decides: resume-settings.test",
    "--dim": "shapes decide: resume-settings.test",
    "--runs": "resume-settings.test",
    "--weights": "weights.test; excludes --resume",
    "--device-memory": "of GPUs: Device/streams.test",
}


def metadata(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        return json.loads(file.read(size))["__metadata__"]


def run(arguments, is_of_links):
    library, data = (links, knowledge) if is_of_links else (vertices, planted)
    begin = [] if "--resume" in arguments else ["--data", data]
    return subprocess.run(["gnn-train", library, *begin, "--run-dir", run_folder, *arguments], capture_output=True,
                          text=True)


def expect(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


shown = subprocess.run(["gnn-train", "train", "--help"], capture_output=True, text=True).stdout
options = set(re.findall(r"^\s+(?:-\w,\s*)?(--[a-z-]+)", shown, re.MULTILINE))
rows = dict(re.findall(r'^OPTION\(\w+, \w+, "(?:-\w,)?(--[a-z-]+)",(.*?)\bHelp\{', open(table).read(), re.M | re.S))
forgotten = {option for option, attributes in rows.items() if "Forgotten{" in attributes}
for option in KEPT.keys() & rows.keys():
    expect("Kept{" in rows[option] or option == "--seed", option, "is not kept:", rows[option])
tables = [set(KEPT), set(TAKEN), set(ELSEWHERE), forgotten, {"--help"}]
expect(len(options) > 40, "the options of --help were not found:", options)
expect(options == set.union(*tables), "in --help or in a table alone:", options ^ set.union(*tables))
expect(sum(map(len, tables)) == len(options), "in two tables")

run_folder = os.path.join(folder, "run")
last = os.path.join(run_folder, "last.safetensors")
before = os.path.join(folder, "before.safetensors")
for option, (value, other, key, more, is_of_links) in {**KEPT, **TAKEN}.items():
    shutil.rmtree(run_folder, ignore_errors=True)
    said = [option] + ([value] if value else [])
    epochs = [] if option == "--epochs" else ["--epochs", "1"]
    first = run([*said, *epochs, *more.split()], is_of_links)
    expect(first.returncode == 0, "begun:", said, first.stderr)
    noted = metadata(last).get(key)
    expect(noted is not None, option, "is not in the checkpoint")
    shutil.copy(last, before)
    again = run(["--resume", "--epochs", "3"], is_of_links)
    expect(again.returncode == 0, "resumed:", option, again.stderr)
    expect(option == "--epochs" or metadata(last).get(key) == noted, option, "was", noted, "and is", metadata(last).get(key))
    if other is None:
        continue
    shutil.copy(before, last)
    changed = run(["--resume", option, other, *more.split()], is_of_links)
    if option in TAKEN:
        expect(changed.returncode == 0 and f"with {option} " in changed.stdout, option, other, changed.stderr)
        continue
    name = "is of seed" if option == "--seed" else option
    expect(changed.returncode == 1 and name in changed.stderr, option, other, changed.stdout, changed.stderr)
    if key in ("weight_decay", "optimizer", "inputs", "first_seed", "batch", "fanout", "shares"):
        continue  # all checkpoints have them, or the plan decides
    shutil.copy(before, last)
    subprocess.run([sys.executable, note, last, key], check=True)
    old = run(["--resume", *said, *more.split()], is_of_links)
    expect(old.returncode == 1 and option in old.stderr, "without its note:", option, old.stdout, old.stderr)
print("all options:", len(options))
