"""What the language server answers about programs."""
import pathlib
import re
import sys

from editor import Editor, apply, covered, position

URI = "file:///nowhere/a%20model.gnn"
TEXT = """import nn

/// Twice its argument 𝔾
fn twice(x) = 2 * x
/// A convolution
layer Conv(in: dim, out: dim) {
  /// The weight
  param W: real[in, out]
  vertex v (h: real[in]) -> real[out] {
    let z = h @ W
    let s = twice(u.z - v.z) for e: u -> v
    return sum(s)
  }
}
model M(in: dim,
        k: dim = 4) {
  layer conv = Conv(in, k)
  layer gcn = GCNConv(in, k)
  vertex v {
    input x: real[in]
    let a = conv(x)    // 𝔾𝔾: two units each
    output y = a + gcn(x)
    target t: real[k]
    loss mean_squared_error(y, t)
  }
}
"""

editor = Editor()
assert editor.capabilities["textDocumentSync"]["change"] == 2
editor.open(URI, TEXT)
assert editor.problems(URI) == [], editor.problems(URI)
assert editor.diagnostics[URI]["version"] == 1


def hover(mark):
    result = editor.at("textDocument/hover", URI, TEXT, mark)
    return result and result["contents"]["value"]


# Hover: declaration, type, graph type, hops, documentation.
assert hover("h @ |W") == "```gnn\nparam W: real[in, out]\n```\n\n`real[in, out]`, one for the whole graph\n\nThe weight", hover("h @ |W")
assert "`real[out]`, for every vertex" in hover("let |z")
assert "for the source of every edge of `e: u -> v`" in hover("twice(u.|z")
assert "for every edge of `e: u -> v`" in hover("let |s")
assert "`real[k]`, for every vertex, 1 hop" in hover("let |a = conv")
assert hover("s = tw|ice") == "```gnn\nfn twice(x) = 2 * x\n```\n\nTwice its argument 𝔾"
assert hover("conv = Con|v") == "```gnn\nlayer Conv(in: dim, out: dim)\n```\n\nA convolution"
assert "Kipf and Welling" in hover("gcn = GCN|Conv")
assert hover("k: dim = |4") is None or "number" in hover("k: dim = |4")
assert hover("retu|rn") is None

# Functions of the language have no declaration: their documentation is the server's.
assert hover("return su|m(s)").startswith("```gnn\nsum(x for u -> v)\n```\n\n`real[out]`, for every vertex"), hover("return su|m(s)")
assert "The sum over the edges into `v`" in hover("return su|m(s)")

# Definitions, in this file and in others.
def definition(mark):
    return editor.at("textDocument/definition", URI, TEXT, mark)

def defined(mark):
    (place,) = definition(mark)
    assert place["uri"] == URI, place
    line = place["range"]["start"]["line"]
    return TEXT.split("\n")[line].strip(), covered(TEXT, place["range"])

assert defined("h @ |W") == ("param W: real[in, out]", "W")
assert defined("u.|z -") == ("let z = h @ W", "z")
assert defined("(|u.z -") == ("let s = twice(u.z - v.z) for e: u -> v", "u")
assert defined("a = |conv(x)") == ("layer conv = Conv(in, k)", "conv")
assert defined("Conv(in, |k)") == ("k: dim = 4) {", "k")
(place,) = definition("gcn = |GCNConv")
assert place["uri"].endswith("/nn/gcn.gnn") and pathlib.Path(place["uri"][len("file://"):]).exists(), place
assert any(place["uri"].endswith("/nn/gat.gnn") for place in definition("import n|n"))
assert definition("sum|(s)") == []

# Uses and renaming.
uses = editor.at("textDocument/references", URI, TEXT, "let |z", context={"includeDeclaration": True})
assert [covered(TEXT, use["range"]) for use in uses] == ["z"] * 3
assert covered(TEXT, editor.at("textDocument/prepareRename", URI, TEXT, "u.z|")) == "z"

def rename(mark, name):
    return apply(TEXT, editor.at("textDocument/rename", URI, TEXT, mark, newName=name)["changes"][URI])

assert rename("let |z", "hidden") == TEXT.replace("let z", "let hidden").replace("u.z - v.z", "u.hidden - v.hidden")
assert rename("layer |Conv", "Mean") == TEXT.replace("layer Conv", "layer Mean").replace("= Conv(", "= Mean(")
assert rename("fn |twice", "double") == TEXT.replace("twice(", "double(")

def refusal(mark, name):
    before, after = mark.split("|")
    response = editor.respond("textDocument/rename", {
        "textDocument": {"uri": URI}, "position": position(TEXT, TEXT.index(before + after) + len(before)), "newName": name})
    return response["error"]["message"]

assert "already a name" in refusal("let |z", "s")
assert "no name" in refusal("let |z", "2z") and "no name" in refusal("let |z", "let")
assert "not open" in refusal("gcn = |GCNConv", "X")
assert "no name here" in refusal("|return", "X")

# What calls take: kinds of layers, layers, functions of the file and of the language, by position and by name.
def signature(mark):
    result = editor.at("textDocument/signatureHelp", URI, TEXT, mark)
    if result is None:
        return None
    (shown,) = result["signatures"]
    parameters = [parameter["label"] for parameter in shown["parameters"]]
    assert all(parameter in shown["label"] for parameter in parameters)
    return shown["label"], parameters[result["activeParameter"]] if result["activeParameter"] < len(parameters) else None


assert signature("conv = Conv(in, |k)") == ("Conv(in: dim, out: dim)", "out: dim"), signature("conv = Conv(in, |k)")
assert signature("a = conv(|x)") == ("conv(h: real[in])", "h: real[in]"), signature("a = conv(|x)")
assert signature("s = twice(|u.z") == ("twice(x)", "x"), signature("s = twice(|u.z")
assert signature("return sum(|s)") == ("sum(x for u -> v)", "x for u -> v"), signature("return sum(|s)")
assert signature("loss mean_squared_error(y, |t)")[1] == "b"
assert signature("let z = |h") is None and signature("retu|rn") is None

# Colours: five numbers a name, by the legend; the first name of the file is that of the import.
legend = editor.capabilities["semanticTokensProvider"]["legend"]
data = editor.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})["data"]
assert len(data) % 5 == 0
line = character = 0
coloured = []
for lines, characters, length, kind, modifiers in zip(*[iter(data)] * 5):
    line, character = line + lines, characters if lines else character + characters
    name = TEXT.split("\n")[line].encode("utf-16-le")[2 * character : 2 * (character + length)].decode("utf-16-le")
    coloured.append((name, legend["tokenTypes"][kind], bool(modifiers)))
assert coloured[0] == ("nn", "namespace", False) and coloured[1] == ("twice", "function", True), coloured
for expected in [("Conv", "class", True), ("in", "parameter", True), ("W", "property", True), ("W", "property", False),
                 ("z", "variable", False), ("sum", "function", False), ("gcn", "function", True), ("gcn", "function", False)]:
    assert expected in coloured, (expected, coloured)

# Settings and initialisers.
settings = "model S(d: dim) {\n  param W: real[d, d] = zeros\n  graph { self_loops }\n  train { lr 0.1 }\n  schedule { tile 64 }\n  vertex v { input x: real[d]; output y = x @ W }\n}\n"
editor.open(URI + "3", settings)
for mark, said in [("self_lo|ops", "self loops that are missing"), ("l|r 0.1", "learning rate"), ("ti|le 64", "power of two from 4 to 512"),
                   ("= zer|os", "0 at the start")]:
    text = editor.at("textDocument/hover", URI + "3", settings, mark)["contents"]["value"]
    assert said in text, text
editor.tell("textDocument/didClose", {"textDocument": {"uri": URI + "3"}})

# Inlay hints and the outline.
hints = editor.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": {"start": position(TEXT, 0), "end": position(TEXT, len(TEXT))}})
assert [hint["label"] for hint in hints] == [": real[out] per vertex", ": real[out] per edge", ": real[k] per vertex", ": real[k] per vertex"], hints
outline = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
assert [symbol["name"] for symbol in outline] == ["twice", "Conv", "M"]
assert [symbol["name"] for symbol in outline[1]["children"]] == ["in", "out", "W", "vertex v"]
assert [symbol["name"] for symbol in outline[2]["children"][-1]["children"]] == ["x", "a", "y", "t"]

# Formatting: one edit that gives what `gnnc fmt` gives.
formatted = apply(TEXT, editor.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": True}}))
assert "    let    a = conv(x)  // 𝔾𝔾: two units each\n" in formatted, formatted
editor.open(URI + "2", formatted)
assert editor.ask("textDocument/formatting", {"textDocument": {"uri": URI + "2"}, "options": {}}) == []

# Diagnostics as the text changes, with positions in UTF-16, and fixes.
line = TEXT[: TEXT.index("two units")].count("\n")
character = position(TEXT, TEXT.index("two units"))["character"]
editor.change(URI, 2, {"range": {"start": {"line": line, "character": character}, "end": {"line": line, "character": character}}, "text": "\n let b = sum(u.xx for u -> v) //"})
(problem,) = editor.problems(URI)
assert problem["code"] == "E0101" and problem["severity"] == 1 and "did you mean `x`?" in problem["message"], problem
assert problem["range"] == {"start": {"line": line + 1, "character": 13}, "end": {"line": line + 1, "character": 17}}, problem
(action,) = editor.ask("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": problem["range"], "context": {"diagnostics": []}})
(fix,) = action["edit"]["changes"][URI]
editor.change(URI, 3, {"range": fix["range"], "text": fix["newText"]})
(unused,) = editor.problems(URI)
assert unused["code"] == "W1003" and unused["severity"] == 2 and unused["tags"] == [1], unused
editor.change(URI, 4, {"text": "layer"})
assert editor.problems(URI)[0]["code"] == "E0003"
editor.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
assert editor.problems(URI + "2") == [] and editor.diagnostics[URI]["diagnostics"] == []

# Completion works on texts that do not parse.
def complete(text):
    uri = "untitled:Untitled-1"
    editor.open(uri, text.replace("|", ""))
    items = editor.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": position(text, text.index("|"))})["items"]
    return {item["label"]: item.get("detail", "") for item in items}

HEAD = "layer L(in: dim, out: dim) {\n  param W: real[in, out]\n  vertex v (h: real[in]) -> real[out] {\n    let z = h @ W\n"
assert {"z", "h", "in_degree"} <= set(complete(HEAD + "    let y = sum(u.|"))
assert complete(HEAD + "    let y = z|\n return y } }").get("z") == "real[out]"
assert {"W", "z", "in", "relu", "sum", "for"} <= set(complete(HEAD + "    let y = re|"))
assert set(complete(HEAD + "    r|")) >= {"return", "repeat", "let", "if"}
assert set(complete("layer L(d: |")) == {"dim", "int", "real", "bool", "layer", "aggregation", "fn"}
assert set(complete("|")) == {"import", "layer", "model", "fn"}
assert "GCNConv" in complete("import nn\nmodel M(d: dim) {\n  layer c = |")
assert set(complete("model M(d: dim) {\n  train {\n    optimizer |")) == {"sgd", "adam", "adamw"}
assert "tile" in complete("model M(d: dim) {\n  schedule {\n    |")
assert "schedule" in complete("layer L(d: dim) {\n  |")
assert "lr" in complete("model M(d: dim) {\n  train {\n    |")
assert "glorot_uniform" in complete("layer L(d: dim) {\n  param W: real[d] = |")
assert "vertex" in complete("model M(d: dim) {\n  |") and "train" in complete("model M(d: dim) {\n  |")
GRAPH = "model M(d: dim) {\n  graph {\n    vertex Author, Paper\n    edge Author -writes-> Paper\n    pairs links\n    "
assert set(complete(GRAPH + "|")) == {"vertex", "edge", "pairs", "self_loops", "one_loop", "symmetric", "inverse_relations"}
assert set(complete("layer L(d: dim) {\n  graph {\n    |")) == {"one_loop", "no_loops"}
assert set(complete(GRAPH + "edge |")) == set(complete(GRAPH + "edge Paper -cites-> |")) == {"Author", "Paper"}
assert set(complete(GRAPH + "symmetric on |")) == {"writes", "links"} and complete(GRAPH + "vertex |") == {}
assert set(complete(GRAPH + "}\n  vertex p: |")) == {"Author", "Paper"}
assert set(complete(GRAPH + "}\n  vertex p: Paper {\n    let n = count(for u: |")) == {"Author", "Paper"}
assert "writes" in complete(GRAPH + "}\n  vertex p: Paper {\n    let n = count(for u: Author -|")
assert "real" in complete(GRAPH + "}\n  vertex p: Paper {\n    input x: |")
# The colon of a range is no colon of a type, and what stands before it is defined elsewhere.
assert {"in", "out", "z"} <= set(complete(HEAD + "    let y = z[in:|")) and "real" not in complete(HEAD + "    let y = z[in:|")
assert "nowhere" not in complete(HEAD + "    let y = z[:, nowhere:out]\n    let q = |")
assert "nowhere" not in complete(HEAD + "    let y = z[:, nowhere:out]\n    let q = sum(u.|")
assert complete("fn f(x) = x // com|") == {} and complete("layer L(d: dim) { let |") == {}

assert set(complete("model M(d: dim) {\n  vertex v { input x: real[d]; loss |")) == {"cross_entropy", "binary_cross_entropy", "mean_squared_error"}
assert "nn" in complete("import |")
GAT = "import nn\nmodel M(d: dim) {\n  layer c = GATConv(d, d, |"
assert {"heads = ", "slope = ", "d"} <= set(complete(GAT)) and "relu" not in complete(GAT), complete(GAT)
assert "heads = " not in complete(HEAD + "    let y = relu(|")
BODY = HEAD + "    let y = "
editor.open("untitled:docs", BODY)
functions = [item for item in editor.ask("textDocument/completion", {"textDocument": {"uri": "untitled:docs"}, "position": position(BODY, len(BODY))})["items"] if item["kind"] == 3]
assert len(functions) > 25 and all("documentation" in item for item in functions), functions

# Behind a dot stand the fields of what the binder is, and nothing else.
DEGREES = {"in_degree", "out_degree"}
EDGES = "layer L(d: dim) {\n  param W: real[d, d]\n  vertex v (h: real[d], edge w: real) -> real[d] {\n    let s = w * u.h for u -> v\n    let z = h\n"
assert set(complete(EDGES + "    let y = sum(e.| * u.h for e: u -> v)\n")) == {"type", "w", "s"}
assert set(complete(EDGES + "    let y = sum(u.| * e.w for e: u -> v)\n")) == {"h", "z"} | DEGREES
assert set(complete(EDGES + "    let y = sum(u.h for e: u -> v if e.|)\n")) == {"type", "w", "s"}
assert set(complete(EDGES + "    let y = max(u.h for u -> v) + v.|\n")) == {"h", "z"} | DEGREES
assert set(complete(EDGES + "    let y = sum(q.|")) == {"h", "z", "w", "s", "type"} | DEGREES
TYPED = """model M(d: dim) {
  graph {
    vertex A, B
    edge   A -r-> B
    edge   A -s-> A
  }
  edge   e: a -r-> b { input w: real }
  edge   a -s-> c { input q: real }
  vertex a: A { input x: real[d] }
  vertex b: B {
    input z: real[d]
"""
assert set(complete(TYPED + "    let y = sum(a.| for a: A -r-> b)\n")) == {"x"} | DEGREES
assert set(complete(TYPED + "    let y = sum(a.| for a -r-> b)\n")) == {"x"} | DEGREES
assert set(complete(TYPED + "    let y = sum(b.| for a -r-> b)\n")) == {"z"} | DEGREES
assert set(complete(TYPED + "    let y = sum(e.| for e: a -r-> b)\n")) == {"w", "type"}
assert set(complete(TYPED + "  }\n  edge f: a -s-> c {\n    let y = f.|\n")) == {"q", "type"}
assert set(complete(TYPED + "  }\n  edge f: a -r-> c {\n    let y = c.|\n")) == {"z"} | DEGREES

# An error inside of a layer of the library stands at the call, and where it is found is related.
uri = "untitled:far"
FAR = """import nn
model M(d: dim = 8, k: dim = 4) {
  graph { vertex A, B; edge A -r-> B }
  layer c = SAGEConv(d, d)
  vertex a: A { input x: real[k] }
  vertex b: B { input x: real[d]; output y = c(x for a: A -r-> b) }
}
"""
editor.open(uri, FAR)
(problem,) = editor.problems(uri)
assert problem["code"] == "E0414" and covered(FAR, problem["range"]) == "c", problem
assert "`x` of `A` is [k], and the layer takes `h`: [d]" in problem["message"], problem
assert "another file" not in problem["message"]
assert any(place["location"]["uri"].endswith("/nn/sage.gnn") for place in problem["relatedInformation"]), problem

# A fix may be elsewhere than the error that it mends.
uri = "untitled:unnamed"
UNNAMED = "model M(d: dim) { vertex v { input x: real[d]; output y = sum(e.type * u.x for u -> v) } }\n"
editor.open(uri, UNNAMED)
(problem,) = editor.problems(uri)
assert covered(UNNAMED, problem["range"]) == "e", problem
(action,) = editor.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": problem["range"], "context": {"diagnostics": []}})
assert action["title"] == "Insert `e: `", action
assert apply(UNNAMED, action["edit"]["changes"][uri]) == UNNAMED.replace("for u", "for e: u")

# Vertex types and relations are names like others.
SCHEMA = """import nn
model Library(words: dim, d: dim = 16) {
  graph {
    vertex Author, Paper
    edge Author -writes-> Paper
  }
  layer write = SAGEConv(d, d)
  vertex a: Author { input x: real[d]; let h = x }
  vertex p: Paper {
    input x: real[words]
    let h = pad(x, d)
    output z = write(h for a: Author -writes-> p)
  }
}
"""
uri = "untitled:schema"
editor.open(uri, SCHEMA)
assert editor.problems(uri) == [], editor.problems(uri)
(model,) = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
names = [symbol["name"] for symbol in model["children"]]
assert names == ["words", "d", "Author", "Paper", "writes", "write", "vertex a: Author", "vertex p: Paper"], names
assert editor.at("textDocument/hover", uri, SCHEMA, "-writ|es-> p")["contents"]["value"] == "```gnn\nedge Author -writes-> Paper\n```"
assert "for every Paper" in editor.at("textDocument/hover", uri, SCHEMA, "let |h = pad")["contents"]["value"]
for old, new in [("Author", "Person"), ("writes", "wrote"), ("write", "layer1")]:
    place = {"Author": "vertex |Author,", "writes": "Author -|writes-> Paper", "write": "layer |write"}[old]
    changed = apply(SCHEMA, editor.at("textDocument/rename", uri, SCHEMA, place, newName=new)["changes"][uri])
    assert changed == re.sub(rf"\b{old}\b", new, SCHEMA), changed

# Unsaved texts count in what imports them, and renaming reaches both.
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "part.gnn").write_text("fn old(x) = x\n")
part, main = ((folder / name).resolve().as_uri() for name in ("part.gnn", "main.gnn"))
program = "import part\nmodel M(d: dim) { vertex v { input x: real[d]; output y = fresh(x) } }\n"
editor.open(main, program)
assert editor.problems(main)[0]["code"] == "E0103"
editor.open(part, "fn fresh(x) = 2 * x\n")
assert editor.problems(main) == [], editor.problems(main)
(place,) = editor.at("textDocument/definition", main, program, "y = fr|esh")
assert place["uri"] == part
changes = editor.at("textDocument/rename", main, program, "y = fr|esh", newName="other")["changes"]
assert apply(program, changes[main]) == program.replace("fresh", "other") and len(changes[part]) == 1
editor.tell("textDocument/didClose", {"textDocument": {"uri": part}})
assert editor.problems(main)[0]["code"] == "E0103"
editor.close()
