"""What the numbers say: ratios, shares of the bound, goals."""

import math
import statistics

from gpu.plan import CUSPARSE, GNNC, Goal


def seconds(point, name):
    return point["results"].get(name, {}).get("seconds")


def ratio(point, name):
    """How many times faster gnnc is."""
    own, other = seconds(point, GNNC), seconds(point, name)
    return other / own if own and other else None


def best_peer(point):
    """The fastest of PyTorch Geometric's forms."""
    forms = [name for name in point["results"] if name.startswith("pyg") and seconds(point, name)]
    return min(forms, key=lambda name: seconds(point, name), default=None)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def point_lines(point):
    lines = [point["title"]]
    for name, result in point["results"].items():
        if "failed" in result:
            lines.append("  %-12s %s" % (name, result["failed"]))
            continue
        line = "  %-12s %9.1f us (%.1f to %.1f, %d samples)" % (name, *(1e6 * result[key] for key in ("seconds", "least", "most")), len(result["samples"]))
        line += "  differs by %.0e" % result["difference"]
        line += "  %.2f GB" % (result["bytes"] / 1e9) if result["bytes"] is not None else ""
        if name != GNNC and ratio(point, name):
            line += "  gnnc: %.2fx" % ratio(point, name)
        if name == GNNC and point.get("bound"):
            line += "  %.0f %% of the bound" % (100 * point["bound"] / result["seconds"])
        lines.append(line + ("  " + result["note"] if result["note"] else ""))
    return "\n".join(lines)


def goals(points):
    """Those that the points say something of."""
    found = []

    def goal(text, value, bound, at_least=True):
        found.append(Goal(text, value, bound, at_least))

    sums = [point for point in points if point["what"] == "sum" and seconds(point, GNNC)]
    ratios = [ratio(point, CUSPARSE) for point in sums if ratio(point, CUSPARSE)]
    if ratios:
        goal("sums against cuSPARSE, geometric mean", geometric_mean(ratios), 1.0)
        goal("sums against cuSPARSE, least", min(ratios), 0.9)
    bounds = [seconds(point, GNNC) / point["bound"] for point in sums if point.get("bound")]
    if bounds:
        goal("sums over the compulsory-traffic bound, most", max(bounds), 1.25, at_least=False)
    even = {point["sizes"]: seconds(point, GNNC) for point in sums if point["graph"] == "uniform"}
    skews = [seconds(point, GNNC) / even[point["sizes"]] for point in sums if point["graph"] == "rmat" and point["sizes"] in even]
    if skews:
        goal("skewed over even graphs, most", max(skews), 1.2, at_least=False)
    for what, text in (("gat", "attention layer"), ("rgcn", "relational layers")):
        peers = [ratio(point, best_peer(point)) for point in points if point["what"] == what and best_peer(point) and seconds(point, GNNC)]
        if peers:
            goal(text + " against PyTorch Geometric, least", min(peers), 5.0)
    for point in points:
        if point["what"] == "gcn" and seconds(point, GNNC):
            goal("training step of a GCN on Cora's size, us", 1e6 * seconds(point, GNNC), 150.0, at_least=False)
    return found


def goal_lines(found):
    return "\n".join("%-8s %s: %.3g (goal: at %s %g)" % ("reached" if goal.reached else "MISSED", goal.text, goal.value,
                                                          "least" if goal.at_least else "most", goal.bound) for goal in found)
