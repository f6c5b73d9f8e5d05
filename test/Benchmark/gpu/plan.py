"""What is measured, at which sizes, and the goals."""

import dataclasses
import pathlib

BENCHMARK = pathlib.Path(__file__).resolve().parent.parent
GNNC, CUSPARSE, PYG, COMPILED = "gnnc", "cusparse", "pyg", "pyg:compile"
SUITES = ["aggregation", "attention", "relational", "step"]


@dataclasses.dataclass(frozen=True)
class Graph:
    """What gnn-data generates with seed 1; `relations`: typed edges, drawn evenly, with one against each of another type."""
    name: str
    kind: str
    vertices: int
    edges: int
    relations: int = 0
    classes: int = 41


@dataclasses.dataclass(frozen=True)
class Case:
    suite: str
    what: str  # "sum", "gat", "rgcn", "gcn"
    graph: Graph
    sizes: tuple  # of pairs: dimensions of the model
    tolerance: float  # of what contestants give, relative to the reference

    @property
    def title(self):
        return "%s %s on %s" % (self.what, " ".join("%s=%d" % size for size in self.sizes), self.graph.name)

    @property
    def trains(self):
        return self.what != "sum"

    @property
    def source(self):
        return {"sum": BENCHMARK / "kernels/gcn_aggregation.gnn", "gat": BENCHMARK / "gpu/models/gat_layer.gnn",
                "rgcn": BENCHMARK / "gpu/models/rgcn.gnn", "gcn": BENCHMARK / "gcn_dense.gnn"}[self.what]

    def compulsory_bytes(self):
        """What a sum must move: every index, input and result once."""
        if self.what != "sum":
            return None
        rows = 4 * self.graph.vertices * dict(self.sizes)["width"]
        return 4 * self.graph.edges + 8 * (self.graph.vertices + 1) + 2 * rows


@dataclasses.dataclass(frozen=True)
class Goal:
    text: str
    value: float
    bound: float
    at_least: bool

    @property
    def reached(self):
        return self.value >= self.bound if self.at_least else self.value <= self.bound


FULL_SIZES = {"vertices": 230_000, "edges": 115_000_000, "widths": [16, 32, 64, 128, 256, 512], "features": 64,
              # Entities, triples and relations of the data sets.
              "relational": [("AIFB", 8_285, 29_043, 45, 4), ("MUTAG", 23_644, 74_227, 23, 2), ("BGS", 333_845, 916_199, 103, 2)],
              "cora": (2_708, 5_278, 1_433, 7)}
TINY_SIZES = {"vertices": 40, "edges": 200, "widths": [4, 16], "features": 4,
              "relational": [("AIFB", 20, 50, 2, 3)], "cora": (30, 60, 9, 3)}


def cases(suites, tiny=False, fitting=True):
    """`fitting`: attention on a tenth of the edges too, where PyTorch Geometric fits."""
    sizes = TINY_SIZES if tiny else FULL_SIZES
    count, edges = sizes["vertices"], sizes["edges"]
    skewed, even = Graph("rmat", "rmat", count, edges), Graph("uniform", "uniform", count, edges)
    result = [Case("aggregation", "sum", graph, (("width", width),), 1e-5) for graph in (skewed, even) for width in sizes["widths"]]
    for graph in ([Graph("rmat-tenth", "rmat", count, edges // 10)] if fitting else []) + [skewed]:
        result += [Case("attention", "gat", dataclasses.replace(graph, classes=heads * hidden),
                        (("in", sizes["features"]), ("hidden", hidden), ("heads", heads)), 1e-4) for heads, hidden in ((8, 8), (4, 64))]
    for name, entities, triples, relations, classes in sizes["relational"]:
        graph = Graph(name, "uniform", entities, triples, relations, classes)
        result.append(Case("relational", "rgcn", graph, (("hidden", 16), ("relations", 2 * relations), ("classes", classes)), 1e-4))
    papers, citations, words, classes = sizes["cora"]
    result.append(Case("step", "gcn", Graph("cora", "uniform", papers, 2 * citations, 0, classes),
                       (("in", words), ("hidden", 16), ("classes", classes)), 1e-4))
    return [case for case in result if case.suite in suites]
