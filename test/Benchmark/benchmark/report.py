"""The report: a table for people, the same numbers as JSON."""

import itertools
import math

OWN = ["gnnc:as-is", "gnnc"]  # as a user gets it, first


def best_peer(point):
    peers = {name: result["seconds"] for name, result in point["results"].items() if not name.startswith("gnnc") and "seconds" in result}
    return min(peers, key=peers.get) if peers else None


def ratio(point, name="gnnc"):
    """How many times faster gnnc, or another form of it, is than the best peer."""
    best, own = best_peer(point), point["results"].get(name, {})
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


def graph_lines(name, graph):
    lines = ["%s: %d vertices, %d edges, mean degree %.0f, largest %d" % (
        name, graph["vertices"], graph["edges"], graph["mean_degree"], graph["largest_degree"])]
    lines += ["  %-12s loads in %.2f s, prepares in %.2f s" % (contestant, seconds["load"], seconds["prepare"])
              for contestant, seconds in graph["seconds"].items()]
    lines += ["  %-12s %s" % item for item in graph["failed"].items()]
    return "\n".join(lines)


def title(point):
    return "%s %s %d, %d thread%s" % (point["graph"], point["what"], point["width"], point["threads"], "s" if point["threads"] > 1 else "")


def point_lines(point):
    """A line for each contestant at one point."""
    lines = [title(point)]
    for name, result in point["results"].items():
        if "failed" in result:
            lines.append("  %-12s %s" % (name, result["failed"]))
            continue
        line = "  %-12s %8s ms (%s to %s)" % tuple([name] + [milliseconds(result[key]) for key in ("seconds", "least", "most")])
        if point["flop"]:
            line += " %7.1f GFLOP/s" % (point["flop"] / result["seconds"] / 1e9)
        notes = ["%.2f GB" % (result["peak_bytes"] / 1e9)]
        if name in OWN and ratio(point, name):
            notes.append("%.2fx %s" % (ratio(point, name), best_peer(point)))
        if name == "gnnc" and share(point):
            bound = point["bound"]
            notes.append("%.0f %% of the bound (%s ms: tile %d, %d partitions)" % (100 * share(point), milliseconds(bound["seconds"]),
                                                                                bound["tile"], bound["partitions"]))
        lines.append(line + "  " + "; ".join(notes + ([result["form"]] if result["form"] else [])))
    return "\n".join(lines)


def summary(points):
    """Geometric means of the ratios of each kernel or model and the least of them, what threads gain, what hubs cost."""
    lines = []
    for what, name in itertools.product(dict.fromkeys(point["what"] for point in points), OWN):
        ratios = [ratio(point, name) for point in points if point["what"] == what and ratio(point, name)]
        shares = [share(point) for point in points if point["what"] == what and share(point) and name == "gnnc"]
        if ratios:
            lines.append("%s, %s: %.2fx the best peer (geometric mean of %d), least %.2fx" % (what, name, geometric_mean(ratios), len(ratios), min(ratios)))
        if shares:
            lines.append("%s: %.0f %% of the bound (geometric mean), least %.0f %%" % (what, 100 * geometric_mean(shares), 100 * min(shares)))
    return "\n".join(lines + variants_lines(points) + threads_lines(points) + hubs_lines(points))


def variants_lines(points):
    """What each variant of gnnc takes of the time of gnnc."""
    found = {}
    for point in points:
        own = point["results"].get("gnnc", {})
        for name, result in point["results"].items():
            if name.startswith("gnnc:") and "seconds" in result and "seconds" in own:
                found.setdefault((name[5:], point["what"]), []).append(result["seconds"] / own["seconds"])
    return ["%s, %s: %.2fx the time (geometric mean of %d), %.2f to %.2f" % (what, name, geometric_mean(times), len(times), min(times), max(times))
            for (name, what), times in found.items()]


def own_times(points, *keys):
    """{values of `keys`: point} of the points that gnnc has."""
    return {tuple(point[key] for key in keys): point for point in points if "seconds" in point["results"].get("gnnc", {})}


def threads_lines(points):
    """How much faster two threads are than one, beside what the bounds gain: by measured gathers, so at most what the memory system lets them gain."""
    found = own_times(points, "graph", "what", "width", "threads")
    lines = []
    for (graph, what, width, threads), two in found.items():
        one = found.get((graph, what, width, 1))
        if threads == 2 and one:
            gain = one["results"]["gnnc"]["seconds"] / two["results"]["gnnc"]["seconds"]
            line = "%s %s %d: two threads %.2fx one" % (graph, what, width, gain)
            lines.append(line + (", the bound gains %.2fx" % (one["bound"]["seconds"] / two["bound"]["seconds"]) if one["bound"] else ""))
    return lines


def hubs_lines(points):
    found = own_times(points, "graph", "what", "width", "threads")
    return ["%s %d, %d threads: with hubs %.2fx the time of the uniform graph" % (
        what, width, threads, hubs["results"]["gnnc"]["seconds"] / found["uniform-tenth", what, width, threads]["results"]["gnnc"]["seconds"])
        for (graph, what, width, threads), hubs in found.items()
        if graph == "rand-100K-tenth" and ("uniform-tenth", what, width, threads) in found]
