"""The TextMate grammar knows the words and marks of Tokens.def and the functions of the language, and colours the repository's sources as
their tokens are. Usage: grammar.py SOURCE-FOLDER"""
import json
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(source / "test/Tools/gnnc-lsp/Inputs"))
from editor import Editor  # noqa: E402

extension = source / "editors/vscode"
rules = json.loads((extension / "syntaxes/gnn.tmLanguage.json").read_text())["repository"]["all"]["patterns"]
for rule in rules:
    rule["regex"] = re.compile(rule["match"])
    rule["groups"] = {int(group): scope["name"] for group, scope in rule.get("captures", {}).items()}


def scopes(line):
    """(text, scope) of all that a line's rules match, as an editor finds them: leftmost match, first rule."""
    place = 0
    while True:
        matches = [(match.start(), i, match) for i, rule in enumerate(rules) if (match := rule["regex"].search(line, place))]
        if not matches:
            return
        _, i, match = min(matches, key=lambda m: m[:2])
        if "name" in rules[i]:
            yield match.group(), rules[i]["name"]
        else:
            for group, scope in rules[i]["groups"].items():
                yield match.group(group), scope
        assert match.end() > place
        place = match.end()


def scope_of(text):
    """The one scope of a text that is one token."""
    (found,) = scopes(text)
    assert found[0] == text, (text, found)
    return found[1]


definitions = (source / "compiler/Frontend/Tokens.def").read_text()
keywords = set(re.findall(r"^KEYWORD\((\w+)\)", definitions, re.M))
marks = re.findall(r'^PUNCTUATION\(\w+, "(.*)"\)', definitions, re.M)
assert len(keywords) > 30 and len(marks) > 20

WORDS = ("keyword.declaration", "keyword.control", "keyword.operator.word", "constant.language", "storage.")
for keyword in keywords:
    assert scope_of(keyword).startswith(WORDS), keyword
for mark in marks:
    assert scope_of(mark).startswith(("keyword.operator", "punctuation")), mark
for rule in rules:  # no word is a keyword that Tokens.def does not have
    if rule.get("name", "").startswith(WORDS):
        assert set(re.fullmatch(r"\\b\(?([\w|]+)\)?\\b", rule["match"])[1].split("|")) <= keywords, rule["match"]

# The functions of the language and of its prelude, which is what completion offers in a file without any other.
editor = Editor()
text = "layer L(d: dim) { vertex v (h: real[d]) -> real[d] { return "
editor.open("file:///nowhere.gnn", text)
place = {"line": 0, "character": len(text)}
items = editor.ask("textDocument/completion", {"textDocument": {"uri": "file:///nowhere.gnn"}, "position": place})["items"]
functions = {item["label"] for item in items if item["kind"] == 3}
editor.close()
losses = {"cross_entropy", "binary_cross_entropy", "mean_squared_error"}
(builtin,) = (rule for rule in rules if rule.get("name") == "support.function.builtin.gnn")
assert set(re.search(r"\(([\w|]+)\)", builtin["match"])[1].split("|")) == functions | losses, functions ^ set(builtin["match"].split("|"))

# Every token of every source: comments as comments, keywords as keywords, numbers as numbers, other names as neither.
TOKEN = re.compile("|".join([r"//.*", r"[A-Za-z_]\w*", r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", *map(re.escape, marks)]))
checked = 0
for path in sorted([*source.glob("stdlib/**/*.gnn"), *source.glob("examples/**/*.gnn"), *source.glob("test/Execution/**/*.gnn")]):
    for line in path.read_text().splitlines():
        coloured = list(scopes(line))
        assert [text for text, _ in coloured] == TOKEN.findall(line), (path, line, coloured)
        for text, scope in coloured:
            kinds = {text.startswith("//"): "comment", text in keywords: WORDS, text[0].isdigit(): "constant.numeric"}
            wanted = kinds.get(True, ("entity", "variable", "support", "keyword.operator", "punctuation", "keyword.control"))
            assert scope.startswith(wanted), (path, line, text, scope)
            checked += 1
        documents = line.strip().startswith("///") and not line.strip().startswith("////")
        assert documents == (bool(coloured) and coloured[0][1] == "comment.line.documentation.gnn"), (path, line)
assert checked > 2000

# The extension names files that are there.
package = json.loads((extension / "package.json").read_text())
contributes = package["contributes"]
for file in [package["main"], contributes["grammars"][0]["path"], contributes["languages"][0]["configuration"]]:
    assert (extension / file).exists(), file
configuration = json.loads((extension / "language-configuration.json").read_text())
assert configuration["comments"]["lineComment"] == "//"
version = re.search(r"project\(gnnc VERSION (\S+)", (source / "CMakeLists.txt").read_text())[1]
assert package["version"] == version
