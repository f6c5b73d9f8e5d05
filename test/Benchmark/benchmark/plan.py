"""What is measured, and by whom: the points of the suites."""

import dataclasses

from benchmark import kernels, models

KERNELS, MODELS = kernels.KERNELS + [kernels.DENSE], models.MODELS
AS_IS = "gnnc:as-is"  # without any option: no sizes, no instruction set, no order, no tuning
CONTESTANTS = [AS_IS, "gnnc", "dgl", "pyg:csr", "pyg:default", "pyg:compile"]
WIDTHS = [32, 64, 128, 256, 512]
SUMS, SCORES = 1e-4, 1e-3  # how far results may differ: sums of thousands of terms in another order; exponentials of such


@dataclasses.dataclass(frozen=True)
class KernelCase:
    graph: str
    kernel: kernels.Kernel
    tolerance = SUMS

    def labels(self):
        return {"graph": self.graph, "what": self.kernel.name, "width": self.kernel.width}

    def request(self, threads):
        return {"op": "kernel", "name": self.kernel.name, "width": self.kernel.width, "threads": threads}

    def flop(self, graph):
        return self.kernel.flop(graph["vertices"], graph["edges"])


@dataclasses.dataclass(frozen=True)
class ModelCase:
    graph: str
    model: str
    training: bool

    tolerance = SCORES

    def labels(self):
        return {"graph": self.graph, "what": self.model + (" training" if self.training else " inference"), "width": models.HIDDEN[self.model]}

    def request(self, threads):
        return {"op": "model", "name": self.model, "training": self.training, "threads": threads}

    def flop(self, graph):
        return None


def serves(contestant, case, suite):
    """Whether a contestant is asked for a case. torch.sparse has no product for the MLP aggregation, nor for attention; in the daily suite PyG's slower forms
    are left out where another is at hand."""
    is_kernel = isinstance(case, KernelCase)
    if is_kernel and case.kernel.name == kernels.DENSE:
        return contestant.startswith("gnnc") or contestant == "pyg:csr"
    lacks_csr = case.kernel.name == "mlp_aggregation" if is_kernel else case.model == "gat"
    if contestant == "pyg:csr":
        return not lacks_csr
    if suite == "daily" and contestant == "pyg:default":
        return not is_kernel and lacks_csr
    if suite == "daily" and contestant == "pyg:compile":
        return is_kernel and lacks_csr
    return True


def product(graphs, kernel_names, widths, model_names):
    return [case for graph in graphs
            for case in [KernelCase(graph, kernels.Kernel(name, width)) for name in kernel_names for width in widths] +
            [ModelCase(graph, name, training) for name in model_names for training in (False, True)]]


SMALL = ["cora", "amazon_photo"]
TENTHS = ["rand-100K-tenth", "proteins-tenth", "reddit-tenth"]
FULL = ["rand-100K", "proteins", "reddit"]
SUITES = {
    "daily": product(["rand-100K-tenth", "reddit-tenth"], kernels.KERNELS, [64, 256], []) + product(["uniform-tenth"], ["gcn_aggregation"], [64, 256], [])
             + product(["rand-100K-tenth"], [kernels.DENSE], [512], []) + product(SMALL, [], [], MODELS),
    "record": product(TENTHS + FULL, KERNELS, WIDTHS, []) + product(["uniform-tenth"], ["gcn_aggregation"], WIDTHS, [])
              + product(SMALL + ["reddit-tenth", "reddit"], [], [], MODELS),
    "ablation": product(["rand-100K-tenth", "reddit-tenth"], kernels.KERNELS, [64, 256], []) + product(["reddit-tenth"], [], [], ["gat"]),
    "tuning": product(TENTHS, ["gcn_aggregation"], WIDTHS, []) + product(TENTHS, ["dot_attention"], [64, 256], []),
}
EXAMPLES = "examples"  # a suite of its own: examples.py
# gnnc's flags with one optimisation off each, the contestants of the ablation
OFF = {
    "no-partitions": "--schedule partition=1",
    "no-passes": "--schedule pass=512",
    "prefetch-1": "--schedule prefetch=1",
    "tile-16": "--schedule tile=16",
    "edge-products": "--edge-products edges",
    "avx2": "--target x86-64-v3",
}
# gnnc against itself: variants of the suites that have no peers
VARIANTS = {"ablation": OFF, "tuning": {"tuned": "tune=20s"}}


def text():
    about = {"daily": "at most 10 minutes", "record": "hours", "ablation": "a quarter of an hour; gnnc against itself with one optimisation off",
             "tuning": "a quarter of an hour; gnnc against itself as `gnnc tune` finds it in 20 seconds"}
    lines = ["  %-8s %d points, %s" % (name, len(cases), about[name]) for name, cases in SUITES.items()]
    return "\n".join(lines + ["  %-8s every example, as a user gets it" % EXAMPLES])
