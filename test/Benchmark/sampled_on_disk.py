#!/usr/bin/env python3
"""Training on samples whose features lie on a disk: gnn-train --memory and, where dgl 2.1 is installed for --peer, GraphBolt over the same
graph, features, batches and fan-outs.

GraphBolt maps the features: a TorchBasedFeature over what numpy.load gives with mmap_mode, which for --random is advised of reads at
random places. Its edges are prepared once, into the folder --spill. Each contestant has the memory cgroup named by --cgroup to itself,
where there is one, page cache included, and what the system has of the features is dropped before it begins, as far as it lets go.
What both do before the first batch is left out: there gnn-train samples an epoch and reads the rows that it keeps.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from sampled_step import MODEL
from streamed_step import HERE, inside


def forget(path):
    """Drops a file from the page cache."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def output_of(command, arguments):
    forget(arguments.data / "x.npy")
    words = [str(word) for word in command]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True, preexec_fn=inside(arguments.cgroup)).stdout.splitlines()[-1])


def gnnc_run(arguments, library):
    said = output_of([arguments.bin / "gnn-train", library, "--data", arguments.data, "--fanout", arguments.fanout, "--batch", arguments.batch,
                      "--memory", arguments.memory, "--spill", arguments.spill, "--threads", arguments.threads, "--epochs", 1, "--no-evaluation",
                      "--no-run-dir", "--json"], arguments)
    read = said["samples"]["so_far"]
    batches = round(said["epoch_ms_median"] / said["step_ms_median"])
    return {"batches": batches, "ms": said["step_ms_median"], "MB a batch": read["bytes"] / batches / 1e6, "found": read["hit_rate"]}


def prepare_edges(arguments):
    """Of each vertex those that it reads, as GraphBolt wants them; in a process of its own, as it takes more memory than a run."""
    import numpy

    sources, destinations = numpy.load(arguments.data / "edge_index.npy", mmap_mode="r")
    count = numpy.load(arguments.data / "x.npy", mmap_mode="r").shape[0]
    order = numpy.argsort(destinations, kind="stable")
    numpy.save(arguments.spill / "indices.npy", sources[order].astype("int64"))
    numpy.save(arguments.spill / "indptr.npy", numpy.concatenate([[0], numpy.cumsum(numpy.bincount(destinations, minlength=count))]))


def peer_run(arguments):
    common = [arguments.peer, __file__, "--data", arguments.data, "--spill", arguments.spill]
    subprocess.run([str(word) for word in common + ["--peer-child", "edges"]], check=True)
    return output_of(common + ["--fanout", arguments.fanout, "--batch", arguments.batch, "--hidden", arguments.hidden, "--threads", arguments.threads,
                               "--peer-seconds", arguments.peer_seconds, "--peer-child", "train"] + ["--random"] * arguments.random, arguments)


def peer_train(arguments):
    """Prints how long GraphBolt takes for a batch."""
    import mmap
    import time

    import dgl.graphbolt as bolt
    import numpy
    import peer_sage
    import torch

    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    edges = (torch.from_numpy(numpy.load(arguments.spill / (name + ".npy"))) for name in ("indptr", "indices"))
    graph = bolt.fused_csc_sampling_graph(*edges)
    mapped = numpy.load(arguments.data / "x.npy", mmap_mode="r")
    if arguments.random:
        mapped._mmap.madvise(mmap.MADV_RANDOM)
    x = torch.from_numpy(mapped)
    labels = torch.from_numpy(numpy.load(arguments.data / "y.npy")).long()
    train = torch.from_numpy(numpy.load(arguments.data / "train.npy")).long()
    loader = peer_sage.batches(graph, train, labels, arguments, peer_sage.store_of(x))
    step = peer_sage.trainer(x.shape[1], arguments.hidden, int(labels.max()) + 1)
    begin, times = time.perf_counter(), []
    for batch in loader:
        step(batch)
        times.append(time.perf_counter() - begin)
        if times[-1] > arguments.peer_seconds:
            break
    half = len(times) // 2
    late = (times[-1] - times[half]) / (len(times) - 1 - half) if len(times) - 1 > half else times[-1] / len(times)
    print(json.dumps({"batches": len(times), "ms": 1e3 * times[-1] / len(times), "ms of the second half": 1e3 * late}))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data set folder, of gnn-data generate rmat --features 128")
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin", help="folder of gnnc and gnn-train")
    parser.add_argument("--peer", type=pathlib.Path, help="a Python that has dgl 2.1: CACHE/environments/dgl/bin/python")
    parser.add_argument("--memory", default="900MB", help="limit of gnn-train")
    parser.add_argument("--cgroup", type=pathlib.Path, help="folder of a memory cgroup that limits each process")
    parser.add_argument("--spill", type=pathlib.Path, help="folder on a disk, of which nothing stays (default: the data set's)")
    parser.add_argument("--random", action="store_true", help="advise the system of reads at random places (MADV_RANDOM)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--fanout", default="15,10", help="of the seeds first")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--peer-seconds", type=float, default=60, help="most of the peer")
    parser.add_argument("--peer-child", choices=["edges", "train"], help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.peer_child:
        return prepare_edges(arguments) if arguments.peer_child == "edges" else peer_train(arguments)
    with tempfile.TemporaryDirectory(dir=arguments.spill or arguments.data) as folder:
        arguments.spill = pathlib.Path(folder)
        source, library = arguments.spill / "sage.gnn", arguments.spill / "sage.so"
        source.write_text(MODEL % arguments.hidden)
        subprocess.run([str(arguments.bin / "gnnc"), "-q", "--target=host", str(source), "-o", str(library)], check=True)
        runs = {"gnnc": gnnc_run(arguments, library)}
        if arguments.peer:
            runs["GraphBolt"] = peer_run(arguments)
    for name, run in runs.items():
        print("%-10s %s" % (name, ", ".join("%s %.4g" % of for of in run.items())))


if __name__ == "__main__":
    main()
