"""DGL: its message-passing operators; what makes a tensor of edges that does not fit goes over slices of destinations."""

import os

os.environ["DGLBACKEND"] = "pytorch"

import dgl
import torch

from benchmark.slices import slices_of


class Contestant:
    note = ""

    def __init__(self, form, settings):
        self.edge_limit = settings["edge_bytes"]

    def versions(self):
        return {"dgl": dgl.__version__, "torch": torch.__version__}

    def graph(self, edges):
        self.edges = edges
        self.whole = None
        source, destination = torch.from_numpy(edges.list())
        self.whole = dgl.graph((source.int(), destination.int()), num_nodes=edges.vertices, idtype=torch.int32)
        self.whole.create_formats_()

    def kernel(self, kernel, arrays, threads):
        torch.set_num_threads(threads)
        dgl.utils.set_num_threads(threads)
        return getattr(self, kernel.name)(kernel, {name: torch.from_numpy(array) for name, array in arrays.items()})

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
