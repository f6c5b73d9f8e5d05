"""recorded_plans.py GOLDEN SCHEDULES DATA: compares plans of the libraries in this folder with those in the file GOLDEN: bytes, intervals and what stays in
memory, and of shapes and topologies, whose rates are given, the seconds too. What stages of streamed programs do is compared with the text SCHEDULES. DATA is
the folder of the examples' data sets.

After a change that is meant to change plans, GNNC_UPDATE_GOLDEN=1 in the environment writes the file anew, and the text.
"""
import difflib
import json
import os
import subprocess
import sys

golden_path, schedules_path, data = sys.argv[1:]
MACHINE = ["--machine", "disk=1GB/s,link=10Gbit/s,memory=20GB/s,arithmetic=200G/s"]
PLANS = {}
for name, memory, shape in (("gcn", "300MB", "vertex=1M,edge=10M,entries=40M,in=512,classes=8"),
                            ("gat", "2500MB", "vertex=1M,edge=10M,entries=40M,in=512,classes=8"),
                            ("rgcn", "700MB", "vertex=200K,edge=5M,relations=8,classes=4"),
                            ("molecules", "300MB", "Atom=2M,vertex.Molecule=100K,bond=5M,of=2M,atoms=4,bonds=2,classes=2")):
    common = [name, "--data-shape", shape, *MACHINE]
    PLANS[name + " shape"] = [*common, "--ranks", "1,2,8"]
    PLANS[name + " shape within memory"] = [*common, "--ranks", "1,4", "--memory", memory]
for name, folder, intervals, memory, least in (("gcn", "planted", 5, "500KB", "520KB"), ("gat", "planted", 4, "1600KB", "3020KB"),
                                               ("rgcn", "relational", 4, "1600KB", "1716KB"), ("molecules", "molecules", 4, "1400KB", "1062KB"),
                                               ("distmult", "knowledge", 3, None, None)):
    common = [name, "--data", os.path.join(data, folder), "--order", "given", "--threads", "1"]
    PLANS[name + " intervals"] = [*common, "--intervals", str(intervals)]
    if memory:
        PLANS[name + " within memory"] = [*common, "--memory", memory]
        PLANS[name + " in little memory"] = [*common, "--intervals", str(intervals), "--memory", least, "--schedule"]
    else:
        PLANS[name + " intervals"].append("--schedule")
for comm in ("ring", "chain", "replicated"):
    PLANS["gcn by GPUs " + comm] = ["gcn-dense", "--data", "uniform", "--device", "cuda:0-3", "--intervals", "8", "--device-memory", "264KB", "--comm", comm,
                                    "--topology", "two-switches.json", "--order", "given", "--threads", "1", *(["--schedule"] if comm == "ring" else [])]
# What clocks, this machine or the place of the data decide.
OTHERS = {"times", "scattered_rows", "data", "products", "because", "data_checksum"}


def pruned(value):
    if isinstance(value, dict):
        return {key: pruned(part) for key, part in value.items() if key not in OTHERS}
    if isinstance(value, list):
        return [pruned(part) for part in value]
    return float("%.9g" % value) if isinstance(value, float) else value


def plan(library, *arguments):
    done = subprocess.run(["gnn-train", "plan", library + ".so", *arguments, "--json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit("gnn-train plan %s %s: %s" % (library, " ".join(arguments), done.stderr))
    return pruned(json.loads(done.stdout))


def differences(name, was, now):
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            yield from differences("%s: %s" % (name, key), was.get(key), now.get(key))
    elif was != now:
        yield "%s is %s, but it was %s" % (name, json.dumps(now), json.dumps(was))


found = {name: plan(*arguments) for name, arguments in PLANS.items()}
schedules = "".join("%s\n%s\n\n" % (name, "\n".join(found[name].pop("schedule"))) for name in found if "schedule" in found[name])
if os.environ.get("GNNC_UPDATE_GOLDEN"):
    with open(golden_path, "w") as file:
        file.write("{\n" + ",\n".join("%s: %s" % (json.dumps(name), json.dumps(found[name], sort_keys=True)) for name in found) + "\n}\n")
    with open(schedules_path, "w") as file:
        file.write(schedules)
with open(golden_path) as file:
    golden = json.load(file)
with open(schedules_path) as file:
    recorded = file.read()
wrong = [*differences("plans", golden, found), *difflib.unified_diff(recorded.splitlines(), schedules.splitlines(), "recorded", "found", lineterm="")]
if wrong:
    sys.exit("\n".join(wrong) + "\nIf plans are meant to change: GNNC_UPDATE_GOLDEN=1 (docs/dev/testing.md)")
print("%d plans are as they were" % len(found))
