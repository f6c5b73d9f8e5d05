"""Times gnnc's kernels against DGL, PyTorch Geometric and the machine's bound. docs/performance.md has the method."""

import argparse
import json
import pathlib
import sys
import tempfile

from benchmark import cases, contest, graphs, machine, report
from benchmark.bound import Bound

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONTESTANTS = ["gnnc", "dgl", "pyg:csr", "pyg:default", "pyg:compile"]
CSR_LACKS = ["mlp_aggregation"]  # torch.sparse has no product that would serve


def parse_arguments():
    parser = argparse.ArgumentParser(prog="test/Benchmark/run", description=__doc__)
    parser.add_argument("cache", type=pathlib.Path, help="folder of generated graphs and of the peers' environments (test/Benchmark/environments)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where gnnc is built")
    parser.add_argument("--graphs", default="rand-100K-tenth", help="comma-separated, or all: " + ", ".join(graphs.GRAPHS))
    parser.add_argument("--kernels", default="all", help="comma-separated, or all: " + ", ".join(cases.KERNELS))
    parser.add_argument("--widths", default="32,64,128,256,512")
    parser.add_argument("--contestants", default="gnnc,dgl,pyg:csr", help="comma-separated, or all: " + ", ".join(CONTESTANTS))
    parser.add_argument("--threads", default=str(machine.describe()["cores"]), help="comma-separated numbers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="of a contestant's round, by calling it more than once")
    parser.add_argument("--gnnc-flags", default="", help="further flags for gnnc, separated by blanks")
    parser.add_argument("--no-bound", action="store_true", help="leave out the machine's bound")
    parser.add_argument("--json", type=pathlib.Path, help="write all numbers to this file")
    return parser.parse_args()


def chosen(text, known):
    names = list(known) if text == "all" else text.split(",")
    for name in names:
        if name not in known:
            sys.exit("benchmark: no %s among %s" % (name, ", ".join(known)))
    return names


def main():
    arguments = parse_arguments()
    threads = [int(number) for number in arguments.threads.split(",")]
    settings = {"build": str(arguments.build), "threads": max(threads), "gnnc_flags": arguments.gnnc_flags.split(),
                "memory_limit": int(0.75 * machine.memory_bytes()), "edge_bytes": int(0.15 * machine.memory_bytes())}
    contestants, absent = contest.start(chosen(arguments.contestants, CONTESTANTS), arguments.cache, settings)
    run = {"machine": machine.describe(), "commit": machine.commit(ROOT), "versions": {c.name: c.versions for c in contestants}, "absent": absent,
           "graphs": {}, "points": []}
    print(report.header(run))
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        bound = None if arguments.no_bound else Bound(scratch)
        for name in chosen(arguments.graphs, graphs.GRAPHS):
            measure_graph(arguments, run, contestants, bound, name, threads, scratch)
    for contestant in contestants:
        contestant.stop()
    print("\n" + report.summary(run["points"]))
    if arguments.json:
        arguments.json.write_text(json.dumps(run, indent=1) + "\n")


def measure_graph(arguments, run, contestants, bound, name, threads, scratch):
    folder = graphs.ensure(graphs.GRAPHS[name], arguments.cache, arguments.build / "bin")
    seconds, failures = contest.give_graph(contestants, folder)
    run["graphs"][name] = dict(graphs.describe(folder), prepare_seconds=seconds, failed=failures)
    print("\n" + report.graph_line(name, run["graphs"][name]))
    if bound:
        bound.graph(graphs.Edges(folder))
    for kernel_name in chosen(arguments.kernels, cases.KERNELS):
        for width in map(int, arguments.widths.split(",")):
            for count in threads:
                kernel = cases.Kernel(kernel_name, width)
                able = [c for c in contestants if c.name in seconds and not (c.name == "pyg:csr" and kernel_name in CSR_LACKS)]
                point = {"graph": name, "kernel": kernel_name, "width": width, "threads": count,
                         "flop": kernel.flop(run["graphs"][name]["edges"]),
                         "results": contest.time_kernel(able, kernel, count, arguments.rounds, arguments.seconds, scratch),
                         "bound": bound.of(kernel, count) if bound else None}
                run["points"].append(point)
                print(report.point_lines(point), flush=True)


if __name__ == "__main__":
    main()
