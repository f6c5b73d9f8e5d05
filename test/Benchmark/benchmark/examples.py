"""The examples as a user gets them: `gnnc model.gnn` and `gnn-train model.so --data DATA`, no other option that decides how fast they are."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

SMALL = "examples/data/"  # others are of --data
EXAMPLES = [("gcn/gcn", "cora"), ("gcn/gcn", "amazon_photo"), ("gat/gat", "cora"), ("sage/sage", "cora"), ("sage/sage_gcn", "cora"), ("appnp/appnp", "cora"),
            ("rgcn/rgcn", "aifb"), ("rgcn/rgcn", SMALL + "relational"), ("molecules/molecules", SMALL + "molecules"), ("distmult/distmult", "fb15k237"),
            ("distmult/complex", "fb15k237"), ("distmult/compgcn", SMALL + "knowledge")]


def measure(root, build, data, example, name, epochs):
    """{"compile_s", "step_ms", "epoch_ms", "peak_bytes": of the process, never less than Python's own 30 MB} or {"failed": why}."""
    folder = root / name if name.startswith(SMALL) else data / name
    if not folder.is_dir():
        return {"failed": "not at hand (--data)"}
    with tempfile.TemporaryDirectory() as scratch:
        library = pathlib.Path(scratch) / "model.so"
        start = time.perf_counter()
        subprocess.run([str(build / "bin/gnnc"), "-q", str(root / "examples" / (example + ".gnn")), "-o", str(library)], check=True)
        compiled = time.perf_counter() - start
        links = ["--no-ranking"] if example.startswith("distmult/") else []  # of what is no training
        run = subprocess.Popen([str(build / "bin/gnn-train"), str(library), "--data", str(folder), "--epochs", str(epochs), "--json", "--no-run-dir", *links],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        return {"failed": "gnn-train ends with %d" % run.returncode}
    result = json.loads(output)
    return {"compile_s": compiled, "step_ms": result["step_ms_median"], "epoch_ms": result["epoch_ms_median"], "peak_bytes": usage.ru_maxrss * 1024}


def run(root, build, data, epochs):
    """Prints a line for each example and returns their numbers."""
    print("%-22s %-14s %10s %10s %10s %9s" % ("example, as it is", "data", "compile, s", "step, ms", "epoch, ms", "peak, MB"))
    results = []
    for example, name in EXAMPLES:
        result = measure(root, build, data, example, name, epochs)
        results.append(dict(result, example=example, data=name))
        print("%-22s %-14s " % (example, name.split("/")[-1]) + (result.get("failed") or "%10.2f %10.3g %10.3g %9.0f" % (
            result["compile_s"], result["step_ms"], result["epoch_ms"], result["peak_bytes"] / 1e6)), flush=True)
    return results
