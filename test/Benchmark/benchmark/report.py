"""The report: a table for people, the same numbers as JSON."""

import math


def best_peer(point):
    peers = {name: result["seconds"] for name, result in point["results"].items() if name != "gnnc" and "seconds" in result}
    return min(peers, key=peers.get) if peers else None


def ratio(point):
    """How many times faster gnnc is than the best peer."""
    best, own = best_peer(point), point["results"].get("gnnc", {})
    return point["results"][best]["seconds"] / own["seconds"] if best and "seconds" in own else None


def share(point):
    """The part of the bound that gnnc reaches."""
    own = point["results"].get("gnnc", {})
    return point["bound"]["seconds"] / own["seconds"] if point.get("bound") and "seconds" in own else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def milliseconds(seconds):
    return "%.3g" % (1e3 * seconds) if seconds < 1 else "%.0f" % (1e3 * seconds)


def header(run):
    machine = run["machine"]
    lines = ["%s, %d cores%s, %s, caches %s, memory %s; load %.1f" % (
        machine["cpu"], machine["cores"], " (virtual)" if machine["virtual"] else "", machine["vectors"],
        " ".join("%s %s" % item for item in machine["caches"].items()), machine["memory"], machine["load_before"])]
    lines += ["gnnc %s; %s" % (run["commit"], "; ".join("%s: %s" % (name, " ".join("%s %s" % item for item in versions.items()))
                                                         for name, versions in run["versions"].items()))]
    lines += ["%s %s" % (name, why) for name, why in run["absent"].items()]
    return "\n".join(lines)


def graph_line(name, graph):
    text = "%s: %d vertices, %d edges, mean degree %.0f, largest %d; prepared in " % (
        name, graph["vertices"], graph["edges"], graph["mean_degree"], graph["largest_degree"])
    return text + ", ".join("%s %.1f s" % item for item in graph["prepare_seconds"].items())


def point_lines(point):
    """A line for each contestant at one point."""
    title = "%s %s %d, %d thread%s" % (point["graph"], point["kernel"], point["width"], point["threads"], "s" if point["threads"] > 1 else "")
    lines = []
    best = best_peer(point)
    for name, result in point["results"].items():
        if "failed" in result:
            lines.append("  %-12s %s" % (name, result["failed"]))
            continue
        notes = []
        if name == "gnnc":
            if ratio(point):
                notes.append("%.2fx %s" % (ratio(point), best))
            if share(point):
                notes.append("%.0f %% of the bound (%s ms, tile %d, %d partitions)" % (
                    100 * share(point), milliseconds(point["bound"]["seconds"]), point["bound"]["tile"], point["bound"]["partitions"]))
        notes.append(result["form"])
        lines.append("  %-12s %8s ms (%s to %s) %7.1f GFLOP/s  %s" % (
            name, milliseconds(result["seconds"]), milliseconds(result["least"]), milliseconds(result["most"]),
            point["flop"] / result["seconds"] / 1e9, "; ".join(notes)))
    return "\n".join([title] + lines)


def summary(points):
    """Geometric means of each kernel's ratios and the least of them."""
    lines = []
    for kernel in dict.fromkeys(point["kernel"] for point in points):
        ratios = [ratio(point) for point in points if point["kernel"] == kernel and ratio(point)]
        shares = [share(point) for point in points if point["kernel"] == kernel and share(point)]
        if ratios:
            lines.append("%s: %.2fx the best peer (geometric mean of %d), least %.2fx" % (kernel, geometric_mean(ratios), len(ratios), min(ratios)))
        if shares:
            lines.append("%s: %.0f %% of the bound (geometric mean), least %.0f %%" % (kernel, 100 * geometric_mean(shares), 100 * min(shares)))
    return "\n".join(lines)
