"""Runs the blocks of Python in a page, in the current folder."""
import re
import subprocess
import sys
import types

import torch
from torch_geometric.nn import GCNConv

import gnnc


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(4, 8), GCNConv(8, 3)

    def forward(self, x, edge_index):
        return self.conv2(self.conv1(x, edge_index).relu(), edge_index)


def main(page):
    with open(page) as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
    torch.manual_seed(1)
    model, x, edge_index = Net(), torch.randn(30, 4), torch.randint(30, (2, 90))
    y, train_mask = x[:, :3].argmax(1), torch.arange(30) < 20
    names = {"model": model, "x": x, "edge_index": edge_index,
             "data": types.SimpleNamespace(x=x, edge_index=edge_index, y=y, train_mask=train_mask)}
    exec(blocks[0], names)
    print("block 1: exported")

    def loss():
        return torch.nn.functional.cross_entropy(model.eval()(x, edge_index)[train_mask], y[train_mask]).item()

    before = loss()
    exec(blocks[1], names)
    print(f"block 2: trained, {before:.3f} to {loss():.3f}" if loss() < 0.8 * before else "block 2: no better")
    exec(blocks[0], names)
    subprocess.run([gnnc._native.program("gnnc"), "import", "-q", "model.pt2"], check=True)
    names["slopes"] = torch.ones(30, 3)
    expected = model(x, edge_index)
    exec(blocks[2], names)
    assert set(names["gradients"]) >= {"x", "conv1.W"}
    same = torch.allclose(torch.from_dlpack(names["logits"]), expected, atol=1e-5)
    print("block 3: outputs", "as PyTorch's" if same else "differ")


main(*sys.argv[1:])
