"""check_width.py PAGE...: no line of a page is wider than 100 columns."""
import sys

COLUMNS = 100
wide = []
for page in sys.argv[1:]:
    with open(page, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            width = len(line.rstrip("\n"))
            if width > COLUMNS:
                wide.append("%s:%d: %d columns" % (page, number, width))
if wide:
    sys.exit("\n".join(wide))
print("%d pages, no line is wider than %d columns" % (len(sys.argv) - 1, COLUMNS))
