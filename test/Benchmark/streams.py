#!/usr/bin/env python3
"""Streamed epochs on a disk of a known speed: what gnn-train plan foretells beside what a run takes, and what the disk itself counts.

Each run is in a memory cgroup of its own, whose limit is --memory and a little for the process, so that the page cache has no room for what
is streamed, and in a blkio cgroup that lets the disk read and write so many bytes a second and no more. Both are of version 1, and made and
removed here, for which one must be root. The files of the data are dropped from the page cache before each run.

Model, limit and speed are a row of the table. Rows take turns, --rounds times, and a row has the median of its rounds: seconds of an epoch
as planned and as measured, how long the file and arithmetic were busy, their overlap (T_file + T_compute - T_wall) / min(T_file, T_compute)
and T_wall / max(T_file, T_compute), and the bytes that the disk counts for each byte that the run counts: of --epochs beside those of one.
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = pathlib.Path("/sys/fs/cgroup")
PROCESS = 80 << 20  # bytes of a process beside its limit


class Group:
    """A folder of the memory controller and one of the disks'."""

    def __init__(self, disk):
        self.disk = disk
        self.memory, self.blkio = (GROUPS / controller / ("gnnc-streams-%d" % os.getpid()) for controller in ("memory", "blkio"))

    def __enter__(self):
        self.memory.mkdir()
        self.blkio.mkdir()
        return self

    def __exit__(self, *_):
        self.memory.rmdir()
        self.blkio.rmdir()

    def limit(self, memory, rate):
        """A rate of 0 is that of the disk, without a limit of memory."""
        (self.memory / "memory.limit_in_bytes").write_text(str(memory if rate else -1))
        for direction in ("read", "write"):
            (self.blkio / ("blkio.throttle.%s_bps_device" % direction)).write_text("%s %d" % (self.disk, rate))

    def enter(self):
        for folder in (self.memory, self.blkio):
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def bytes(self):
        """What the disk has read and written for the group."""
        lines = (self.blkio / "blkio.throttle.io_service_bytes").read_text().splitlines()
        words = [line.split() for line in lines]
        return sum(int(of[2]) for of in words if of[0] == self.disk and of[1] in ("Read", "Write"))


def forget(folder):
    os.sync()
    for path in folder.rglob("*.npy"):
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def disk_of(folder):
    """As major:minor, of the whole disk where the folder is on a part of one."""
    device = os.stat(folder).st_dev
    name = "%d:%d" % (os.major(device), os.minor(device))
    place = pathlib.Path("/sys/dev/block", name).resolve()
    return (place.parent / "dev").read_text().strip() if (place / "partition").exists() else name


def said_by(command, group):
    words = [str(word) for word in command]
    before = group.bytes()
    result = subprocess.run(words, capture_output=True, text=True, preexec_fn=group.enter)
    if result.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), result.stderr.strip()))
    return json.loads(result.stdout), group.bytes() - before


def counted(stream):
    return sum(stream["so_far"].values())


def measure(row, arguments, group):
    group.limit(row["memory"] + PROCESS, row["rate"])
    common = ["--data", arguments.data, "--memory", "%dKB" % (row["memory"] >> 10), "--order", "given", "--spill", arguments.spill, "--json"]
    common += ["--look-ahead", arguments.look_ahead] if arguments.look_ahead else []
    train = [arguments.bin / "gnn-train", row["library"]] + common + ["--no-run-dir", "--epochs"]
    forget(arguments.data)
    times = said_by([arguments.bin / "gnn-train", "plan", row["library"]] + common, group)[0]["times"]
    forget(arguments.data)
    short, disk_of_short = said_by(train + [1], group)
    forget(arguments.data)
    long, disk_of_long = said_by(train + [arguments.epochs], group)
    of_run = long["stream"]["times"]
    moved = counted(long["stream"]) - counted(short["stream"])
    wall, file, compute = (of_run["measured"][name] for name in ("seconds", "file", "compute"))
    return {"on_disk": times["file"] == "disk", "ahead": long["stream"]["look_ahead_bytes"], "bytes": moved / (arguments.epochs - 1), "planned": times["epoch"],
            "rehearsed": of_run["predicted"]["seconds"], "wall": wall, "file": file, "compute": compute,
            "overlap": (file + compute - wall) / min(file, compute), "wall_of_larger": wall / max(file, compute),
            "planned_of_wall": times["epoch"] / wall, "disk_of_counted": (disk_of_long - disk_of_short) / moved}


def rows_of(arguments, folder):
    rows = []
    for model in arguments.models.split(","):
        name, *limits = model.split(":")
        library = folder / (name + ".so")
        words = [arguments.bin / "gnnc", "-q", "--target=host", HERE / "models" / (name + ".gnn"), "-D", "hidden=%d" % arguments.hidden,
                 "-o", library]
        subprocess.run([str(word) for word in words], check=True)
        rows += [{"model": name, "memory": int(limit) << 20, "rate": int(rate) * 1000000, "library": library}
                 for limit in limits for rate in arguments.rates.split(",")]
    return rows


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data set folder, of gnn-data generate")
    parser.add_argument("--spill", type=pathlib.Path, default=pathlib.Path("/var/tmp"), help="a folder on the disk, as the data are")
    parser.add_argument("--models", default="sage:80:120,gcn:60:80", help="of the folder models, each with limits in MB (default %(default)s)")
    parser.add_argument("--rates", default="100,300,1000,0", help="of the disk, in MB/s; 0: the page cache (default %(default)s)")
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build/release/bin", help="folder of gnnc and gnn-train")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=4, help="of a run, two at least")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--look-ahead", help="of plans and runs, as 16MB or 0 (default: as a plan chooses)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the groups are removed then, too
    results = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        group = stack.enter_context(Group(disk_of(arguments.spill)))
        rows = rows_of(arguments, folder)
        rounds = [[] for _ in rows]
        for _ in range(arguments.rounds):
            for row, of_row in zip(rows, rounds):
                of_row.append(measure(row, arguments, group))
                print(row["model"], row["memory"] >> 20, row["rate"] // 1000000, of_row[-1], file=sys.stderr)
    for row, of_row in zip(rows, rounds):
        medians = {name: statistics.median(of[name] for of in of_row) for name in of_row[0]}
        results.append({"model": row["model"], "memory": row["memory"], "rate": row["rate"], **medians, "rounds": of_row})
    if arguments.json:
        print(json.dumps(results))
        return
    print("%-6s %6s %6s %7s %7s %8s %8s %8s %8s %8s %8s %8s %8s" % ("model", "MB", "MB/s", "ahead", "MB/ep", "planned", "wall", "ratio", "file",
                                                              "compute", "overlap", "of max", "disk"))
    for of in results:
        print("%-6s %6d %6d %7.1f %7.0f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.3f%s"
              % (of["model"], of["memory"] >> 20, of["rate"] / 1e6, of["ahead"] / 1e6, of["bytes"] / 1e6, of["planned"], of["wall"], of["planned_of_wall"],
                 of["file"], of["compute"], of["overlap"], of["wall_of_larger"], of["disk_of_counted"],
                 "" if of["on_disk"] else " (cached)"))


if __name__ == "__main__":
    main()
