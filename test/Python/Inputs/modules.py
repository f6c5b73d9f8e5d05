"""Modules of models that were written in the language."""
import gnnc
import gnnc.torch
import torch

ATTENTION = """
layer Attention(in: dim, out: dim) {
  param W: real[in, out]
  param a: real[out]
  vertex v (h: real[in], edge w: real) -> real[out] {
    let z = h @ W
    let s = leaky_relu(dot(u.z, a) + e.w * v.z[0], 0.2) for e: u -> v
    return sum(softmax(s) * u.z for u -> v)
  }
}
model Net(in: dim = 3, classes: dim = 2) {
  graph { symmetric; self_loops }
  layer conv = Attention(in, classes)
  edge u -> v { input w: real }
  vertex v {
    input x: real[in]
    output y = conv(x, w)
  }
}
"""
NORMALIZED = """
import nn
model Net(in: dim = 3) {
  layer norm = BatchNorm(in)
  vertex v {
    input x: real[in]
    output y = norm(x)
  }
}
"""


def main():
    torch.manual_seed(0)
    edges = torch.tensor([[0, 1, 2, 3, 0, 2, 2], [1, 2, 0, 0, 1, 2, 2]])
    x, w = torch.randn(5, 3, dtype=torch.float64), torch.randn(7, dtype=torch.float64)
    model = gnnc.compile(ATTENTION, real="f64")
    module = gnnc.torch.Module(model, seed=3)
    names = [name for name, _ in module.named_parameters()]

    def function(x, w, *parameters):
        return torch.func.functional_call(module, dict(zip(names, parameters)), (edges,), {"x": x, "w": w})

    arguments = [tensor.detach().requires_grad_() for tensor in (x, w, *module.parameters())]
    print("gradcheck:", torch.autograd.gradcheck(function, arguments))
    graph = gnnc.Graph.from_edge_index(edges, 5)
    own = dict(module.named_parameters())
    plan = module._function._plan(graph, {"x": x, "w": w}, ("conv.W", "conv.a", "x", "w"), False)
    given = ([x.detach().requires_grad_(), w.detach().requires_grad_()], [own[name] for name, _, _ in plan.pullback.parameters],
             plan.number, 0)
    print("opcheck:", torch.library.opcheck(gnnc.torch._forward, given, test_utils=("test_schema", "test_autograd_registration",
                                                                                   "test_faketensor")))
    gradient, = torch.autograd.grad(function(*arguments).sum(), arguments[0], create_graph=True)
    try:
        torch.autograd.grad(gradient.sum(), arguments[0])
        print("second derivative:", "a number")
    except RuntimeError:
        print("second derivative: an error")

    norm = gnnc.torch.Module(gnnc.compile(NORMALIZED), seed=1)
    print("state:", sorted(name for name, _ in norm.named_buffers()))
    before = {name: value.clone() for name, value in norm.named_buffers()}
    norm.train()(edges, x=x.float() + 3)
    print("states moved:", all(not torch.equal(before[name], value) for name, value in norm.named_buffers()))
    with torch.no_grad():
        print("evaluation: no gradient,", norm.eval()(edges, x=x.float()).sum().item())


main()
