"""FeatGraph's three kernels at a width, and a dense product to hold them against: their sources, inputs and work."""

import dataclasses
import pathlib

import numpy

from benchmark.arrays import uniform

SOURCES = pathlib.Path(__file__).resolve().parent.parent
MLP_INNER = 8


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    width: int

    @property
    def source(self):
        return SOURCES / "kernels" / (self.name + ".gnn")

    @property
    def input_width(self):
        return MLP_INNER if self.name == "mlp_aggregation" else self.width

    @property
    def dims(self):
        return {"inner": MLP_INNER, "width": self.width} if self.name == "mlp_aggregation" else {"width": self.width}

    def flop(self, vertices, edges):
        """By DGL's definitions (benchmarks/kernel/bench_*.py): a copy_u sum is one flop an element of an edge, u_dot_v two; the MLP by its products."""
        return {"gcn_aggregation": edges * self.width,
                "dot_attention": 2 * edges * self.width,
                "mlp_aggregation": 2 * edges * MLP_INNER * self.width,
                "dense_product": 2 * vertices * self.width ** 2}[self.name]

    def inputs(self, vertices):
        """The same arrays for every contestant: in [-1, 1), so that nothing overflows and sums cancel as they do in practice."""
        random = numpy.random.Generator(numpy.random.PCG64(7))
        arrays = {"x": uniform(random, vertices, self.input_width)}
        if self.name in ("mlp_aggregation", "dense_product"):
            arrays["W"] = uniform(random, self.input_width, self.width)
        return arrays


KERNELS = ["gcn_aggregation", "mlp_aggregation", "dot_attention"]
DENSE = "dense_product"
