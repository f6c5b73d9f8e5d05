"""stage_digests.py SOURCE sample: compiles every 16th of the models twice to the text of `gnnc --emit=loops` and `--emit=gpu`. Two compilations must agree.
The models are examples and those of test/Execution/Features and test/Execution/Stdlib.

stage_digests.py SOURCE all GOLDEN: compiles all models, and compares digests of the text with those in the file GOLDEN. After a change that is meant to
change this text, GNNC_UPDATE_GOLDEN=1 in the environment writes the file anew.
"""
import concurrent.futures
import glob
import hashlib
import os
import subprocess
import sys

STAGES = {  # what the digest is called: options
    "loops": ["--emit=loops", "--target=x86-64-v3"],
    "wide": ["--emit=loops", "--target=x86-64-v4"],
    "gpu": ["--emit=gpu", "--target=sm_80"],
}
EACH = 16  # one model of so many is in the sample


def models(source):
    found = []
    for pattern in ("examples/*/*.gnn", "test/Execution/Features/*.gnn", "test/Execution/Stdlib/*.gnn"):
        found += glob.glob(pattern, root_dir=source)
    return sorted(found)


def digest(source, model, stage):
    """The digest of the text; where the model is refused, of the message. Both are the same from any folder."""
    run = subprocess.run(["gnnc", model, "-o", "-", *STAGES[stage]], cwd=source, capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit("gnnc %s %s: exit code %d\n%s" % (model, " ".join(STAGES[stage]), run.returncode, run.stderr.decode()))
    return ("" if run.returncode == 0 else "refused ") + hashlib.sha256(run.stdout + run.stderr).hexdigest()[:16]


def digests_of(source, keys):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(keys, pool.map(lambda key: digest(source, *key), keys)))


def compare_two(source):
    keys = [(model, stage) for model in models(source)[::EACH] for stage in STAGES]
    first, second = digests_of(source, keys), digests_of(source, keys)
    for key in keys:
        if first[key] != second[key]:
            sys.exit("%s %s: two compilations have different text" % key)
    print("two compilations agree in %d texts" % len(keys))


def compare_with(source, golden_path):
    keys = [(model, stage) for model in models(source) for stage in STAGES]
    found = {"%s %s" % key: text for key, text in digests_of(source, keys).items()}
    if os.environ.get("GNNC_UPDATE_GOLDEN"):
        with open(golden_path, "w") as file:
            file.writelines("%s: %s\n" % item for item in found.items())
    with open(golden_path) as file:
        golden = dict(line.rstrip("\n").split(": ", 1) for line in file)
    differing = ["%s: %s, but it was %s" % (key, text, golden.get(key, "not there")) for key, text in found.items() if golden.get(key) != text]
    differing += ["%s: the model is gone" % key for key in golden if key not in found]
    if differing:
        sys.exit("\n".join(differing) + "\nIf the text is meant to change: GNNC_UPDATE_GOLDEN=1 (docs/dev/testing.md)")
    print("%d texts are as they were" % len(found))


if sys.argv[2] == "sample":
    compare_two(sys.argv[1])
else:
    compare_with(sys.argv[1], sys.argv[3])
