"""predicted.py FOLDER [COUNT [kernels]]: the seconds of gnn-train plan beside those of the clock of emulated devices, for twelve (model, topology, budget) or the first COUNT of them, in
the folder of gcn.so, sage.so, gat.so and the data set data. Budgets are times the least memory of a device that does. All rates are a hundredth of those in the files of
the folder, so that so small a graph is bound by them and not by latencies. With `kernels` links are as fast as in the files and the memory of devices two thousand times
slower, so that kernels bind. Prints a row of Markdown for each; ends with 1 where one is more than 15 % off."""
import json
import os
import re
import subprocess
import sys

from slow_links import slowed

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 12
INTERVALS, SLOWER = (8, dict(links=1, device=2000)) if "kernels" in sys.argv else (16, dict())
MACHINES = (("one-switch", 2), ("nv4", 4), ("two-switches", 8), ("four-switches", 8))
CASES = [(model, *machine, (1, 1.5, 3)[(i + j) % 3]) for j, machine in enumerate(MACHINES) for i, model in enumerate(("gcn", "sage", "gat"))]


def run(arguments, settings, check=True):
    done = subprocess.run(["gnn-train", *arguments], capture_output=True, text=True, env=dict(os.environ, GNN_FAKE_CUDA=settings))
    assert not check or done.returncode == 0, done.stderr
    return done


def ratio_of(model, name, count, times):
    file = slowed(name, **SLOWER)
    common = [model + ".so", "--data", "data", "--device", "cuda:0-%d" % (count - 1), "--intervals", str(INTERVALS), "--json", "--topology", file]
    refused = run(["plan", *common, "--device-memory", "64KB"], "no-device", check=False).stderr
    budget = "%dKB" % (times * int(re.search(r"the least that does is (\d+)KB", refused).group(1)))
    common += ["--device-memory", budget]
    links = json.loads(run(["plan", *common], "no-device").stdout)["links"]
    settings = "devices=%d,no-blas,topology=%s,clock-only" % (count, file)
    stream = json.loads(run(["train", *common, "--epochs", "1", "--no-run-dir"], settings).stdout.splitlines()[-1])["stream"]
    planned, clock = links["step"]["seconds"], stream["step_seconds"]
    print("| %s | %s, %d | %s | %s | %s | %.2f | %.2f | %.2f |"
          % (model, name, count, budget, links["chosen"], links["step"]["binds"], 1e3 * planned, 1e3 * clock, planned / clock), flush=True)
    return planned / clock


print("| model | topology, GPUs | `--device-memory` | way | binds | plan, ms | clock, ms | ratio |\n|---|---|---|---|---|---|---|---|")
ratios = [ratio_of(*case) for case in CASES[:COUNT]]
within = sum(0.85 <= ratio <= 1.15 for ratio in ratios)
print("%d of %d within 15 %%" % (within, len(ratios)))
sys.exit(within < len(ratios))
