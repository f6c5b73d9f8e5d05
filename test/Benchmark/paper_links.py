#!/usr/bin/env python3
"""How a step of a GCN scales over the GPUs of a machine, beside what papers have published: NGra, section 6.3, and NeuGraph, section 5 and figure 17.

There is no GPU in this. The emulated driver has the links of the machine of both papers (8 P100 below four switches, two of which share a bridge), prices kernels and does
not run them (GNN_FAKE_CUDA=...,clock-only), and its clock says how long a step takes. Graphs are random ones with the degrees and features of the papers' graphs. They
have 1 / --scale of the vertices and edges, and all rates are as much lower, so that seconds are those of the papers' sizes.

The papers say neither how fast their kernels are nor how wide hidden rows. So there is one unknown, a factor by which kernels take longer than the P100's memory and
arithmetic would. For each paper it is fitted on one published number, by the clock, and the others are predicted. The table is Markdown, and has beside the clock what
gnn-train plan says.

    python3 test/Benchmark/paper_links.py build/release --scale 4000
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile

INTERVALS = 8
HIDDEN = 64
LINK, MEMORY, ARITHMETIC = 16.0, 732.0, 10.6  # GB/s of x16 and of the P100's memory, T operations/s of it
GRAPHS = {"reddit-full": (2.2e6, 571e6, 300, 50), "enwiki": (3.2e6, 222.1e6, 300, 12)}  # NGra, table 1: vertices, edges, features, classes
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def topology(folder, scale, slower):
    """The file of the machine, where kernels take `slower` times as long."""
    links = []
    for bridge in range(2):
        links.append({"from": "host", "to": "bridge%d" % bridge, "GB/s": 2 * LINK / scale, "us": 1})
        for switch in range(2 * bridge, 2 * bridge + 2):
            links.append({"from": "bridge%d" % bridge, "to": "switch%d" % switch, "GB/s": LINK / scale, "us": 1})
            for device in range(2 * switch, 2 * switch + 2):
                links.append({"from": "switch%d" % switch, "to": "cuda:%d" % device, "GB/s": LINK / scale, "us": 1})
    kind = {"GB": 16, "GB/s": MEMORY / scale / slower, "Tops/s": ARITHMETIC / scale / slower, "launch_us": 4, "arch": 100, "multiprocessors": 2}
    path = folder / "machine.json"
    path.write_text(json.dumps({"device": kind, "links": links}))
    return path


class Runs:
    """Seconds of a step, as planned and by the clock, each asked for once."""

    def __init__(self, build, folder, scale, graphs):
        self.build, self.folder, self.scale, self.known = build, folder, scale, {}
        self.tool("gnnc", "-q", "--target=host,sm_80", "-D", "hidden=%d" % HIDDEN, str(ROOT / "examples/gcn/gcn_dense.gnn"), "-o", "gcn.so")
        self.least = {}
        for name in graphs:
            vertices, edges, features, classes = GRAPHS[name]
            self.tool("gnn-data", "generate", "uniform", name, "--vertices", str(round(vertices / scale)), "--edges", str(round(edges / scale)),
                      "--features", str(features), "--classes", str(classes))
            plan = self.tool("gnn-train", "plan", "gcn.so", "--data", name, "--device", "cuda", "--intervals", str(INTERVALS), "--device-memory", "100KB",
                             "--topology", str(topology(folder, scale, 1)), check=False)
            self.least[name] = plan.stderr.split("the least that does is ")[1].split()[0]

    def tool(self, name, *arguments, settings="", check=True):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.build / "test/fake-cuda"), "GNN_FAKE_CUDA": settings}
        done = subprocess.run([str(self.build / "bin" / name), *arguments], cwd=self.folder, capture_output=True, text=True, env=environment)
        if check and done.returncode:
            raise SystemExit(done.stderr)
        return done

    def seconds(self, graph, devices, comm, slower, selective, by_clock):
        asked = (graph, devices, comm, slower, selective, by_clock)
        if asked in self.known:
            return self.known[asked]
        machine = topology(self.folder, self.scale, slower)
        how = ["--device", "cuda:0-%d" % (devices - 1), "--comm", comm] if devices > 1 else ["--device", "cuda:0"]
        common = ["gcn.so", "--data", graph, *how, *([] if selective else ["--whole-intervals"]), "--intervals", str(INTERVALS), "--device-memory", self.least[graph],
                  "--topology", str(machine), "--json"]
        if by_clock:
            done = self.tool("gnn-train", *common, "--epochs", "1", "--no-run-dir", settings="devices=%d,topology=%s,clock-only" % (devices, machine))
            self.known[asked] = json.loads(done.stdout.splitlines()[-1])["stream"]["step_seconds"]
        else:
            self.known[asked] = json.loads(self.tool("gnn-train", "plan", *common).stdout)["links"]["step"]["seconds"]
        return self.known[asked]

    def speedup(self, devices, comm, slower, selective, by_clock=False):
        """Over one GPU, the mean over the graphs."""
        return sum(self.seconds(graph, 1, None, slower, selective, by_clock) / self.seconds(graph, devices, comm, slower, selective, by_clock) for graph in self.least) / len(self.least)


def fitted(speedup, published, least=0.25, most=64, steps=6):
    """How much slower kernels are for two GPUs to be so much faster than one: the slower kernels are, the better it scales."""
    for _ in range(steps):
        middle = math.sqrt(least * most)
        if speedup(middle) < published:
            least = middle
        else:
            most = middle
    return math.sqrt(least * most)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the folder of a build")
    parser.add_argument("--scale", type=float, default=4000, help="how many times smaller the graphs are (default: 4000)")
    parser.add_argument("--graphs", nargs="+", choices=[*GRAPHS], default=[*GRAPHS], help="those whose mean is taken (default: all)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments.build.resolve(), pathlib.Path(folder), arguments.scale, arguments.graphs)
        print("| paper | way | GPUs | published | plan | clock |\n|---|---|---|---|---|---|")
        for paper, relay, selective, fit, published in (
            ("NGra", "ring", False, ("replicated", 1.06), {("ring", 2): "1.93", ("ring", 8): "7.09, with memory of each socket"}),
            ("NeuGraph", "chain", True, ("chain", 5.5 / 3.8), {("replicated", 2): "below 1", ("chain", 8): "nearly linear"}),
        ):
            slower = fitted(lambda factor: runs.speedup(2, fit[0], factor, selective, by_clock=True), fit[1])
            for comm in ("replicated", relay):
                for devices in (2, 4, 8):
                    said = "%.2f (fitted)" % fit[1] if (comm, devices) == (fit[0], 2) else published.get((comm, devices), "")
                    ours = [runs.speedup(devices, comm, slower, selective, by_clock) for by_clock in (False, True)]
                    print("| %s | %s | %d | %s | %.2f | %.2f |" % (paper, comm, devices, said, *ours), flush=True)
            print("kernels %.1f times slower than the P100's rates" % slower)


if __name__ == "__main__":
    main()
