"""report.py REPORT TEXT...: a page has these texts, its elements are closed, and it asks for no other file."""
import html.parser
import sys

EMPTY = {"meta", "link", "br", "rect", "path", "circle", "polyline"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag in EMPTY:
            self.open.pop()
        for name, value in attributes:
            assert name not in ("src", "href") or value.startswith("data:"), (tag, name, value)
            assert name != "xmlns" or value == "http://www.w3.org/2000/svg", value
            assert "nan" not in value.split(",") and "inf" not in value.split(","), (tag, name, value)

    def handle_endtag(self, tag):
        if tag not in EMPTY:
            assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data + " "


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
assert not page.open, page.open
text = " ".join(page.text.split())
for wanted in sys.argv[2:]:
    assert wanted in text, "%r is not in: %s" % (wanted, text)
