"""PyTorch Geometric on the GPU: its layers as they are, and by torch.compile. Timed by events of CUDA."""

import torch
from torch_geometric.nn import FastRGCNConv, GATConv, GCNConv
from torch_geometric.nn.conv import SimpleConv

from gpu.problems import TRAIN_STEPS


class Clock:
    """Times what is done on torch's stream."""

    def __init__(self, device="cuda"):
        self.device = device
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def seconds(self, function):
        torch.cuda.synchronize()
        self.begin.record()
        function()
        self.end.record()
        torch.cuda.synchronize()
        return self.begin.elapsed_time(self.end) / 1e3


def used_bytes():
    """Of the GPU, by all processes."""
    free, total = torch.cuda.mem_get_info()
    return total - free


class Attention(torch.nn.Module):
    def __init__(self, sizes, values):
        super().__init__()
        self.conv = GATConv(sizes["in"], sizes["hidden"], sizes["heads"])
        pairs = [(self.conv.lin.weight, values["conv.W"].flatten(1).t()), (self.conv.att_src, values["conv.a_src"]),
                 (self.conv.att_dst, values["conv.a_dst"]), (self.conv.bias, values["conv.b"])]
        copy(pairs)
        # As in the model, edges are those of the data: no self loops are added.
        self.conv.add_self_loops = False

    def forward(self, x, edges, types):
        return self.conv(x, edges)


class Relational(torch.nn.Module):
    """Two layers; the first has one-hot ids as its input."""

    def __init__(self, sizes, values):
        super().__init__()
        vertices = values["own"].shape[0]
        self.first = FastRGCNConv(vertices, sizes["hidden"], sizes["relations"])
        self.second = FastRGCNConv(sizes["hidden"], sizes["classes"], sizes["relations"])
        copy([(self.first.weight, values["z"].transpose(0, 1)), (self.first.root, values["own"]), (self.first.bias, values["b"]),
              (self.second.weight, values["conv.W"]), (self.second.root, values["conv.W0"]), (self.second.bias, values["conv.b"])])

    def forward(self, x, edges, types):
        return self.second(self.first(None, edges, types).relu(), edges, types)


class Citations(torch.nn.Module):
    def __init__(self, sizes, values):
        super().__init__()
        self.first, self.second = GCNConv(sizes["in"], sizes["hidden"], cached=True), GCNConv(sizes["hidden"], sizes["classes"], cached=True)
        copy([(layer.lin.weight, values[name + ".W"].t()) for layer, name in ((self.first, "conv1"), (self.second, "conv2"))])
        copy([(layer.bias, values[name + ".b"]) for layer, name in ((self.first, "conv1"), (self.second, "conv2"))])

    def forward(self, x, edges, types):
        def drop(value):
            return torch.nn.functional.dropout(value, 0.5, self.training)

        return self.second(drop(self.first(drop(x), edges).relu()), edges)


class Sum(torch.nn.Module):
    def __init__(self, sizes, values):
        super().__init__()
        self.conv = SimpleConv("sum")

    def forward(self, x, edges, types):
        return self.conv(x, edges)


NETWORKS = {"sum": Sum, "gat": Attention, "rgcn": Relational, "gcn": Citations}


def copy(pairs):
    with torch.no_grad():
        for parameter, value in pairs:
            parameter.copy_(value.reshape(parameter.shape))


class Pyg:
    def __init__(self, problem, clock, compiled):
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        case, self.clock, self.problem = problem.case, clock, problem
        self.draws_its_own, self.note = case.what == "gcn", ""
        values = {name: torch.from_numpy(value) for name, value in getattr(problem, "parameters", {}).items()}
        self.network = NETWORKS[case.what](dict(case.sizes), values).to(clock.device)
        self.called = torch.compile(self.network) if compiled else self.network
        x = problem.inputs.get("x")
        if case.what == "gcn":  # the model's input is row-normalised
            x = x / x.sum(1, keepdims=True).clip(1e-12)
        self.x = None if x is None else torch.from_numpy(x).to(clock.device)
        self.edges = torch.stack([torch.from_numpy(ends.copy()) for ends in (problem.source, problem.destination)]).to(clock.device)
        self.types = None if problem.type is None else torch.from_numpy(problem.type).long().to(clock.device)
        self.rows = torch.from_numpy(problem.sampled_rows()).to(clock.device)
        if case.trains:
            self.train = torch.from_numpy(problem.train).to(clock.device)
            self.labels = torch.from_numpy(problem.labels).long().to(clock.device)[self.train]
            first = [parameter for name, parameter in self.network.named_parameters() if name.startswith("first")]
            others = [parameter for name, parameter in self.network.named_parameters() if not name.startswith("first")]
            self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01)
            if case.what == "gcn":
                self.optimizer = torch.optim.Adam([{"params": first, "weight_decay": 5e-4}, {"params": others}], lr=0.01, fused=True)

    def loss(self):
        return torch.nn.functional.cross_entropy(self.called(self.x, self.edges, self.types)[self.train], self.labels)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss()
        loss.backward()
        self.optimizer.step()
        return loss

    def infer(self):
        with torch.no_grad():
            return self.called(self.x, self.edges, self.types)

    def check(self):
        if not self.problem.case.trains:
            return self.infer()[self.rows].cpu().flatten().tolist()
        self.network.eval()
        with torch.no_grad():
            losses = [self.loss().item()]
        self.network.train()
        return losses if self.draws_its_own else losses + [self.step().item() for _ in range(TRAIN_STEPS)]

    def seconds(self):
        return self.clock.seconds(self.step if self.problem.case.trains else self.infer)

    def bytes(self):
        return torch.cuda.max_memory_allocated()

    def close(self):
        self.network = self.called = self.optimizer = self.edges = self.x = None
        torch.cuda.empty_cache()
