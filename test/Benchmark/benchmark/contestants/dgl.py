"""DGL: its message-passing operators; what makes a tensor of edges that does not fit goes over slices of destinations."""

import os
import time

os.environ["DGLBACKEND"] = "pytorch"

import dgl
import torch

from benchmark.contestants.torch_models import step_of
from benchmark.slices import slices_of


class GraphConv(torch.nn.Module):
    """dgl.nn.GraphConv(norm="both") but for the degree at the source, which is the in-degree as everywhere else here."""

    def __init__(self, graph, own):
        super().__init__()
        self.weight, self.bias = torch.nn.Parameter(own["W"].clone()), torch.nn.Parameter(own["b"].clone())
        self.scale = graph.in_degrees().clamp(min=1).float().rsqrt().unsqueeze(1)

    def forward(self, graph, x):
        return dgl.ops.copy_u_sum(graph, (x @ self.weight) * self.scale) * self.scale + self.bias


class Network(torch.nn.Module):
    """Two layers of DGL, with the parameters given."""

    def __init__(self, name, graph, values):
        super().__init__()
        self.name, self.graph = name, graph
        self.conv1, self.conv2 = self.layer("conv1", values), self.layer("conv2", values)

    def layer(self, prefix, values):
        own = {key.split(".")[1]: torch.from_numpy(value) for key, value in values.items() if key.startswith(prefix)}
        weight = own["W"].flatten(1)
        width, out = weight.shape
        if self.name == "gcn":
            return GraphConv(self.graph, own)
        if self.name == "sage":
            conv = dgl.nn.SAGEConv(width, out, "mean")
            pairs = [(conv.fc_neigh.weight, weight.t()), (conv.fc_self.weight, own["W_self"].t()), (conv.fc_self.bias, own["b"])]
        else:
            heads = own["W"].shape[1]
            conv = dgl.nn.GATConv(width, out // heads, heads)
            pairs = [(conv.fc.weight, weight.t()), (conv.attn_l, own["a_src"]), (conv.attn_r, own["a_dst"]), (conv.bias, own["b"])]
        with torch.no_grad():
            for parameter, value in pairs:
                parameter.copy_(value.reshape(parameter.shape))
        return conv

    def forward(self, x):
        hidden = self.conv1(self.graph, x).flatten(1)
        hidden = torch.nn.functional.elu(hidden) if self.name == "gat" else torch.relu(hidden)
        return self.conv2(self.graph, hidden).flatten(1)


class Contestant:
    note = ""

    def __init__(self, form, settings):
        self.edge_limit = settings["edge_bytes"]

    def versions(self):
        return {"dgl": dgl.__version__, "torch": torch.__version__}

    def graph(self, edges):
        self.edges, self.whole = edges, None
        start = time.perf_counter()
        source, destination = torch.from_numpy(edges.list())
        loaded = time.perf_counter()
        self.whole = dgl.graph((source.int(), destination.int()), num_nodes=edges.vertices, idtype=torch.int32)
        self.whole.create_formats_()
        return {"load": loaded - start, "prepare": time.perf_counter() - loaded}

    def forget(self):
        """A step has all that it needs by itself."""

    def kernel(self, kernel, arrays, threads):
        torch.set_num_threads(threads)
        dgl.utils.set_num_threads(threads)
        return getattr(self, kernel.name)(kernel, {name: torch.from_numpy(array) for name, array in arrays.items()})

    def model(self, model, problem, threads, training):
        torch.set_num_threads(threads)
        dgl.utils.set_num_threads(threads)
        graph = self.whole
        if model.self_loops:
            graph = dgl.add_self_loop(dgl.remove_self_loop(graph))
            graph.create_formats_()
        self.note = {"gcn": "GraphConv", "sage": "SAGEConv", "gat": "GATConv"}[model.name]
        network = Network(model.name, graph, model.parameters(problem))
        return step_of(network, (torch.from_numpy(problem.x),), problem, training)

    def gcn_aggregation(self, kernel, arrays):
        self.note = "copy_u sum"
        return lambda: dgl.ops.copy_u_sum(self.whole, arrays["x"])

    def dot_attention(self, kernel, arrays):
        self.note = "u_dot_v"
        return lambda: dgl.ops.u_dot_v(self.whole, arrays["x"], arrays["x"])

    def mlp_aggregation(self, kernel, arrays):
        slices = slices_of(self.edges.indptr, kernel.width * 4, self.edge_limit)
        self.note = "u_add_v, linear, relu, copy_e max" + (", %d slices" % len(slices) if len(slices) > 1 else "")
        x, weight = arrays["x"], arrays["W"]
        blocks = [self.block(*bounds) for bounds in slices]
        result = torch.empty(self.edges.vertices, kernel.width)

        def step():
            for (first, last), block in zip(slices, blocks):
                message = torch.relu_(dgl.ops.u_add_v(block, x, x[first:last]) @ weight)
                result[first:last] = dgl.ops.copy_e_max(block, message)
            return result

        with torch.no_grad():
            return step

    def block(self, first, last):
        indptr = torch.from_numpy(self.edges.indptr[first:last + 1] - self.edges.indptr[first]).int()
        source = torch.from_numpy(self.edges.indices[self.edges.indptr[first]:self.edges.indptr[last]].copy())
        destination = torch.repeat_interleave(torch.arange(last - first, dtype=torch.int32), indptr.diff().long())
        block = dgl.create_block((source, destination), num_src_nodes=self.edges.vertices, num_dst_nodes=last - first, idtype=torch.int32)
        block.create_formats_()
        return block
