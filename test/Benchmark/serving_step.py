"""serving_step.py pyg|dgl [--requests N] [--threads N]: how long a peer takes for an exact answer of GraphSAGE 128-128 for one vertex of an R-MAT graph
of 1048576 vertices and 10 million edges, for vertices with edges. examples/serve has the same load for gnnc."""
import argparse
import time

import numpy as np
import torch

VERTICES, EDGES, FEATURES = 1 << 20, 10_000_000, 128


def rmat(random):
    src, dst = np.zeros(EDGES, np.int64), np.zeros(EDGES, np.int64)
    for _ in range(20):
        chance = random.random(EDGES)
        src = 2 * src + (chance >= 0.76)
        dst = 2 * dst + (((chance >= 0.57) & (chance < 0.76)) | (chance >= 0.95))
    return src, dst


def of_pyg(src, dst, x):
    from torch_geometric.nn import SAGEConv
    from torch_geometric.utils import k_hop_subgraph
    edges = torch.from_numpy(np.stack([src, dst]))
    first, second = SAGEConv(FEATURES, 128), SAGEConv(128, 128)

    def answer(vertex):
        here, local, at, _ = k_hop_subgraph(vertex, 2, edges, relabel_nodes=True, num_nodes=VERTICES)
        return second(first(x[here], local).relu(), local)[at]

    return {"k_hop_subgraph": answer}


def of_dgl(src, dst, x):
    import dgl
    graph = dgl.graph((src, dst), num_nodes=VERTICES)
    graph.create_formats_()
    first, second = dgl.nn.SAGEConv(FEATURES, 128, "mean"), dgl.nn.SAGEConv(128, 128, "mean")
    sampler = dgl.dataloading.MultiLayerFullNeighborSampler(2)

    def by_subgraph(vertex):
        here, at = dgl.khop_in_subgraph(graph, vertex, k=2)
        return second(here, first(here, x[here.ndata[dgl.NID]]).relu())[at]

    def by_blocks(vertex):
        inputs, _, blocks = sampler.sample_blocks(graph, torch.tensor([vertex]))
        return second(blocks[1], first(blocks[0], x[inputs]).relu())

    return {"khop_in_subgraph": by_subgraph, "full neighbours by blocks": by_blocks}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=("pyg", "dgl"))
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    random = np.random.default_rng(1)
    src, dst = rmat(random)
    x = torch.rand(VERTICES, FEATURES) - 0.5
    asked = random.choice(np.unique(dst), options.requests)
    for name, answer in {"pyg": of_pyg, "dgl": of_dgl}[options.peer](src, dst, x).items():
        times = []
        with torch.no_grad():
            answer(int(asked[0]))
            for vertex in asked:
                begin = time.perf_counter()
                answer(int(vertex))
                times.append(1e6 * (time.perf_counter() - begin))
        p50, p90, p99 = np.percentile(times, (50, 90, 99))
        print("%s: microseconds: p50 %.0f, p90 %.0f, p99 %.0f" % (name, p50, p90, p99))


main()
