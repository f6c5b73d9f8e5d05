"""check_quotes.py PAGE FILE...: the page's C++ blocks stand, as they are, in one of the files. A line that is indented deeper goes on with the one before."""
import sys


def squeezed(text):
    return "".join(text.split())


page, files = sys.argv[1], sys.argv[2:]
sources = []
for path in files:
    with open(path) as file:
        sources.append(squeezed(file.read()))
quotes, inside = [], False  # [number of the line, indentation, text]
with open(page) as file:
    for number, line in enumerate(file, 1):
        indentation = len(line) - len(line.lstrip())
        if line.startswith("```"):
            inside = line.strip() == "```cpp"
            quotes.append([number, 0, ""])
        elif inside and quotes[-1][2] and indentation > quotes[-1][1]:
            quotes[-1][2] += squeezed(line)
        elif inside and line.strip():
            quotes.append([number, indentation, squeezed(line)])
wrong = ["%s:%d: in none of the files: %s" % (page, number, text)
         for number, _, text in quotes if not any(text in source for source in sources)]
if wrong:
    sys.exit("\n".join(wrong))
print("%d lines are quoted as they are" % sum(1 for quote in quotes if quote[2]))
