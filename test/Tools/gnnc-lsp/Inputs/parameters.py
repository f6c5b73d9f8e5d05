"""What the language server answers about parameters that are layers, aggregations and functions."""
from editor import Editor, apply, covered

URI = "file:///nowhere/parameters.gnn"
TEXT = """import nn

fn twice(x, degree) = 2 * x
layer Conv(in: dim, out: dim, net: layer 2 * in -> out, aggr: aggregation = max, scalers: fn[] = [twice]) {
  vertex v (h: real[in]) -> real[out] {
    let m = net(concat(v.h, u.h)) for u -> v
    let y = aggr(m)
    return sum<1>(reshape(concat(s(y, v.in_degree) over s in scalers), 1, out))
  }
}
model M(in: dim) {
  layer conv = Conv(in, 8, net = MLP(2 * in, 4, 8), aggr = sum)
  vertex v {
    input  x: real[in]
    output y = conv(x)
  }
}
"""

editor = Editor()
editor.open(URI, TEXT)
assert editor.problems(URI) == [], editor.problems(URI)


def hover(mark):
    result = editor.at("textDocument/hover", URI, TEXT, mark)
    return result and result["contents"]["value"]


assert "net: layer 2 * in -> out" in hover("m = n|et("), hover("m = n|et(")
assert "aggr: aggregation = max" in hover("y = ag|gr("), hover("y = ag|gr(")
assert "`real[out]`, for every edge of `u -> v`" in hover("let |m"), hover("let |m")
assert "fn twice" in hover("= [tw|ice]"), hover("= [tw|ice]")
assert "layer MLP" in hover("net = ML|P"), hover("net = ML|P")


def rename(mark, name):
    return apply(TEXT, editor.at("textDocument/rename", URI, TEXT, mark, newName=name)["changes"][URI])


assert rename("dim, |net:", "nn") == TEXT.replace("net: ", "nn: ").replace("net(", "nn(").replace("net = ", "nn = ")
assert rename("fn |twice", "double") == TEXT.replace("twice", "double")
assert rename("over |s in", "f") == TEXT.replace("s(y", "f(y").replace("over s", "over f")


def signature(mark):
    (shown,) = editor.at("textDocument/signatureHelp", URI, TEXT, mark)["signatures"]
    return shown["label"]


assert signature("m = net(|concat") == "net(h: real[2 * in]) -> real[out]", signature("m = net(|concat")
assert "scalers: fn[] = [twice]" in signature("conv = Conv(|in"), signature("conv = Conv(|in")

