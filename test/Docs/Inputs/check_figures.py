"""check_figures.py ROOT PAGE...: every number with decimals in the prose and tables of the pages is a figure of docs/measurements.md or docs/accuracy.md,
perhaps rounded.

Versions (2.1.0), sizes of software behind a name (glibc 2.36) and figures in code are no measurements.
"""
import pathlib
import re
import sys

VERSION = re.compile(r"\b\d+\.\d+\.\d+\b|(?:glibc|Python|PyTorch|torch|DGL|GraphBolt|Geometric|Linux) \d+\.\d+")
CODE = re.compile(r"^```.*?^```$|`[^`]*`", re.M | re.S)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*\.\d+(?![\w]*\.\d)")

sources = [pathlib.Path(sys.argv[1], "docs", name).read_text(encoding="utf-8") for name in ("measurements.md", "accuracy.md")]
measured = [float(number.replace(",", "")) for source in sources for number in re.findall(r"\d[\d,]*\.?\d*", source)]
wrong, count = [], 0
for page in map(pathlib.Path, sys.argv[2:]):
    text = VERSION.sub("", CODE.sub(lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8")))
    for line, content in enumerate(text.splitlines(), 1):
        for number in NUMBER.findall(content):
            count += 1
            value, decimals = float(number.replace(",", "")), len(number.split(".")[1])
            if not any(abs(round(figure, decimals) - value) < 1e-9 for figure in measured):
                wrong.append(f"{page}:{line}: {number} is no measured figure")
if wrong:
    sys.exit("\n".join(wrong))
print(f"{count} figures are measured ones")
