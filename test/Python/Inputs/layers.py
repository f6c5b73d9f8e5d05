"""layers.py [SEED [NAME ...]]: layers of the standard library with their options beside those of PyTorch Geometric, in double, on random graphs
with loops, repeated edges and isolated vertices: outputs, and the gradients of parameters and inputs."""
import pathlib
import random
import sys
import tempfile

import gnnc
import gnnc.torch
import torch
from torch_geometric import nn as pyg

IN, OUT, FEATURES = 6, 4, 3
CASES = {}


def case(name, declaration, module, weights, apply=None, call="conv(x)", inputs=("x",), types=0, repeats=True):
    """A layer here and there, and its weights, or what `of` gives of them, by their names here. Edges have so many types; loops repeat."""
    CASES[name] = (declaration, module, weights, apply or (lambda m, edges, x: m(x, edges)), call, inputs, types, repeats)


def dense(lin, of, weight, bias, *shape):
    """A dense layer's weights under the names `weight` and `bias`; the results may come in several dimensions."""
    shape = shape or (lin.weight.shape[0],)
    named = {weight: of(lin.weight).T.reshape(lin.weight.shape[1], *shape)}
    if bias and lin.bias is not None:
        named[bias] = of(lin.bias).reshape(shape)
    return named


def biased(m, of, name="b", *shape):
    return {name: of(m.bias).reshape(shape or m.bias.shape)} if m.bias is not None else {}


WEIGHTED = {"apply": lambda m, edges, x, weight: m(x, edges, weight), "call": "conv(x, weight = weight)", "inputs": ("x", "weight")}


def spectral():
    gcn = lambda m, of: {**dense(m.lin, of, "W", None), **biased(m, of)}
    for name, ours, theirs, of_edges in [
            ("", "", {}, {}), (", improved", ", improved = true", {"improved": True}, {}), (", weighted", "", {}, WEIGHTED),
            (", weighted and improved", ", improved = true", {"improved": True}, WEIGHTED),
            (" without loops", ", add_self_loops = false", {"add_self_loops": False}, {}),
            (" without loops, weighted", ", add_self_loops = false", {"add_self_loops": False}, WEIGHTED),
            (" without norm and bias, weighted", ", normalize = false, bias = false", {"normalize": False, "bias": False}, WEIGHTED)]:
        case("GCNConv" + name, f"GCNConv({IN}, {OUT}{ours})", lambda theirs=theirs: pyg.GCNConv(IN, OUT, **theirs), gcn, **of_edges)
    sgc = lambda m, of: dense(m.lin, of, "W", "b")
    for name, ours, theirs, of_edges in [("", "", {}, {}), (", weighted", "", {}, WEIGHTED), (" of two steps", ", 2", {"K": 2}, {}),
                                         (" without loops and bias", ", add_self_loops = false, bias = false",
                                          {"add_self_loops": False, "bias": False}, WEIGHTED)]:
        case("SGConv" + name, f"SGConv({IN}, {OUT}{ours})", lambda theirs=theirs: pyg.SGConv(IN, OUT, **theirs), sgc, **of_edges)
    for name, ours, theirs, of_edges in [("", "", {}, {}), (", weighted", "", {}, WEIGHTED),
                                         (" without loops", ", add_self_loops = false", {"add_self_loops": False}, WEIGHTED),
                                         (" without norm", ", normalize = false", {"normalize": False}, WEIGHTED)]:
        case("APPNP" + name, f"APPNP({IN}, 3, 0.2{ours})", lambda theirs=theirs: pyg.APPNP(3, 0.2, **theirs), lambda m, of: {}, **of_edges)
    gcn2 = lambda m, of: {"W": of(m.weight1), **({"W0": of(m.weight2)} if m.weight2 is not None else {})}
    for name, ours, theirs in [("", "", {}), (" of two matrices", ", shared_weights = false", {"shared_weights": False}),
                               (" without loops", ", add_self_loops = false", {"add_self_loops": False}),
                               (" without norm", ", normalize = false", {"normalize": False})]:
        case("GCN2Conv" + name, f"GCN2Conv({IN}, 3, 0.2, 0.7{ours})",
             lambda theirs=theirs: pyg.GCN2Conv(IN, 0.2, 0.7, 3, **theirs), gcn2,
             lambda m, edges, x, weight: m(x, x * x, edges, weight), "conv(x, x * x, weight = weight)", ("x", "weight"))


def attention():
    rows = lambda m: m.heads if m.concat else 1
    last = lambda m, of: {**biased(m, of, "b", rows(m), OUT), **(dense(m.res, of, "W_res", None, rows(m), OUT) if m.res is not None else {})}
    gat = lambda m, of: {**dense(m.lin, of, "W", None, m.heads, OUT), "a_src": of(m.att_src)[0], "a_dst": of(m.att_dst)[0], **last(m, of),
                         **({**dense(m.lin_edge, of, "W_edge", None, m.heads, OUT), "a_edge": of(m.att_edge)[0]} if m.lin_edge is not None else {})}
    gatv2 = lambda m, of: {**dense(m.lin_l, of, "W_src", "b_src", m.heads, OUT), "a": of(m.att)[0], **last(m, of),
                           **({} if m.share_weights else dense(m.lin_r, of, "W_dst", "b_dst", m.heads, OUT)),
                           **(dense(m.lin_edge, of, "W_edge", None, m.heads, OUT) if m.lin_edge is not None else {})}
    options = [("", "", {}), (" of heads", ", 3", {"heads": 3}), (" of a mean of heads", ", 3, concat = false", {"heads": 3, "concat": False}),
               (" without loops", ", 2, slope = 0.1, add_self_loops = false", {"heads": 2, "negative_slope": 0.1, "add_self_loops": False}),
               (", residual", ", 2, residual = true", {"heads": 2, "residual": True}),
               (", residual, of a mean", ", 2, concat = false, residual = true, bias = false",
                {"heads": 2, "concat": False, "residual": True, "bias": False})]
    fills = [("mean", "mean"), ("sum", "add"), ("min", "min"), ("max", "max"), ("prod", "mul")]
    for layer, weights, a in [("GATConv", gat, "a"), ("GATv2Conv", gatv2, "f")]:
        theirs = getattr(pyg, layer)
        of_edges = {"apply": lambda m, edges, x, a: m(x, edges, a), "call": f"conv(x, {a} = a)", "inputs": ("x", "a")}
        for name, ours, given in options:
            case(layer + name, f"{layer}({IN}, {OUT}{ours})", lambda theirs=theirs, given=given: theirs(IN, OUT, **given), weights)
        for ours, fill in fills:
            case(f"{layer} of edges, {ours}", f"{layer}({IN}, {OUT}, 2, edge_dim = {FEATURES}, fill_value = {ours})",
                 lambda theirs=theirs, fill=fill: theirs(IN, OUT, 2, edge_dim=FEATURES, fill_value=fill), weights, **of_edges)
        case(f"{layer} of edges without loops", f"{layer}({IN}, {OUT}, 2, edge_dim = {FEATURES}, add_self_loops = false, concat = false)",
             lambda theirs=theirs: theirs(IN, OUT, 2, edge_dim=FEATURES, add_self_loops=False, concat=False), weights, **of_edges)
    case("GATv2Conv of shared weights", f"GATv2Conv({IN}, {OUT}, 2, share_weights = true)",
         lambda: pyg.GATv2Conv(IN, OUT, 2, share_weights=True), gatv2)
    transformer = lambda m, of: {
        **{key: value for part in ("key", "query", "value")
           for key, value in dense(getattr(m, "lin_" + part), of, "W_" + part, "b_" + part, m.heads, OUT).items()},
        **(dense(m.lin_skip, of, "W_skip", "b_skip", rows(m), OUT) if m.root_weight else {}),
        **(dense(m.lin_edge, of, "W_edge", None, m.heads, OUT) if m.lin_edge is not None else {}),
        **({"w": of(m.lin_beta.weight)[0]} if m.lin_beta is not None else {})}
    for name, ours, given in [("", "", {}), (" of heads", ", 3", {"heads": 3}), (" with beta", ", 2, beta = true", {"heads": 2, "beta": True}),
                              (" of a mean with beta", ", 2, concat = false, beta = true", {"heads": 2, "concat": False, "beta": True}),
                              (" of a mean", ", 2, concat = false, bias = false", {"heads": 2, "concat": False, "bias": False}),
                              (" without root", ", 2, root_weight = false", {"heads": 2, "root_weight": False}),
                              (" of a mean without root", ", 2, root_weight = false, concat = false",
                               {"heads": 2, "root_weight": False, "concat": False})]:
        case("TransformerConv" + name, f"TransformerConv({IN}, {OUT}{ours})",
             lambda given=given: pyg.TransformerConv(IN, OUT, **given), transformer)
    case("TransformerConv of edges", f"TransformerConv({IN}, {OUT}, 2, edge_dim = {FEATURES})",
         lambda: pyg.TransformerConv(IN, OUT, 2, edge_dim=FEATURES), transformer,
         lambda m, edges, x, a: m(x, edges, a), "conv(x, a = a)", ("x", "a"))


def variants(layer, theirs, weights, options, head, **more):
    """A case for each option: its name, what is said here and what there."""
    for name, ours, given, *of_edges in options:
        case(layer + name, f"{layer}({head}{ours})", lambda given=given: theirs(given), weights, **{**more, **(of_edges[0] if of_edges else {})})


def others():
    no_loops, no_norm, no_bias = {"add_self_loops": False}, {"normalize": False}, {"bias": False}
    variants("SSGConv", lambda given: pyg.SSGConv(IN, OUT, 0.3, **given), lambda m, of: dense(m.lin, of, "W", "b"),
             [("", "", {}), (" of three steps", ", 3", {"K": 3}, WEIGHTED),
              (" without loops", ", 2, add_self_loops = false, bias = false", {"K": 2, **no_loops, **no_bias}, WEIGHTED)], f"{IN}, {OUT}, 0.3")
    variants("LGConv", lambda given: pyg.LGConv(**given), lambda m, of: {},
             [("", "", {}), (", weighted", "", {}, WEIGHTED), (" without norm", ", normalize = false", no_norm, WEIGHTED)], f"{IN}")
    variants("TAGConv", lambda given: pyg.TAGConv(IN, OUT, 2, **given),
             lambda m, of: {"W": torch.stack([of(lin.weight).T for lin in m.lins]), **biased(m, of)},
             [("", "", {}), (", weighted", "", {}, WEIGHTED), (" without norm", ", normalize = false, bias = false", {**no_norm, **no_bias}, WEIGHTED)],
             f"{IN}, {OUT}, 2")
    variants("ARMAConv", lambda given: pyg.ARMAConv(IN, OUT, num_layers=3, shared_weights=True, **given),
             lambda m, of: {"W0": of(m.init_weight)[0], "W": of(m.weight)[0, 0], "V": of(m.root_weight)[0, 0],
                            **({"b": of(m.bias)[0, 0, 0]} if m.bias is not None else {})},
             [("", "", {}), (", weighted", ", bias = false", no_bias, WEIGHTED)], f"{IN}, {OUT}, 3")
    variants("AGNNConv", lambda given: pyg.AGNNConv(**given), lambda m, of: {"beta": of(m.beta)[0]} if m.requires_grad else {},
             [("", "", {}), (" without weights", ", requires_grad = false", {"requires_grad": False}),
              (" without loops", ", add_self_loops = false", no_loops)], f"{IN}")
    variants("SuperGATConv", lambda given: pyg.SuperGATConv(IN, OUT, 2, **given).eval(),
             lambda m, of: {**dense(m.lin, of, "W", None, m.heads, OUT), **biased(m, of, "b", m.heads if m.concat else 1, OUT),
                            **({"a_l": of(m.att_l)[0], "a_r": of(m.att_r)[0]} if m.att_l is not None else {})},
             [("", "", {}), (" of scaled products", ", scaled_dot = true", {"attention_type": "SD"}),
              (" of a mean", ", concat = false, slope = 0.1, bias = false", {"concat": False, "negative_slope": 0.1, **no_bias}),
              (" without loops", ", add_self_loops = false", no_loops)], f"{IN}, {OUT}, 2")
    first = {"apply": lambda m, edges, x: m(x, x * x, edges), "call": "conv(x, x * x)"}
    variants("FAConv", lambda given: pyg.FAConv(IN, **given), lambda m, of: {"a_l": of(m.att_l.weight)[0], "a_r": of(m.att_r.weight)[0]},
             [("", "", {}, first), (" without loops", ", 0.3, add_self_loops = false", {"eps": 0.3, **no_loops}, first),
              (" without norm", ", normalize = false", no_norm,
               {"apply": lambda m, edges, x, weight: m(x, x * x, edges, weight), "call": "conv(x, x * x, weight = weight)", "inputs": ("x", "weight")})],
             f"{IN}")
    variants("LEConv", lambda given: pyg.LEConv(IN, OUT, **given),
             lambda m, of: {**dense(m.lin1, of, "W1", "b1"), **dense(m.lin2, of, "W2", None), **dense(m.lin3, of, "W3", "b3")},
             [("", "", {}), (", weighted", ", bias = false", no_bias, WEIGHTED)], f"{IN}, {OUT}")
    variants("ClusterGCNConv", lambda given: pyg.ClusterGCNConv(IN, OUT, **given),
             lambda m, of: {**dense(m.lin_out, of, "W", "b"), **dense(m.lin_root, of, "W_root", None)},
             [("", "", {}), (" with more loops", ", 0.5, bias = false", {"diag_lambda": 0.5, **no_bias})], f"{IN}, {OUT}")

    def gated(m, of):
        named = dense(m.lin_skip, of, "W_skip", None) if m.lin_skip is not None else {}
        for part in ("key", "query", "value"):
            weight, bias = of(getattr(m, "lin_" + part).weight).T, of(getattr(m, "lin_" + part).bias)
            named.update({f"W_{part}": weight[:IN], f"b_{part}": bias, **({f"A_{part}": weight[IN:]} if m.edge_dim else {})})
        return {**named, **biased(m, of)}

    featured = {"apply": lambda m, edges, x, a: m(x, edges, a), "call": "conv(x, a = a)", "inputs": ("x", "a")}
    variants("ResGatedGraphConv", lambda given: pyg.ResGatedGraphConv(IN, OUT, **given), gated,
             [("", "", {}), (" of edges", f", edge_dim = {FEATURES}", {"edge_dim": FEATURES}, featured),
              (" of another function", ", act = tanh, root_weight = false, bias = false", {"act": torch.nn.Tanh(), "root_weight": False, **no_bias})],
             f"{IN}, {OUT}")


def gates(m, of):
    """A GRU's weights, by their names here."""
    return {name: value for letters, weight, bias in [("Wb", m.weight_ih, m.bias_ih), ("Uc", m.weight_hh, m.bias_hh)]
            for gate, rows, part in zip("rzn", of(weight).chunk(3), of(bias).chunk(3) if bias is not None else [None] * 3)
            for name, value in [(letters[0] + gate, rows.T), (letters[1] + gate, part)] if value is not None}


def more():
    no_loops, no_norm, no_bias = {"add_self_loops": False}, {"normalize": False}, {"bias": False}
    featured = {"apply": lambda m, edges, x, a: m(x, edges, a), "call": "conv(x, a = a)", "inputs": ("x", "a")}
    variants("GatedGraphConv", lambda given: pyg.GatedGraphConv(IN + 2, 3, **given), lambda m, of: {"A": of(m.weight), **gates(m.rnn, of)},
             [("", "", {}), (", weighted", "", {}, WEIGHTED), (" of maxima", ", aggr = max, bias = false", {"aggr": "max", **no_bias})], f"{IN}, {IN + 2}, 3")
    stacked = lambda lins, of: torch.stack([of(lin.weight).T for lin in lins])
    variants("MFConv", lambda given: pyg.MFConv(IN, OUT, max_degree=3, **given),
             lambda m, of: {"W": stacked(m.lins_l, of), "W_self": stacked(m.lins_r, of),
                            **({"b": torch.stack([of(lin.bias) for lin in m.lins_l])} if m.lins_l[0].bias is not None else {})},
             [("", "", {}), (" without bias", ", bias = false", no_bias)], f"{IN}, {OUT}, 3")
    variants("PDNConv", lambda given: pyg.PDNConv(IN, OUT, FEATURES, 5, **given),
             lambda m, of: {**dense(m.lin, of, "W", None), **dense(m.mlp[0], of, "W1", "b1"), "w2": of(m.mlp[2].weight)[0], "b2": of(m.mlp[2].bias)[0],
                            **biased(m, of)},
             [("", "", {}, {**featured, "repeats": False}), (" without loops", ", add_self_loops = false, bias = false", {**no_loops, **no_bias}, featured),
              (" without norm", ", normalize = false", no_norm, featured)], f"{IN}, {OUT}, {FEATURES}, 5")
    film = lambda lin, of: {"G": of(lin.weight).T[:, OUT:], "B": of(lin.weight).T[:, :OUT]}
    each = lambda m, of, part: torch.stack([film(lin, of)[part] for lin in m.films])
    offsets = lambda m, of: torch.stack([of(lin.bias) for lin in m.films])
    variants("FiLMConv", lambda given: pyg.FiLMConv(IN, OUT, **given),
             lambda m, of: {"W": stacked(m.lins, of), "G": each(m, of, "G"), "B": each(m, of, "B"), "b": offsets(m, of)[:, :OUT],
                            "g": offsets(m, of)[:, OUT:], "W_skip": of(m.lin_skip.weight).T,
                            **{key + "_skip": value for key, value in film(m.film_skip, of).items()}},
             [("", "", {}, {"types": 1, "apply": lambda m, edges, x, types: m(x, edges)}),
              (" of types", ", 3, act = tanh, aggr = sum", {"num_relations": 3, "act": torch.nn.Tanh(), "aggr": "sum"},
               {"types": 3, "apply": lambda m, edges, x, types: m(x, edges, types)})], f"{IN}, {OUT}")
    alone = {"apply": lambda m, edges, x: m(x)}
    twice = {"apply": lambda m, edges, x: m(torch.cat([x, x]))[:len(x)]}  # PyTorch refuses one row
    variants("PairNorm", lambda given: pyg.PairNorm(**given), lambda m, of: {},
             [("", "", {}, alone), (" of rows", ", 2.0, scale_individually = true", {"scale": 2.0, "scale_individually": True}, alone)], f"{IN}")
    variants("MessageNorm", lambda given: pyg.MessageNorm(**given), lambda m, of: {"scale": of(m.scale)[0]} if m.scale.requires_grad else {},
             [("", "", {}, {"apply": lambda m, edges, x: m(x, x * x), "call": "conv(x, x * x)"}),
              (" with a scale", ", learn_scale = true", {"learn_scale": True}, {"apply": lambda m, edges, x: m(x, x * x), "call": "conv(x, x * x)"})], f"{IN}")
    variants("MeanSubtractionNorm", lambda given: pyg.MeanSubtractionNorm(), lambda m, of: {}, [("", "", {}, alone)], f"{IN}")
    variants("InstanceNorm", lambda given: pyg.InstanceNorm(IN, **given),
             lambda m, of: {"norm.gamma": of(m.weight), "norm.beta": of(m.bias)} if m.affine else {},
             [("", "", {}, twice), (" with weights", ", affine = true", {"affine": True}, twice)], f"{IN}")


def source(declaration, call, inputs):
    types = {"weight": "real", "a": f"real[{FEATURES}]"}
    edges = "".join(f"input {name}: {types[name]} " for name in inputs if name in types)
    return (f"import nn\n\nmodel Case() {{\n  layer conv = {declaration}\n" + (f"  edge u -> v {{ {edges}}}\n" if edges else "") +
            f"  vertex v {{ input x: real[{IN}] output y = {call} }}\n}}\n")


def drawn_graph(draw, vertices):
    """Edges among which loops, repeated ones too, and edges repeat; the last vertex of five has none."""
    ends = max(1, vertices - vertices // 5)
    edges = [(draw.randrange(ends), draw.randrange(ends)) for _ in range(draw.randrange(3 * vertices + 1))]
    edges += [draw.choice(edges) for _ in range(len(edges) // 4)]
    for v in draw.sample(range(ends), ends // 2):
        edges += draw.randrange(1, 4) * [(v, v)]
    draw.shuffle(edges)
    return torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).T.contiguous()


def zeros_or(tensor, grad):
    return torch.zeros_like(tensor) if grad is None else grad


def of_last_loops(values, edges):
    """Values of edges, with 0 on all loops of a vertex but the last."""
    last = {int(u): i for i, (u, v) in enumerate(edges.T) if u == v}
    return torch.stack([value if u != v or last[int(u)] == i else 0 * value for i, ((u, v), value) in enumerate(zip(edges.T, values))])


def difference(a, b):
    """The largest difference, relative to the largest number."""
    return float((a - b).detach().abs().max() / max(float(b.detach().abs().max()), 1e-3)) if a.numel() else 0


def worse(largest, error):
    """The greater one; NaN, to which no number compares, is the worst."""
    return largest if error <= largest or largest != largest else error


def worst(name, draw, folder):
    """The largest relative difference over graphs of several sizes."""
    declaration, factory, weights, apply, call, inputs, types, repeats = CASES[name]
    path = pathlib.Path(folder) / "case.gnn"
    path.write_text(source(declaration, call, inputs))
    ours, module = gnnc.torch.Module(gnnc.compile(path, real="f64", output=str(path.with_suffix(".so")))), factory().double()
    own = dict(ours.named_parameters())
    with torch.no_grad():
        for parameter in filter(lambda p: p.requires_grad, module.parameters()):
            parameter.copy_(0.7 * torch.randn(parameter.shape))
        named = weights(module, lambda p: p)
        if {f"conv.{key}" for key in named} != set(own):
            raise SystemExit(f"{name}: weights {sorted(own)} here, {sorted(named)} there")
        for key, value in named.items():
            own[f"conv.{key}"].copy_(value)
    largest = 0
    for vertices in [1, 3, 12, 25]:
        edges = drawn_graph(draw, vertices)
        if not repeats:
            edges = edges[:, of_last_loops(torch.ones(edges.shape[1]), edges) > 0] if edges.numel() else edges
        if edges.shape[1] < types:
            continue
        graph, typed = edges, {}
        if types:
            typed["types"] = torch.tensor(draw.sample([i % types for i in range(edges.shape[1])], edges.shape[1]))
            graph = gnnc.Graph.from_edge_index(edges, vertices, typed["types"])
        shapes = {"x": (vertices, IN), "weight": (edges.shape[1],), "a": (edges.shape[1], FEATURES)}
        drawn = {key: torch.randn(shapes[key], dtype=torch.float64) for key in inputs}
        if "weight" in drawn:
            drawn["weight"] = drawn["weight"].abs() + 0.1
        mine, theirs = ({key: value.clone().requires_grad_() for key, value in drawn.items()} for _ in range(2))
        module.zero_grad()
        ours.zero_grad()
        output, expected = ours(graph, **mine), apply(module, edges, **theirs, **typed)
        slopes = torch.randn(expected.shape, dtype=torch.float64)
        output.backward(slopes)
        expected.backward(slopes)
        grads = weights(module, lambda p: zeros_or(p, p.grad))
        pairs = [(output, expected)] + [(own[f"conv.{key}"].grad, grad) for key, grad in grads.items()]
        for a, b in pairs:
            if a.shape != b.shape:
                raise SystemExit(f"{name}: {list(a.shape)} here, {list(b.shape)} there")
            largest = worse(largest, difference(a, b))
        for key in inputs:
            a, b = mine[key].grad, zeros_or(theirs[key], theirs[key].grad)
            # Of the loops of a vertex the last counts; PyTorch's `index_put` gives its gradient to all of them.
            also = of_last_loops(b, edges) if key != "x" and a.numel() else b
            largest = worse(largest, min(difference(a, b), difference(a, also)))
    return largest


def main(seed=0, *names):
    draw = random.Random(int(seed))
    torch.manual_seed(int(seed))
    torch.set_default_dtype(torch.float64)  # of degrees, too
    spectral()
    attention()
    others()
    more()
    for name in names or CASES:
        with tempfile.TemporaryDirectory() as folder:
            error = worst(name, draw, folder)
        print(f"{'agree' if error < 1e-9 else f'DIFFER by {error:.2g}'}: {name}", flush=True)
    print(f"{len(names or CASES)} layers")


main(*sys.argv[1:])
