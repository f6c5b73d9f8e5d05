"""Times gnnc on an NVIDIA GPU against PyTorch Geometric and cuSPARSE, checks what all compute, and says which goals are reached. docs/lab/2026-11-25-nvidia-gpus.md has
the method. Exits with 1 if gnnc computes something else than the reference, with 3 if it cannot run on the GPU."""

import argparse
import importlib.util
import json
import pathlib
import sys

from gpu import contest, plan, report

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="test/Benchmark/run-gpu", description=__doc__)
    parser.add_argument("cache", type=pathlib.Path, help="folder of generated graphs and compiled models")
    parser.add_argument("--suites", default=",".join(plan.SUITES), help="comma-separated: " + ", ".join(plan.SUITES))
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tiny", action="store_true", help="sizes at which the benchmark itself can be tried, also over test/Device's driver")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where gnnc is built")
    parser.add_argument("--json", type=pathlib.Path, help="write all numbers to this file, anew after each case")
    return parser.parse_args()


class Peers:
    """torch and what needs it; without it, or without its GPU, gnnc runs alone and the report says so."""

    def __init__(self):
        self.clock = self.missing = self.used_bytes = None
        self.versions, self.bandwidth = {}, None
        try:
            import torch
            import torch_geometric

            from gpu import pyg
            if not torch.cuda.is_available():
                raise contest.Absent("torch finds no GPU")
        except (ImportError, contest.Absent) as failure:
            self.missing = "PyTorch Geometric and cuSPARSE are left out: %s" % failure
            return
        self.versions = {"torch": torch.__version__, "torch_geometric": torch_geometric.__version__, "cuda": torch.version.cuda,
                         "gpu": torch.cuda.get_device_name()}
        self.clock, self.used_bytes = pyg.Clock(), pyg.used_bytes
        self.bandwidth = measured_bandwidth(torch, self.clock)

    def makers(self, problem):
        if self.missing:
            return {}
        from gpu import cusparse, pyg
        makers = {plan.PYG: lambda: pyg.Pyg(problem, self.clock, compiled=False), plan.COMPILED: lambda: pyg.Pyg(problem, self.clock, compiled=True)}
        return dict({plan.CUSPARSE: lambda: cusparse.CuSparse(problem, self.clock)} if problem.case.what == "sum" else {}, **makers)


def measured_bandwidth(torch, clock):
    """Bytes a second of a large copy on the GPU, read and written."""
    source = torch.rand(1 << 30, device=clock.device)
    target = torch.empty_like(source)
    return 2 * 4 * len(source) / min(clock.seconds(lambda: target.copy_(source)) for _ in range(10))


def run_case(case, arguments, peers):
    from gpu.problems import Ours, Problem
    problem = Problem(case, arguments.cache, arguments.build)
    makers = {plan.GNNC: lambda: Ours(problem, arguments.device, peers.used_bytes)}
    results = contest.time_case(dict(makers, **peers.makers(problem)), problem.reference(), case.tolerance, arguments.rounds)
    least = case.compulsory_bytes()
    return {"title": case.title, "what": case.what, "graph": case.graph.name, "sizes": case.sizes, "results": results,
            "bound": least / peers.bandwidth if least and peers.bandwidth else None}


def write(file, peers, points):
    """All numbers so far; whoever ends the run in between has the whole file of the case before."""
    whole = {"versions": peers.versions, "missing": peers.missing, "bandwidth": peers.bandwidth, "points": points,
             "goals": [dict(vars(goal), reached=goal.reached) for goal in report.goals(points)]}
    partial = file.with_name(file.name + ".partial")
    partial.write_text(json.dumps(whole, indent=1) + "\n")
    partial.replace(file)


def main():
    arguments = parse_arguments()
    unknown = set(arguments.suites.split(",")) - set(plan.SUITES)
    if unknown:
        sys.exit("run-gpu: no suite is called %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(plan.SUITES)))
    if not importlib.util.find_spec("numpy"):
        print("run-gpu: %s has no numpy: PYTHON names another interpreter" % sys.executable, file=sys.stderr)
        sys.exit(3)
    peers = Peers()
    print(peers.missing or "; ".join("%s %s" % item for item in peers.versions.items()))
    if peers.bandwidth:
        print("a copy on the GPU moves %.2f TB/s" % (peers.bandwidth / 1e12))
    points = []
    for case in plan.cases(arguments.suites.split(","), arguments.tiny, fitting=not arguments.tiny):
        points.append(run_case(case, arguments, peers))
        print(report.point_lines(points[-1]), flush=True)
        if arguments.json:
            write(arguments.json, peers, points)
    print(report.goal_lines(report.goals(points)) or "no goal has all of its points")
    failures = [point["results"][plan.GNNC]["failed"] for point in points if "failed" in point["results"][plan.GNNC]]
    if failures:
        print("gnnc failed: " + failures[0], file=sys.stderr)
        sys.exit(1 if any("other numbers" in failure for failure in failures) else 3)


if __name__ == "__main__":
    main()
