"""The least time that a kernel can take on this machine, by a model that knows nothing of the compiler.

A kernel cuts the width into tiles and the sources into partitions; each tile walks the edges of each partition once. Its time is that of

  * the rows of the tile that the edges read, at the rate at which this machine gathers rows of that size in the order of this graph's edges: measured, on
    a sample of the destinations, with as many threads (`gather.c`), so that it has in it what caches and skewed degrees give;
  * the indices, once for each tile, and rows of the destinations: results written once, and for every further partition read and written again, or, where
    edges have results, the destinations' own rows once for each partition; at the rate of a plain sum.

The bound is the fastest of the grid of tiles and partitions. It is never less than the compulsory traffic: indices, inputs and result once each.
"""

import ctypes
import pathlib
import subprocess

import numpy

from benchmark.arrays import uniform

SAMPLE_EDGES = 6_000_000
TILES = [16, 32, 64, 128, 256, 512]
PARTITIONS = [1, 2, 4, 8, 16]
LEAST_PARTITION = 1 << 20  # bytes: smaller ones fit a core's own cache, and gain nothing
STREAM_FLOATS = 1 << 26
DISTANCES = [16, 64]  # rows that are asked for ahead; the better one counts


class Bound:
    """Takes its turn in every round, as contestants do: rates of the memory differ from minute to minute where a machine is shared."""

    def __init__(self, folder):
        library = pathlib.Path(folder) / "gather.so"
        subprocess.run(["cc", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "-o", str(library),
                        str(pathlib.Path(__file__).parent / "gather.c")], check=True)
        self.library = ctypes.CDLL(str(library))
        self.library.gather.restype = self.library.stream.restype = ctypes.c_double
        self.streamed = uniform(numpy.random.default_rng(0), STREAM_FLOATS)

    def stream_rate(self, threads):
        """Bytes a second of a plain sum over an array that no cache holds."""
        sums = numpy.empty(64, numpy.float32)
        return self.streamed.nbytes / self.library.stream(pointer(self.streamed), ctypes.c_int64(self.streamed.size), threads, pointer(sums))

    def graph(self, edges):
        """Takes the sample: consecutive destinations from the middle, cut into partitions of sources."""
        self.edges, self.orders = edges, {}
        self.table = uniform(numpy.random.default_rng(0), edges.vertices, max(TILES))
        middle = edges.vertices // 2
        last = int(numpy.searchsorted(edges.indptr, edges.indptr[middle] + SAMPLE_EDGES))
        first = middle
        if last >= edges.vertices:
            first = int(numpy.searchsorted(edges.indptr, max(0, edges.count - SAMPLE_EDGES)))
        last = min(last, edges.vertices)
        self.sample = numpy.array(edges.indices[edges.indptr[first]:edges.indptr[last]])

    def gather_rate(self, tile, partitions, threads):
        """Bytes a second of rows of `tile` floats, side by side, in the order of the sample's edges within each partition."""
        sums, order = numpy.empty(64, numpy.float32), self.order(partitions)
        return order.size * tile * 4 / min(
            self.library.gather(pointer(self.table), ctypes.c_int64(tile), pointer(order), ctypes.c_int64(order.size), ctypes.c_int64(distance), threads,
                                pointer(sums)) for distance in DISTANCES)

    def order(self, partitions):
        """The sample's sources, those of the first partition first."""
        if partitions not in self.orders:
            part = (self.sample.astype(numpy.int64) * partitions // self.edges.vertices).astype(numpy.uint8)
            self.orders[partitions] = self.sample if partitions == 1 else self.sample[numpy.argsort(part, kind="stable")]
        return self.orders[partitions]

    def walk(self, width, threads, to_edges):
        """The fastest walk over all edges: {"seconds", "tile", "partitions", "compulsory_seconds"}."""
        edges, stream = self.edges.count, self.stream_rate(threads)
        rows = self.edges.vertices * width * 4  # bytes
        best = None
        for tile in (tile for tile in TILES if tile <= width):
            for partitions in (number for number in PARTITIONS if number == 1 or self.edges.vertices * tile * 4 / number > LEAST_PARTITION):
                gathered = edges * width * 4 / self.gather_rate(tile, partitions, threads)
                indices = edges * 4 * (width // tile) / stream
                own = (rows * partitions + edges * 4 * (width // tile) if to_edges else rows * (2 * partitions - 1)) / stream
                seconds = gathered + indices + own
                if best is None or seconds < best["seconds"]:
                    best = {"seconds": seconds, "tile": tile, "partitions": partitions}
        best["compulsory_seconds"] = (edges * 4 + rows + (edges * 4 if to_edges else rows)) / stream
        best["seconds"] = max(best["seconds"], best["compulsory_seconds"])
        return best

    def of(self, case, threads):
        """The bound of a case of benchmark.plan; None where no single walk is, or where arithmetic sets it."""
        kernel = getattr(case, "kernel", None)
        if kernel and kernel.name == "gcn_aggregation":
            return self.walk(kernel.width, threads, to_edges=False)
        if kernel and kernel.name == "dot_attention":
            return self.walk(kernel.width, threads, to_edges=True)
        return None


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)
