"""check_quotes.py PAGE FILE...: every line of the page's C++ blocks stands, as it is, in one of the files."""
import sys

page, files = sys.argv[1], sys.argv[2:]
lines = set()
for path in files:
    with open(path) as file:
        lines.update(line.strip() for line in file)
quotes, inside, wrong = 0, False, []
with open(page) as file:
    for number, line in enumerate(file, 1):
        if line.startswith("```"):
            inside = line.strip() == "```cpp"
        elif inside and line.strip():
            quotes += 1
            if line.strip() not in lines:
                wrong.append("%s:%d: in none of the files: %s" % (page, number, line.strip()))
if wrong:
    sys.exit("\n".join(wrong))
print("%d lines are quoted as they are" % quotes)
