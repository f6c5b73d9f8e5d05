"""make_programs.py: writes the .pt2 files of this folder and the logits that PyTorch has for them, in logits.json. Needs PyTorch and PyG;
tests need neither. The graph has loops, a double loop, double edges and a vertex without edges."""
import json
import os
import zipfile

import torch
import torch_geometric
from torch_geometric.nn import GATConv, GATv2Conv, GCNConv, GINConv, SAGEConv

FOLDER = os.path.dirname(os.path.abspath(__file__))
EDGES = [[0, 1, 2, 2, 3, 0, 4, 4, 1], [1, 0, 1, 1, 3, 2, 4, 4, 5]]


class Net(torch.nn.Module):
    def __init__(self, conv1, conv2):
        super().__init__()
        self.conv1, self.conv2 = conv1, conv2

    def forward(self, x, edge_index):
        x = torch.nn.functional.dropout(x, 0.5, self.training)
        return self.conv2(self.conv1(x, edge_index).relu(), edge_index)


class Weighted(torch.nn.Module):
    """Weights of edges, and the same number as a feature, which loops have as the mean of the others."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = GCNConv(5, 4, improved=True), GATv2Conv(4, 3, heads=2, edge_dim=1, concat=False)

    def forward(self, x, edge_index, near):
        return self.conv2(self.conv1(x, edge_index, near).relu(), edge_index, near)


class WeightedOnce(torch.nn.Module):
    """Weights of edges and the defaults of a GCN."""

    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(5, 4)

    def forward(self, x, edge_index, near):
        return self.conv1(x, edge_index, near)


class Frozen(torch.nn.Module):
    """A GCN whose matrix is a buffer, which training does not change."""

    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(5, 4)
        weight = self.conv1.lin.weight.detach()
        del self.conv1.lin.weight
        self.conv1.lin.register_buffer("weight", weight)

    def forward(self, x, edge_index):
        return self.conv1(x, edge_index)


class Deep(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(5, 4)

    def forward(self, x, edge_index):
        h = self.conv1(x, edge_index)
        for _ in range(300):
            h = h.tanh()
        return h


class Sort(torch.nn.Module):
    def forward(self, x, edge_index):
        return x.sort(dim=0).values


def mlp(features, classes):
    return torch.nn.Sequential(torch.nn.Linear(features, 6), torch.nn.ReLU(), torch.nn.Linear(6, classes))


def save(program, name):
    """Saves a program; stack traces name files as in an installation of anybody's."""
    path = os.path.join(FOLDER, name + ".pt2")
    torch.export.save(program, path)
    packages = os.path.dirname(os.path.dirname(torch_geometric.__file__))
    with zipfile.ZipFile(path) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for entry, data in entries.items():
            if entry.endswith(".json"):
                data = data.replace(packages.encode(), b"site-packages").replace(FOLDER.encode() + b"/", b"")
            archive.writestr(entry, data)


def main():
    torch.manual_seed(0)
    x, edges = torch.randn(7, 5), torch.tensor(EDGES)
    open_dims = {"x": {0: torch.export.Dim("N")}, "edge_index": {1: torch.export.Dim("E")}}
    models = {
        "gcn": Net(GCNConv(5, 4), GCNConv(4, 3)),
        "sage": Net(SAGEConv(5, 4), SAGEConv(4, 3, aggr="max", flow="target_to_source")),
        "gin": Net(GINConv(mlp(5, 4)), GINConv(mlp(4, 3), train_eps=True)),
        "sort": Sort(),
    }
    logits = {"x": x.tolist(), "edges": EDGES}
    for name, model in models.items():
        program = torch.export.export(model.eval(), (x, edges), dynamic_shapes=open_dims)
        save(program, name)
        if name == "sage":
            save(program.run_decompositions(), name + "-decomposed")
        logits[name] = model(x, edges).tolist()
    # Later models, so that those above keep their random weights. Both loops at vertex 4 have one weight: PyTorch may take either.
    near = torch.tensor([0.5, 1.0, 2.0, 0.25, 1.5, 0.75, 3.0, 3.0, 1.25])
    gat = Net(GATConv(5, 4, heads=2, dropout=0.6), GATConv(8, 3, heads=2, concat=False, residual=True))
    for name, model, inputs in (("gat", gat, (x, edges)), ("weighted", Weighted(), (x, edges, near))):
        shapes = dict(open_dims, near={0: torch.export.Dim("E")}) if name == "weighted" else open_dims
        program = torch.export.export(model.eval(), inputs, dynamic_shapes=shapes)
        save(program, name)
        if name == "gat":
            save(program.run_decompositions(), name + "-decomposed")
        logits[name] = model(*inputs).tolist()
    logits["near"] = near.tolist()
    for name, model, inputs in (("weighted-once", WeightedOnce(), (x, edges, near)), ("frozen", Frozen(), (x, edges)), ("deep", Deep(), (x, edges))):
        shapes = dict(open_dims, near={0: torch.export.Dim("E")}) if len(inputs) > 2 else open_dims
        save(torch.export.export(model.eval(), inputs, dynamic_shapes=shapes), name)
    fixed = torch.export.export(models["sage"], (x, edges))
    save(fixed, "fixed-sizes")
    with open(os.path.join(FOLDER, "logits.json"), "w") as file:
        json.dump(logits, file)


if __name__ == "__main__":
    main()
