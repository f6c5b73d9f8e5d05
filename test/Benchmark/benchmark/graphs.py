"""The graphs: what gnn-data generates, with fixed seeds, sorted by destination and kept in the cache; and real ones."""

import dataclasses
import pathlib
import shutil
import subprocess

import numpy

SEED = 1


@dataclasses.dataclass(frozen=True)
class Graph:
    name: str
    kind: str  # of gnn-data generate
    vertices: int
    edges: int

    def tenth(self):
        return dataclasses.replace(self, name=self.name + "-tenth", edges=self.edges // 10)


FULL = [
    Graph("rand-100K", "hubs", 100_000, 48_000_000),  # FeatGraph: 20 thousand vertices of degree 2000, 80 thousand of degree 100
    Graph("proteins", "powerlaw", 132_534, 79_122_504),  # the numbers of ogbn-proteins
    Graph("reddit", "powerlaw", 232_965, 114_848_857),  # the numbers of FeatGraph's reddit
]
GRAPHS = {graph.name: graph for full in FULL for graph in (full, full.tenth())}
GRAPHS["uniform-tenth"] = Graph("uniform-tenth", "uniform", 100_000, 4_800_000)  # of the size of rand-100K-tenth, but without hubs


def ensure(graph, cache, tools):
    """The folder of a graph in the cache, a data set of gnnc, generated if it is not there yet.

    Beside the data set's files it holds `indptr.npy` i64 [vertices + 1] and `indices.npy` i32 [edges]: the sources of the edges into each vertex,
    ascending. The edge list is in that order.
    """
    folder = cache / "graphs" / graph.name
    if (folder / "indices.npy").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [tools / "gnn-data", "generate", graph.kind, folder, "--vertices", graph.vertices, "--edges", graph.edges, "--features", -1,
               "--classes", 41, "--seed", SEED]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    write_sorted(folder, numpy.load(folder / "edge_index.npy"), graph.vertices)
    return folder


def adopt(source, cache):
    """The same for a real data set: a copy of its files with the edges sorted."""
    folder = cache / "graphs" / source.name
    if (folder / "indices.npy").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in source.glob("*.npy"):
        shutil.copy(file, folder)
    write_sorted(folder, numpy.load(source / "edge_index.npy"), len(numpy.load(source / "y.npy")))
    return folder


def write_sorted(folder, edges, vertices):
    keys = edges[1] * vertices + edges[0]
    keys.sort()
    edges[1], edges[0] = keys // vertices, keys % vertices
    numpy.save(folder / "edge_index.npy", edges)
    degrees = numpy.bincount(edges[1], minlength=vertices)
    numpy.save(folder / "indptr.npy", numpy.concatenate([[0], numpy.cumsum(degrees)]).astype(numpy.int64))
    numpy.save(folder / "indices.npy", edges[0].astype(numpy.int32))  # last: says that the folder is complete


class Edges:
    """The edges of a folder that `ensure` made."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.folder = folder
        self.indptr = numpy.load(folder / "indptr.npy")
        self.indices = numpy.load(folder / "indices.npy", mmap_mode="r")
        self.vertices, self.count = len(self.indptr) - 1, len(self.indices)

    def list(self):
        """i64 [2, edges], in memory."""
        return numpy.load(self.folder / "edge_index.npy")


def describe(folder):
    """Numbers of a graph for the report."""
    edges = Edges(folder)
    degrees = numpy.diff(edges.indptr)
    return {"vertices": edges.vertices, "edges": edges.count, "mean_degree": edges.count / max(edges.vertices, 1),
            "largest_degree": int(degrees.max(initial=0))}
