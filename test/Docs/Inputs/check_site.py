"""check_site.py HTML: every link of the pages in the folder HTML leads to a page or anchor that is there, and nothing that a page shows or
runs comes from elsewhere. Prints what does not and exits 1."""
import functools
import html.parser
import pathlib
import re
import sys
import urllib.parse

root = pathlib.Path(sys.argv[1]).resolve()
ASSETS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}
NO_ASSETS = {"next", "prev", "search", "index", "author"}  # relations that `link` only states


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.assets = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(value for value in (attributes.get("id"), attributes.get("name") if tag == "a" else None) if value)
        target = attributes.get(ASSETS.get(tag))
        if target and attributes.get("rel") not in NO_ASSETS:
            self.assets.append(target)
        elif target or tag == "a" and attributes.get("href"):
            self.links.append(target or attributes["href"])


@functools.lru_cache(maxsize=None)
def page(path):
    return Page(path.read_text(encoding="utf-8"))


wrong = []


def check(source, target):
    address = urllib.parse.urlsplit(target)
    if address.scheme or target.startswith("//"):
        return
    path = (source.parent / urllib.parse.unquote(address.path)).resolve() if address.path else source
    if not path.is_relative_to(root) or not path.is_file():
        wrong.append(f"{source.relative_to(root)}: leads to {target}, which is not there")
    elif address.fragment and path.suffix == ".html" and urllib.parse.unquote(address.fragment) not in page(path).anchors:
        wrong.append(f"{source.relative_to(root)}: {address.path or 'the page'} has no anchor #{address.fragment}")


pages = sorted(root.rglob("*.html"))
for source in pages:
    for asset in page(source).assets:
        if re.match(r"(\w+:)?//", asset):
            wrong.append(f"{source.relative_to(root)}: shows {asset}, which is elsewhere")
    for target in page(source).links + page(source).assets:
        check(source, target)
for sheet in sorted(root.rglob("*.css")):
    for target in re.findall(r"url\(['\"]?([^'\")]+)", sheet.read_text(encoding="utf-8")):
        if re.match(r"(\w+:)?/", target) and not target.startswith("data:"):
            wrong.append(f"{sheet.relative_to(root)}: takes {target}, which is elsewhere")
        elif not target.startswith("data:"):
            check(sheet, target)
if wrong or not pages:
    sys.exit("\n".join(sorted(set(wrong))) or "no pages")
print(f"{len(pages)} pages, every link leads to something")
