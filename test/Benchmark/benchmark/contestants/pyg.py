"""PyTorch Geometric and torch underneath it. Forms: `csr`, torch.sparse with CSR matrices (PyG's SpMM, and for scores sampled_addmm); `default`, PyG's
gather and scatter with a tensor of messages, in slices of destinations where it does not fit; `compile`, the same by torch.compile."""

import torch

from benchmark.slices import slices_of


def gather_sum(x, source, destination, rows):
    return x.new_zeros(rows, x.shape[1]).index_add_(0, destination, x.index_select(0, source))


def gather_mlp(x, x_own, weight, source, destination, rows):
    message = ((x.index_select(0, source) + x_own.index_select(0, destination)) @ weight).relu()
    index = destination.unsqueeze(1).expand_as(message)
    return message.new_zeros(rows, weight.shape[1]).scatter_reduce_(0, index, message, "amax", include_self=True)


def gather_dot(x, x_own, source, destination):
    return (x.index_select(0, source) * x_own.index_select(0, destination)).sum(1)


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
        if self.form == "csr":
            # MKL's products read 32-bit indices
            self.matrix = torch.sparse_csr_tensor(torch.from_numpy(edges.indptr).int(), torch.from_numpy(edges.indices.copy()),
                                                  torch.ones(edges.count), size=(edges.vertices, edges.vertices))
        else:
            self.source, self.destination = torch.from_numpy(edges.list())

    def kernel(self, kernel, arrays, threads):
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return getattr(self, ("csr_" if self.form == "csr" else "") + kernel.name)(kernel, tensors)

    def csr_gcn_aggregation(self, kernel, arrays):
        self.note = "torch.sparse CSR @ dense"
        return lambda: self.matrix @ arrays["x"]

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
