"""lanes.py (SVG TITLE)...: charts of lanes that load, compute and store. In each lane bars follow each other and lie within the axis, whose numbers are
round; all kinds are there."""
import re
import sys
import xml.etree.ElementTree as xml

for path, title in zip(sys.argv[1::2], sys.argv[2::2]):
    svg = xml.parse(path).getroot()
    name = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in svg.iter(name + "text")]
    assert texts[0] == title and {"load", "compute", "store", "forward", "backward", "evaluation", "seconds"} <= set(texts), texts
    ticks = [float(text) for text in texts if re.fullmatch(r"[0-9.e-]+", text)]
    assert 3 <= len(ticks) <= 11 and ticks[0] == 0, ticks
    step = ticks[1]
    assert all(abs(tick - i * step) < 1e-3 * step for i, tick in enumerate(ticks)) and ("%e" % step)[0] in "125", ticks
    bars = [(float(bar.get("y")), float(bar.get("x")), float(bar.get("width")), bar.get("fill")) for bar in svg.iter(name + "rect") if bar.find(name + "title") is not None]
    assert len({bar[0] for bar in bars}) == 3 and len({bar[3] for bar in bars}) == 3, path
    for lane in {bar[0] for bar in bars}:
        ends = 80
        for _, x, width, _ in (bar for bar in bars if bar[0] == lane):
            assert ends - 0.2 <= x and x + width <= 880.2, (path, lane, ends, x, width)
            ends = x + width
