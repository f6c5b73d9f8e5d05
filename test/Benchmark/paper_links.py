#!/usr/bin/env python3
"""How a step of a GCN scales over the GPUs of a machine, beside what papers have published: NGra, section 6.3, and NeuGraph, section 5 with figure 17.

There is no GPU in this. The emulated driver has the links of the machine of both papers (8 P100 below four switches, two of which share a bridge), prices kernels and does
not run them (GNN_FAKE_CUDA=...,clock-only), and its clock says how long a step takes. Sums over edges come before products, as in NGra, figure 10. Graphs are random ones.
They have 1 / --scale of the vertices of the papers' graphs, and a quarter of their degrees and features: so rates of links are 4 * scale times lower, and those of kernels
16 * scale times.

The papers say neither how fast their kernels are nor how wide hidden rows. So there is one unknown, a factor by which kernels take longer than the P100's memory and
arithmetic would. For each paper it is fitted on one published number, for the clock and for the plan (gnn-train plan) by itself, and the others are predicted. The table is
Markdown.

    python3 test/Benchmark/paper_links.py build/release
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import tempfile

NARROWER = 4  # features, hidden rows and degrees
FEATURES, HIDDEN = 300, 64
LINK, MEMORY, ARITHMETIC = 16.0, 732.0, 10.6  # GB/s of x16 and of the P100's memory, T operations/s of it
GRAPHS = {"reddit-full": (2.2e6, 571e6, 50), "enwiki": (3.2e6, 222.1e6, 12)}  # NGra, table 1: vertices, edges, classes
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def write_machine(path, scale, slower):
    """The file of the topology, where kernels take `slower` times as long."""
    link = LINK / scale / NARROWER
    kernels = 1 / scale / NARROWER**2 / slower
    links = []
    for bridge in range(2):
        links.append({"from": "host", "to": "bridge%d" % bridge, "GB/s": 2 * link, "us": 1})
        for switch in range(2 * bridge, 2 * bridge + 2):
            links.append({"from": "bridge%d" % bridge, "to": "switch%d" % switch, "GB/s": link, "us": 1})
            for device in range(2 * switch, 2 * switch + 2):
                links.append({"from": "switch%d" % switch, "to": "cuda:%d" % device, "GB/s": link, "us": 1})
    kind = {"GB": 16, "GB/s": MEMORY * kernels, "Tops/s": ARITHMETIC * kernels, "launch_us": 4, "arch": 80, "multiprocessors": 56}
    path.write_text(json.dumps({"device": kind, "links": links}))


class Runs:
    """Seconds of a step, as planned and by the clock, each asked for once."""

    def __init__(self, build, folder, scale, intervals, jobs):
        self.build, self.folder, self.scale, self.intervals, self.known = build, folder, scale, intervals, {}
        self.jobs = concurrent.futures.ThreadPoolExecutor(jobs)
        model = ROOT / "examples/gcn/gcn_dense.gnn"
        self.tool("gnnc", "-q", "--target=host,sm_80", "--products=last", "-D", "hidden=%d" % (HIDDEN // NARROWER), str(model), "-o", "gcn.so")
        self.least = {}
        for name, (vertices, edges, classes) in GRAPHS.items():
            self.tool("gnn-data", "generate", "uniform", name, "--vertices", str(round(vertices / scale)), "--edges", str(round(edges / scale / NARROWER)),
                      "--features", str(FEATURES // NARROWER), "--classes", str(max(classes // NARROWER, 2)))
            plan = self.tool("gnn-train", "plan", "gcn.so", "--data", name, "--device", "cuda", "--intervals", str(intervals), "--device-memory", "128KB",
                             "--topology", str(self.machine(1)), check=False)
            self.least[name] = plan.stderr.split("the least that does is ")[1].split()[0]

    def tool(self, name, *arguments, settings="no-device", check=True):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.build / "test/fake-cuda"), "GNN_FAKE_CUDA": settings}
        done = subprocess.run([str(self.build / "bin" / name), *arguments], cwd=self.folder, capture_output=True, text=True, env=environment)
        if check and done.returncode:
            raise SystemExit(done.stderr)
        return done

    def machine(self, slower):
        path = self.folder / ("%.6f.json" % slower)
        if not path.exists():
            write_machine(path, self.scale, slower)
        return path

    def arguments(self, graph, devices, comm, slower, selective):
        how = ["--device", "cuda:0-%d" % (devices - 1), "--comm", comm] if devices > 1 else ["--device", "cuda:0"]
        rows = [] if selective else ["--whole-intervals"]
        return ["gcn.so", "--data", graph, *how, *rows, "--intervals", str(self.intervals), "--device-memory", self.least[graph], "--topology", str(self.machine(slower)),
                "--json"]

    def planned(self, graph, devices, comm, slower, selective):
        return json.loads(self.tool("gnn-train", "plan", *self.arguments(graph, devices, comm, slower, selective)).stdout)["links"]["step"]["seconds"]

    def clocked(self, graph, devices, comm, slower, selective):
        settings = "no-blas,devices=%d,topology=%s,clock-only" % (devices, self.machine(slower))
        done = self.tool("gnn-train", *self.arguments(graph, devices, comm, slower, selective), "--epochs", "1", "--no-run-dir", settings=settings)
        return json.loads(done.stdout.splitlines()[-1])["stream"]["step_seconds"]

    def seconds(self, way, *asked):
        if (way, *asked) not in self.known:
            self.known[(way, *asked)] = getattr(self, way)(*asked)
        return self.known[(way, *asked)]

    def speedup(self, way, devices, comm, slower, selective):
        """Over one GPU, the mean over the graphs."""
        seconds = lambda graph, *how: self.jobs.submit(self.seconds, way, graph, *how, slower, selective)
        pairs = [(seconds(graph, 1, None), seconds(graph, devices, comm)) for graph in GRAPHS]
        return sum(one.result() / several.result() for one, several in pairs) / len(pairs)


def fitted(speedup, published, least=1 / 64, most=256, steps=10):
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
    parser.add_argument("--scale", type=float, default=4400, help="how many times fewer vertices the graphs have (default: 4400)")
    parser.add_argument("--intervals", type=int, default=16, help="of vertices (default: 16)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default: 2)")
    parser.add_argument("--papers", nargs="+", choices=["NGra", "NeuGraph"], default=["NGra", "NeuGraph"], help="(default: both)")
    parser.add_argument("--plan-alone", action="store_true", help="without the clock")
    arguments = parser.parse_args()
    ways = ["planned"] if arguments.plan_alone else ["planned", "clocked"]
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments.build.resolve(), pathlib.Path(folder), arguments.scale, arguments.intervals, arguments.jobs)
        print("| paper | way | GPUs | published |%s\n|---|---|---|---|%s" % ("".join(" %s |" % way for way in ways), "---|" * len(ways)))
        for paper, relay, selective, fit, published in (
            ("NGra", "ring", False, ("replicated", 1.06), {("ring", 2): "1.93", ("ring", 8): "7.09"}),
            ("NeuGraph", "chain", True, ("chain", 5.5 / 3.8), {("replicated", 2): "below 1", ("chain", 8): "nearly linear"}),
        ):
            if paper not in arguments.papers:
                continue
            slower = {way: fitted(lambda factor: runs.speedup(way, 2, fit[0], factor, selective), fit[1]) for way in ways}
            for comm in ("replicated", relay):
                for devices in (2, 4, 8):
                    said = "%.2f, fitted" % fit[1] if (comm, devices) == (fit[0], 2) else published.get((comm, devices), "")
                    ours = "".join(" %.2f |" % runs.speedup(way, devices, comm, slower[way], selective) for way in ways)
                    print("| %s | %s | %d | %s |%s" % (paper, comm, devices, said, ours))
            print(*("%s: kernels take %.2f times what the rates of the P100 say for the %s" % (paper, slower[way], way) for way in ways), sep="\n", flush=True)


if __name__ == "__main__":
    main()
