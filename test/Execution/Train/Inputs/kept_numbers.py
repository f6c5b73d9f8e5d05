"""kept_numbers.py FOLDER LIBRARY DATA [--first N OPTION... --then] OPTION...: trains in FOLDER/run, perhaps N epochs first by a run of its own. Where the
best epoch is not the last one, the numbers at the end must be those that `gnn-train evaluate` gives for best.safetensors, and no others."""
import json
import shutil
import subprocess
import sys

folder, library, data, *options = sys.argv[1:]
run = folder + "/run"
shutil.rmtree(run, ignore_errors=True)


def gnn_train(*arguments):
    return subprocess.run(["gnn-train", *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def fail(what):
    sys.exit("%s: %s" % (" ".join(options), what))


def training(more):
    result = json.loads(gnn_train(library, "--json", *more))
    with open(run + "/summary.json") as file:
        return result, json.load(file)


if options[0] == "--first":
    then = options.index("--then")
    training(["--data", data, "--run-dir", run, "--epochs", *options[1:then]])
    result, summary = training(["--run-dir", run, "--resume", *options[then + 1 :]])
    others = []
else:
    result, summary = training(["--data", data, "--run-dir", run, *options])
    others = [json.loads(gnn_train(library, "--json", "--data", data, "--no-run-dir", *options))]

limits = [word for name in ("--memory", "--intervals", "--spill") if name in options for word in (name, options[options.index(name) + 1])]
kept, last = (json.loads(gnn_train("evaluate", library, "--data", data, "--json", "--weights", "%s/%s.safetensors" % (run, name), *limits)) for name in ("best", "last"))
if not 0 < summary["best_epoch"] < summary["epochs"]:
    fail("the best epoch is %s of %s, which tests nothing" % (summary["best_epoch"], summary["epochs"]))
with open(run + "/console.log") as log:
    if "these are the numbers of epoch %d, which had" % summary["best_epoch"] not in log.read():
        fail("the text does not say which epoch the numbers are of")


def same(a, b):
    if isinstance(a, list):
        return a == b
    return abs(a - b) <= 1e-6 * max(1, abs(a))


for split in ("train", "val", "test"):
    if summary[split].keys() != kept[split].keys():
        fail("summary.json has %s of %s, evaluate %s" % (sorted(summary[split]), split, sorted(kept[split])))
    if same(kept[split]["loss"], last[split]["loss"]):
        fail("the best and the last epoch have the same loss, which tests nothing")
    for name, value in kept[split].items():
        found = [summary[split][name]] + [ended["%s_%s" % (split, name)] for ended in [result, *others]]
        if not all(same(number, value) for number in found):
            fail("%s %s is %s at the end, %s by evaluate" % (split, name, found, value))
