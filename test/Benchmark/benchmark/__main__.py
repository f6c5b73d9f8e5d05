"""Times gnnc's kernels and models against DGL, PyTorch Geometric and the machine's bound. docs/lab/2026-11-27-peers.md has the method."""

import argparse
import json
import pathlib
import sys
import tempfile

from benchmark import chart, contest, examples, graphs, machine, plan, report
from benchmark.bound import Bound

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="test/Benchmark/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="suites:\n" + plan.text())
    parser.add_argument("cache", type=pathlib.Path, help="folder of generated graphs and of the peers' environments (test/Benchmark/environments)")
    parser.add_argument("--suite", choices=[*plan.SUITES, plan.EXAMPLES], help="what to measure; without it, what the next options choose")
    parser.add_argument("--graphs", help="comma-separated (default: rand-100K-tenth, or all of the suite): %s; or data sets of --data" % ", ".join(graphs.GRAPHS))
    parser.add_argument("--kernels", default="", help="comma-separated: " + ", ".join(plan.KERNELS))
    parser.add_argument("--widths", default="64", help="of kernels, comma-separated")
    parser.add_argument("--models", default="", help="training and inference steps, comma-separated: " + ", ".join(plan.MODELS))
    parser.add_argument("--contestants", help="comma-separated (default: all that serve): " + ", ".join(plan.CONTESTANTS))
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=FLAGS",
                        help="gnnc with further flags as one more contestant, such as an optimisation off")
    parser.add_argument("--threads", default=str(machine.cores()), help="comma-separated numbers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="of a contestant's round, by calling it more than once")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where gnnc is built")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data", help="folder of real data sets")
    parser.add_argument("--no-bound", action="store_true", help="leave out the machine's bound")
    parser.add_argument("--json", type=pathlib.Path, help="write all numbers to this file")
    parser.add_argument("--svg", type=pathlib.Path, help="write a chart of the ratios to this file")
    return parser.parse_args()


def known(names, among):
    for name in names:
        if name not in among:
            sys.exit("benchmark: no %s among %s" % (name, ", ".join(among)))
    return names


def words(text):
    return [word for word in text.split(",") if word]


def median_bound(bounds):
    ordered = sorted((bound for bound in bounds if bound), key=lambda bound: bound["seconds"])
    return ordered[len(ordered) // 2] if ordered else None


def cases_of(arguments):
    if arguments.suite:
        return [case for case in plan.SUITES[arguments.suite] if not arguments.graphs or case.graph in words(arguments.graphs)]
    return plan.product(words(arguments.graphs or "rand-100K-tenth"), known(words(arguments.kernels), plan.KERNELS), [int(width) for width in words(arguments.widths)],
                        known(words(arguments.models), plan.MODELS))


class Run:
    def __init__(self, arguments, scratch):
        self.arguments, self.scratch = arguments, scratch
        self.threads = [int(number) for number in words(arguments.threads)]
        variants = dict(plan.VARIANTS.get(arguments.suite, {}), **dict(variant.split("=", 1) for variant in arguments.variant))
        settings = {"build": str(arguments.build), "threads": max(self.threads),
                    "variants": {name: flags.split() for name, flags in variants.items()},
                    "memory_limit": int(0.75 * machine.memory_bytes()), "edge_bytes": int(0.05 * machine.memory_bytes())}
        names = known(words(arguments.contestants), plan.CONTESTANTS) if arguments.contestants else plan.CONTESTANTS
        if arguments.suite in plan.VARIANTS:
            names = ["gnnc"]
        own = [name for name in names if name.startswith("gnnc")]
        names = own + ["gnnc:" + name for name in variants] + [name for name in names if name not in own]
        self.contestants, absent = contest.start(names, arguments.cache, settings)
        self.bound = None if arguments.no_bound else Bound(scratch)
        self.numbers = {"machine": machine.describe(), "commit": machine.commit(ROOT), "absent": absent,
                        "versions": {c.name: c.versions for c in self.contestants}, "graphs": {}, "points": []}
        print(report.header(self.numbers))

    def graph(self, name, cases):
        if name in graphs.GRAPHS:
            folder = graphs.ensure(graphs.GRAPHS[name], self.arguments.cache, self.arguments.build / "bin")
        elif (self.arguments.data / name).is_dir():
            folder = graphs.adopt(self.arguments.data / name, self.arguments.cache)
        else:
            print("\n%s: not at hand (--data)" % name)
            return
        seconds, failures = contest.give_graph(self.contestants, folder)
        self.numbers["graphs"][name] = dict(graphs.describe(folder), seconds=seconds, failed=failures)
        print("\n" + report.graph_lines(name, self.numbers["graphs"][name]))
        if self.bound:
            self.bound.graph(graphs.Edges(folder))
        for case in cases:
            for count in self.threads:
                able = [c for c in self.contestants if c.name in seconds and plan.serves(c.name, case, self.arguments.suite)]
                self.point(case, count, able)

    def point(self, case, threads, contestants):
        bounds = []
        results = contest.time_case(contestants, case.request(threads), self.arguments.rounds, self.arguments.seconds, self.scratch, case.tolerance,
                                    lambda: bounds.append(self.bound.of(case, threads) if self.bound else None))
        point = dict(case.labels(), threads=threads, flop=case.flop(self.numbers["graphs"][case.graph]), results=results, bound=median_bound(bounds))
        self.numbers["points"].append(point)
        print(report.point_lines(point), flush=True)

    def finish(self):
        for contestant in self.contestants:
            contestant.stop()
        print("\n" + report.summary(self.numbers["points"]))
        if self.arguments.json:
            self.arguments.json.write_text(json.dumps(self.numbers, indent=1) + "\n")
        if self.arguments.svg:
            self.arguments.svg.write_text(chart.svg(self.numbers))


def main():
    arguments = parse_arguments()
    if arguments.suite == plan.EXAMPLES:
        results = examples.run(ROOT, arguments.build, arguments.data, epochs=20)
        if arguments.json:
            arguments.json.write_text(json.dumps(results, indent=1) + "\n")
        return
    cases = cases_of(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(arguments, pathlib.Path(folder))
        for name in dict.fromkeys(case.graph for case in cases):
            run.graph(name, [case for case in cases if case.graph == name])
        run.finish()


if __name__ == "__main__":
    main()
