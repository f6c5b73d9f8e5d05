"""Prints the summary of a run of test/Benchmark with made-up times, and the chart's lines that name points."""

import sys

sys.path.insert(0, sys.argv[1])

from benchmark import chart, report


def point(graph, threads, own, peers, bound=None):
    results = {name: {"seconds": seconds, "least": seconds, "most": seconds, "peak_bytes": 2e9, "form": "as it is"} for name, seconds in peers.items()}
    results["gnnc"] = {"seconds": own, "least": own, "most": own, "peak_bytes": 1e9, "form": ""}
    results["gnnc:as-is"] = {**results["gnnc"], "seconds": 2 * own, "least": 2 * own, "most": 2 * own}
    results["pyg:default"] = {"failed": "does not fit"}
    return {"graph": graph, "what": "gcn_aggregation", "width": 64, "threads": threads, "flop": 1e9, "results": results,
            "bound": bound and {"seconds": bound, "tile": 64, "partitions": 2}}


points = [point("rand-100K-tenth", 1, 0.040, {"dgl": 0.080, "pyg:csr": 0.160}, 0.030),
          point("rand-100K-tenth", 2, 0.020, {"dgl": 0.160, "pyg:csr": 0.400}, 0.018),
          point("uniform-tenth", 2, 0.016, {})]
print(report.point_lines(points[0]))
print(report.summary(points))
print(chart.svg({"points": points}))
