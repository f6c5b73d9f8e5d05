"""The turns and the report of test/Benchmark/run-gpu with contestants that are none."""

import sys

sys.path.insert(0, sys.argv[1])

from gpu import contest, plan, report


class Contestant:
    draws_its_own = False

    def __init__(self, seconds, numbers=(3, 4), note=""):
        self.time, self.numbers, self.note = seconds, numbers, note

    def check(self):
        return self.numbers

    def seconds(self):
        return self.time

    def bytes(self):
        return 2_000_000_000

    def close(self):
        pass


def failing():
    raise MemoryError("29 GB are needed\nand more")


def point(graph, width, own, cusparse, pyg):
    makers = {plan.GNNC: lambda: Contestant(own), plan.CUSPARSE: lambda: Contestant(cusparse, note="algorithm CSR 2"), plan.PYG: lambda: Contestant(pyg),
              plan.COMPILED: failing}
    return {"title": "sum width=%d on %s" % (width, graph), "what": "sum", "graph": graph, "sizes": (("width", width),), "bound": own / 2,
            "results": contest.time_case(makers, [3, 4], 1e-5, rounds=2)}


print(report.point_lines(point("rmat", 16, 1e-3, 2e-3, 8e-3)))
points = [point("rmat", 16, 1e-3, 2e-3, 8e-3), point("uniform", 16, 5e-4, 4e-4, 8e-3)]
wrong = contest.time_case({"a": lambda: Contestant(1e-3, (3, 4.1)), "b": lambda: Contestant(1e-3, (3,)), "c": lambda: Contestant(1e-3, (3, float("nan")))},
                          [3, 4], 1e-5, rounds=1)
print("\n".join("%s %s" % (name, result.get("failed")) for name, result in wrong.items()))
print(report.goal_lines(report.goals(points)))
print(*sorted({case.suite for case in plan.cases(plan.SUITES)}), len(plan.cases(plan.SUITES)), len(plan.cases(["step"])))
