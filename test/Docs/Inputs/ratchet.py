"""ratchet.py ROOT LIMITS: counts what the sources should have less of, and compares each count with its limit in the file LIMITS ("name: number" lines).

A count above its limit is an error. One below it passes, with the advice to lower the limit: GNNC_UPDATE_GOLDEN=1 in the environment does so, and never
raises one. Limits of lines are multiples of 500, so that a small fix does not reach them.
"""
import os
import re
import sys

METHODS = 30  # a class with that many is counted
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
SOURCES = ("runtime/src", "compiler", "dialects", "support", "tools")
LINES = 500

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*
                       |\w+|::|->|&&|\|\||<<=|<=|>=|==|!=|[^\s\w]""", re.S | re.M | re.X)
CLOSE = {"(": ")", "{": "}", "[": "]"}
NO_DECLARATOR = ("alignas", "decltype", "noexcept", "explicit", "__attribute__")  # their parentheses are no parameters


def tokens_of(text):
    """Identifiers and punctuation. Comments and directives are left out, literals are empty strings."""
    found = []
    for match in TOKEN.finditer(text):
        token = match[0]
        if not token.startswith(("//", "/*")) and not token.lstrip().startswith("#"):
            found.append('""' if token[0] in "\"'" or token.startswith('R"') else token)
    return found


def after_brackets(tokens, at):
    """The place behind the bracket that closes the one at `at`."""
    wanted = []
    while at < len(tokens):
        if tokens[at] in CLOSE:
            wanted.append(CLOSE[tokens[at]])
        elif wanted and tokens[at] == wanted[-1]:
            wanted.pop()
        at += 1
        if not wanted:
            break
    return at


def after_angles(tokens, at):
    """The place behind the > that closes the < at `at`."""
    depth = 0
    while at < len(tokens):
        if tokens[at] in CLOSE:
            at = after_brackets(tokens, at)
            continue
        depth += {"<": 1, ">": -1}.get(tokens[at], 0)
        at += 1
        if depth == 0:
            break
    return at


def member(tokens, at, classes):
    """Reads one member of a class from `at` on: the place behind it, and whether it is a method. Classes inside are added to `classes`."""
    is_method = has_value = is_other = in_initializers = False
    first = tokens[at]
    if first == "template" and tokens[at + 1] == "<":
        at = after_angles(tokens, at + 1)
        first = tokens[at]
    if first in ("using", "typedef", "friend", "static_assert"):
        is_other = True
    while at < len(tokens):
        token = tokens[at]
        if token == ";":
            return at + 1, is_method
        if token == "}":  # the class ends: what stands here is no C++ that this reads
            return at, is_method
        if token in ("class", "struct", "union") and not is_method and not has_value and tokens[at - 1] != "enum":
            at = class_at(tokens, at, classes)
            continue
        if token == "operator" and not is_method:
            at += 1
            while tokens[at] != "(" or tokens[at + 1] == ")" and tokens[at + 2] == "(":
                at += 1
            is_method = not is_other
            at = after_brackets(tokens, at)
            continue
        if token == "=":
            has_value = True
        if token == ":" and is_method:
            in_initializers = True
        if token == "<" and not has_value and not is_method:
            at = after_angles(tokens, at)
            continue
        if token == "(" and not has_value and not is_other and tokens[at - 1] not in NO_DECLARATOR:
            is_method = True
        if token in CLOSE:
            ends = token == "{" and is_method and not has_value and not (in_initializers and re.match(r"\w+$|>$", tokens[at - 1]))
            at = after_brackets(tokens, at)
            if ends:
                return at + (tokens[at:at + 1] == [";"]), True
            continue
        at += 1
    return at, is_method


def class_at(tokens, at, classes):
    """Reads the class whose keyword is at `at`, if it has a body: the place behind the body, else behind the name."""
    name, at = None, at + 1
    while at < len(tokens) and tokens[at] not in ("{", ";", "(", ")", ",", ">", "=", "*", "&", ":"):
        if tokens[at] == "<":
            at = after_angles(tokens, at)
        elif tokens[at] == "[":
            at = after_brackets(tokens, at)
        else:
            name = tokens[at] if re.match(r"\w", tokens[at]) and tokens[at] not in ("final", "alignas") else name
            at += 1
    if tokens[at:at + 1] == [":"]:  # bases
        while at < len(tokens) and tokens[at] not in ("{", ";"):
            at += 1
    if tokens[at:at + 1] != ["{"]:
        return at
    at += 1
    methods = 0
    while at < len(tokens) and tokens[at] != "}":
        if tokens[at] in ("public", "protected", "private") and tokens[at + 1] == ":":
            at += 2
            continue
        at, is_method = member(tokens, at, classes)
        methods += is_method
    classes.append((name or "(unnamed)", methods))
    return at + 1


def classes_of(text):
    """(name, number of methods) of each class in C++ source, those inside of others too; what is declared in the body counts."""
    tokens, classes, at = tokens_of(text), [], 0
    while at < len(tokens):
        if tokens[at] == "template" and tokens[at + 1:at + 2] == ["<"]:
            at = after_angles(tokens, at + 1)
        elif tokens[at] in ("class", "struct", "union") and tokens[at - 1:at] != ["enum"]:
            at = class_at(tokens, at, classes)
        else:
            at += 1
    return classes


def files(root, folder, endings=(".h", ".cpp")):
    for where, _, names in sorted(os.walk(os.path.join(root, folder))):
        for name in sorted(names):
            if name.endswith(endings):
                with open(os.path.join(where, name)) as text:
                    yield os.path.relpath(os.path.join(where, name), root), text.read()


def lines(root, *folders):
    return sum(text.count("\n") for folder in folders for _, text in files(root, folder))


def comments(root, folder, endings=(".h",)):
    """The number of comments in headers, or in other files, that begin with "Of" or "What". Consecutive lines of // are one comment."""
    begins = re.compile(r"^(?!\s*//).*?(?<!:)///?<? ?(?:Of|What)\b|(?:^(?!\s*//)[^\n]*\n|\A)\s*///? (?:Of|What)\b", re.M)
    return sum(len(begins.findall(text)) for _, text in files(root, folder, endings))


BRITISH = re.compile(r"\b\w*(?:neighbour|behaviour|colour|favour|honour|labelled|labelling|licence|normalis|initialis|optimis|summaris|centre)\w*", re.I)
HISTORY = re.compile(r"\bno longer\b|\bany more\b|\bsince then\b|\bused to be\b|\bformerly\b", re.I)
NO_SUBJECT = re.compile(r"(?:^|(?<=[.:;] ))(?:Of|Who|For who)\b(?![^.;]*\?)", re.M)
NOT_PROSE = re.compile(r"^```.*?^```$|^\|.*?$|^#.*?$|`[^`]*`|<!--.*?-->", re.M | re.S)


def sentences(root, pattern):
    """Each place in the prose of the pages where `pattern` matches. A paragraph is one line to the pattern; notes of docs/lab may say anything."""
    places = []
    for path, text in [*files(root, "docs", (".md",)), *((name, open(os.path.join(root, name)).read()) for name in PAGES if os.path.exists(os.path.join(root, name)))]:
        if not path.startswith(os.path.join("docs", "lab")):
            prose = NOT_PROSE.sub(lambda match: "x" if match[0].startswith("`") and "\n" not in match[0] else "\n", text)
            paragraphs = re.sub(r"(?<!\n)\n(?!\n|\s*(?:[-*]|\d+\.) )\s*", " ", prose)
            places += ["%s: %s" % (path, line[max(0, match.start() - 20):match.end() + 40].strip())
                       for line in paragraphs.split("\n") for match in pattern.finditer(re.sub(r"^\s*[-*] ", "", line))]
    return len(places), places


def counts(root):
    """Each count by its name, with the places that it is made of, as far as they are few."""
    large = [(number, name, path) for folder in SOURCES for path, text in files(root, folder) for name, number in classes_of(text) if number >= METHODS]
    apart = lambda folder: sum(len(re.findall(r"^.*\bhasDeviceMemory\b.*$", text, re.M)) for _, text in files(root, folder))
    return {
        "classes with %d methods or more" % METHODS: (len(large), ["%s: %s has %d" % (path, name, number) for number, name, path in sorted(large, reverse=True)]),
        "lines with hasDeviceMemory in runtime/src": (apart("runtime/src"), []),
        "lines with hasDeviceMemory in tools": (apart("tools"), []),
        "lines of runtime/src": (lines(root, "runtime/src"), []),
        "lines of compiler/Kernels": (lines(root, "compiler/Kernels"), []),
        "comments in headers of runtime that begin with Of or What": (comments(root, "runtime"), []),
        "comments in other headers that begin with Of or What": (sum(comments(root, folder) for folder in SOURCES[1:]), []),
        "comments in .cpp files of compiler and dialects that begin with Of or What": (
            sum(comments(root, folder, (".cpp",)) for folder in ("compiler", "dialects")), []),
        "sentences of pages that begin with Of or Who": sentences(root, NO_SUBJECT),
        "British spellings in pages": sentences(root, BRITISH),
        "words of history in pages": sentences(root, HISTORY),
    }


def limit_of(name, number):
    return -(-number // LINES) * LINES if name.startswith("lines of") else number


if __name__ == "__main__":
    root, path = sys.argv[1:]
    with open(path) as file:
        limits = {name: int(number) for name, number in (line.rsplit(": ", 1) for line in file)}
    found = counts(root)
    if limits.keys() != found.keys():
        sys.exit("%s has other names than ratchet.py counts: %s" % (path, ", ".join(sorted(limits.keys() ^ found.keys()))))
    grown = ["%s: %d, but at most %d is allowed: take some away%s" % (name, number, limits[name], "".join("\n  " + place for place in places))
             for name, (number, places) in found.items() if number > limits[name]]
    if grown:
        sys.exit("\n".join(grown))
    lower = {name: limit_of(name, number) for name, (number, _) in found.items() if limit_of(name, number) < limits[name]}
    if lower and os.environ.get("GNNC_UPDATE_GOLDEN"):
        with open(path, "w") as file:
            file.writelines("%s: %d\n" % (name, lower.get(name, limit)) for name, limit in limits.items())
    for name, number in lower.items():
        print("%s: lower the limit from %d to %d (GNNC_UPDATE_GOLDEN=1)" % (name, limits[name], number))
    print("no count has grown")
