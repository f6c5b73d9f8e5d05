"""A chart of a run: at each point, how many times faster gnnc is than each peer, on a logarithmic axis with a line at 1."""

import html
import math

from benchmark import report

COLOURS = {"dgl": "#d95f02", "pyg:csr": "#1b9e77", "pyg:default": "#7570b3", "pyg:compile": "#e7298a"}
ROW, LEFT, WIDTH, TOP = 16, 330, 560, 40


def svg(run):
    points = [point for point in run["points"] if "seconds" in point["results"].get("gnnc", {})]
    rows = [(point, {name: result["seconds"] / point["results"]["gnnc"]["seconds"] for name, result in point["results"].items()
                     if name in COLOURS and "seconds" in result}) for point in points]
    ratios = [ratio for _, peers in rows for ratio in peers.values()] + [0.5, 2]
    low, high = math.floor(math.log10(min(ratios)) * 2) / 2, math.ceil(math.log10(max(ratios)) * 2) / 2

    def x(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / (high - low)

    height = TOP + ROW * len(rows) + 30
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">' % (LEFT + WIDTH + 30, height),
             '<rect width="100%" height="100%" fill="white"/>', '<text x="8" y="16" font-size="13">gnnc against its peers: times faster</text>']
    for index, (name, colour) in enumerate(COLOURS.items()):
        parts.append('<circle cx="%d" cy="12" r="4" fill="%s"/><text x="%d" y="16">%s</text>' % (LEFT + 110 * index, colour, LEFT + 8 + 110 * index, name))
    for ratio in (value * 10 ** power for power in range(math.floor(low), math.ceil(high) + 1) for value in (1, 2, 5)):
        if low <= math.log10(ratio) <= high:
            parts.append('<path d="M%.1f %dV%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle">%gx</text>' % (
                x(ratio), TOP - 6, height - 26, "black" if ratio == 1 else "#dddddd", x(ratio), height - 10, ratio))
    for index, (point, peers) in enumerate(rows):
        y = TOP + ROW * index + ROW / 2
        parts.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 10, y + 4, html.escape(report.title(point))))
        parts += ['<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>' % (x(ratio), y, COLOURS[name]) for name, ratio in peers.items()]
    return "\n".join(parts + ["</svg>"]) + "\n"
