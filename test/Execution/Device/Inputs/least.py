"""Runs with the limits of memory that messages name: each must do, alone and beside others, on a processor, on GPUs and
by ranks. Arguments: a library and a data set."""
import re
import subprocess
import sys

library, data = sys.argv[1:]


def train(options):
    command = ["gnn-train", library, "--data", data, "--epochs", "1", "--no-run-dir", *options]
    return subprocess.run(command, capture_output=True, text=True)


for way in ("", "--ranks 2", "--ranks 3 --intervals 5", "--intervals 2", "--device cuda", "--device cuda:0-1",
            "--device cuda --ranks 2", "--device cuda --intervals 4"):
    for limited in (["--memory"], ["--device-memory"], ["--device-memory", "--memory"]):
        if ("cuda" in way) != ("--device-memory" in limited):
            continue
        limits = dict.fromkeys(limited, "10KB")  # parameters alone take more than 1KB
        named = set()
        for attempt in range(5):
            run = train([*way.split(), *[word for pair in limits.items() for word in pair]])
            if run.returncode == 0:
                break
            found = re.search(r"does not fit in \d+KB of (memory beside|memory|the memory).*: the least that does is (\w+)", run.stderr)
            if not found:
                sys.exit(f"{way} {limits}: {run.stderr}")
            option = "--device-memory" if found[1] == "the memory" else "--memory"
            if option in named:
                sys.exit(f"{way} {limits}: the limit that was named is refused: {run.stderr}")
            named.add(option)
            limits[option] = found[2]
        if run.returncode != 0 or not named:
            sys.exit(f"{way} {limits}: {run.stderr}")
print("all do")
