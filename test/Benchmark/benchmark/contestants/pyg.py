"""PyTorch Geometric and torch underneath it. Forms: `csr`, torch.sparse with CSR matrices (PyG's SpMM, and for scores sampled_addmm); `default`, PyG's
gather and scatter with a tensor of messages, in slices of destinations where it does not fit; `compile`, the same by torch.compile."""

import time

import torch
from torch_geometric.nn import GATConv, GCNConv, SAGEConv

from benchmark.contestants.torch_models import step_of
from benchmark.models import HIDDEN
from benchmark.slices import slices_of


def gather_sum(x, source, destination, rows):
    return x.new_zeros(rows, x.shape[1]).index_add_(0, destination, x.index_select(0, source))


def gather_mlp(x, x_own, weight, source, destination, rows):
    message = ((x.index_select(0, source) + x_own.index_select(0, destination)) @ weight).relu()
    index = destination.unsqueeze(1).expand_as(message)
    return message.new_zeros(rows, weight.shape[1]).scatter_reduce_(0, index, message, "amax", include_self=True)


def gather_dot(x, x_own, source, destination):
    return (x.index_select(0, source) * x_own.index_select(0, destination)).sum(1)


def matrix_of(source, destination, vertices):
    """CSR with ones, of edges sorted by destination; MKL's products read 32-bit indices."""
    ends = torch.arange(vertices + 1)
    return torch.sparse_csr_tensor(torch.searchsorted(destination, ends).int(), source.int(), torch.ones(len(source)), size=(vertices, vertices))


class Network(torch.nn.Module):
    """Two layers of PyG, with the parameters given."""

    def __init__(self, name, values):
        super().__init__()
        self.name = name
        self.conv1, self.conv2 = self.layer("conv1", values), self.layer("conv2", values)

    def layer(self, prefix, values):
        own = {key.split(".")[1]: torch.from_numpy(value) for key, value in values.items() if key.startswith(prefix)}
        weight = own["W"].flatten(1)
        width, out = weight.shape
        if self.name == "gat":
            heads = own["W"].shape[1]
            conv = GATConv(width, out // heads, heads)
            pairs = [(conv.lin.weight, weight.t()), (conv.att_src, own["a_src"]), (conv.att_dst, own["a_dst"]), (conv.bias, own["b"].flatten())]
        elif self.name == "sage":
            conv = SAGEConv(width, out)
            pairs = [(conv.lin_l.weight, weight.t()), (conv.lin_l.bias, own["b"]), (conv.lin_r.weight, own["W_self"].t())]
        else:
            conv = GCNConv(width, out, cached=True)
            pairs = [(conv.lin.weight, weight.t()), (conv.bias, own["b"])]
        with torch.no_grad():
            for parameter, value in pairs:
                parameter.copy_(value.reshape(parameter.shape))
        return conv

    def forward(self, x, edges):
        activation = torch.nn.functional.elu if self.name == "gat" else torch.relu
        return self.conv2(activation(self.conv1(x, edges)), edges)


class Contestant:
    note = ""

    def __init__(self, form, settings):
        self.form, self.edge_limit = form, settings["edge_bytes"]

    def versions(self):
        import torch_geometric
        return {"torch": torch.__version__, "torch_geometric": torch_geometric.__version__}

    def graph(self, edges):
        self.edges = edges
        self.matrix = self.source = self.destination = None
        start = time.perf_counter()
        self.source, self.destination = torch.from_numpy(edges.list())
        loaded = time.perf_counter()
        if self.form == "csr":
            self.matrix = matrix_of(self.source, self.destination, edges.vertices)
            self.source = self.destination = None
        return {"load": loaded - start, "prepare": time.perf_counter() - loaded}

    def forget(self):
        """A step has all that it needs by itself."""

    def kernel(self, kernel, arrays, threads):
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return getattr(self, ("csr_" if self.form == "csr" else "") + kernel.name)(kernel, tensors)

    def model(self, model, problem, threads, training):
        torch.set_num_threads(threads)
        if self.form == "csr" and model.name == "gat":
            raise NotImplementedError("attention has no sparse product")
        largest = max(HIDDEN[model.name] if model.name != "sage" else problem.features, problem.classes) * 4 * self.edges.count
        if self.form == "default" and largest > self.edge_limit * 2:
            raise MemoryError("does not fit: one tensor of messages takes %.0f GB" % (largest / 1e9))
        network = Network(model.name, model.parameters(problem))
        if self.form == "compile":
            network = torch.compile(network)
        self.note = "GCNConv cached" if model.name == "gcn" else ""
        edges = (self.loopless() if model.self_loops else self.matrix) if self.form == "csr" else torch.stack([self.source, self.destination])
        return step_of(network, (torch.from_numpy(problem.x), edges), problem, training)

    def loopless(self):
        """What GCNConv is to have: to a matrix it adds a self loop everywhere, to an edge list where there is none."""
        source, destination = torch.from_numpy(self.edges.list())
        others = source != destination
        return matrix_of(source[others], destination[others], self.edges.vertices)

    def csr_gcn_aggregation(self, kernel, arrays):
        self.note = "torch.sparse CSR @ dense"
        return lambda: self.matrix @ arrays["x"]

    def csr_dense_product(self, kernel, arrays):
        self.note = "dense product"
        return lambda: arrays["x"] @ arrays["W"]

    def csr_dot_attention(self, kernel, arrays):
        self.note = "torch.sparse.sampled_addmm"
        x, columns = arrays["x"], arrays["x"].t()
        return lambda: torch.sparse.sampled_addmm(self.matrix, x, columns, beta=0.0).values()

    def gcn_aggregation(self, kernel, arrays):
        x = arrays["x"]
        return self.over_slices("index_select, index_add", kernel, gather_sum,
                                lambda first, last, source, destination: (x, source, destination, last - first))

    def mlp_aggregation(self, kernel, arrays):
        x, weight = arrays["x"], arrays["W"]
        return self.over_slices("index_select, linear, relu, scatter amax", kernel, gather_mlp,
                                lambda first, last, source, destination: (x, x[first:last], weight, source, destination, last - first))

    def dot_attention(self, kernel, arrays):
        x = arrays["x"]
        return self.over_slices("index_select, product, sum", kernel, gather_dot,
                                lambda first, last, source, destination: (x, x[first:last], source, destination))

    def over_slices(self, note, kernel, function, arguments):
        """`function` over slices of destinations whose messages fit, or over all of them where that is one."""
        if self.form == "compile":
            function = torch.compile(function, dynamic=True)
        indptr = self.edges.indptr
        slices = slices_of(indptr, kernel.width * 4, self.edge_limit)
        self.note = note + (", %d slices" % len(slices) if len(slices) > 1 else "")
        parts = []
        for first, last in slices:
            begin, end = int(indptr[first]), int(indptr[last])
            parts.append(arguments(first, last, self.source[begin:end], self.destination[begin:end] - first))
        if len(parts) == 1:
            return lambda: function(*parts[0])
        return lambda: torch.cat([function(*part) for part in parts])
