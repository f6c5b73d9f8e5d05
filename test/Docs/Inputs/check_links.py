# Every relative link and every `path/with/slash` set in backticks in a Markdown file names something that exists, and the part behind a # a heading of the
# page. Usage: check_links.py ROOT FILE.md...; prints file:line for each that does not and exits 1.

import functools
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)")
TOP = "|".join(sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name not in ("build", "install")))
CODE = re.compile(r"`((?:%s)/[\w./-]+)`" % TOP)
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


@functools.lru_cache(maxsize=None)
def anchors(page):
    """The anchors that a page's headings have on code hosts."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


wrong = []
for name in sys.argv[2:]:
    file = pathlib.Path(name)
    text = FENCED.sub(lambda block: "\n" * block[0].count("\n"), file.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        links = [(file.parent / target if target else file, anchor) for target, anchor in LINK.findall(line)]
        for target, anchor in links + [(root / path, "") for path in CODE.findall(line)]:
            if not target.exists():
                wrong.append(f"{file}:{number}: no such file: {target}")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                wrong.append(f"{file}:{number}: {target.name} has no heading for #{anchor}")
print("\n".join(wrong) if wrong else f"{len(sys.argv) - 2} files, every path exists")
sys.exit(bool(wrong))
