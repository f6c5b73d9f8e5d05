"""Contestants side by side: a process each, all on the same graph and inputs, compared in their results and then timed in turn."""

import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

import numpy

ENVIRONMENTS = {"gnnc": "base", "pyg": "pyg", "dgl": "dgl"}
COMPARED_ROWS = 4096
MOST_CALLS = 50
ENOUGH_SECONDS = 4  # who takes longer for one call is not asked again
HERE = pathlib.Path(__file__).resolve().parent.parent


class Failure(Exception):
    pass


class Contestant:
    """The parent's side of a worker. `name` is module or module:form."""

    def __init__(self, name, cache, settings):
        self.name = name
        python = cache / "environments" / ENVIRONMENTS[name.split(":")[0]] / "bin/python"
        if not python.exists():
            raise Failure("is not installed: test/Benchmark/environments")
        environment = dict(os.environ, PYTHONPATH=str(HERE), OMP_NUM_THREADS=str(settings["threads"]),
                           # torch's wish for huge pages, as gnnc's runtime and numpy have it; freed memory is kept, so that no one times page faults
                           THP_MEM_ALLOC_ENABLE="1", MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_=str(1 << 40))
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(python), "-m", "benchmark.worker", name, json.dumps(settings)], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.versions = self.ask(op="hello")["versions"]

    def ask(self, **request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.log.seek(0)
            tail = self.log.read().decode(errors="replace").strip().splitlines()[-1:]
            raise Failure("died (%s)%s" % (self.process.wait(), ": " + tail[0] if tail else ""))
        answer = json.loads(line)
        if "error" in answer:
            raise Failure(answer["error"])
        return answer

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def start(names, cache, settings):
    """Those contestants that start, and what the others say."""
    started, failures = [], {}
    for name in names:
        try:
            started.append(Contestant(name, cache, settings))
        except Failure as failure:
            failures[name] = str(failure)
    return started, failures


def give_graph(contestants, folder):
    """Seconds that each needed to prepare the graph; who fails is left out of it."""
    seconds, failures = {}, {}
    for contestant in contestants:
        try:
            seconds[contestant.name] = contestant.ask(op="graph", folder=str(folder))["seconds"]
        except Failure as failure:
            failures[contestant.name] = str(failure)
    return seconds, failures


def time_case(contestants, case, rounds, seconds_a_round, scratch, tolerance, every_round=lambda: None):
    """{contestant: {"form", "seconds": median of rounds, "least", "most", "difference", "peak_bytes"} or {"failed": why}}.

    `case` is what a worker is asked. Results are compared with those of the first contestant, gnnc: rows spread evenly over the result, the largest
    difference over the largest value. `every_round` takes its turn before the contestants.
    """
    results, ready, reference = {}, [], None
    for contestant in contestants:
        try:
            form = contestant.ask(**case)["form"]
            path = scratch / "result.npy"
            contestant.ask(op="result", to=str(path), rows=COMPARED_ROWS)
            values = numpy.load(path)
            reference = values if reference is None else reference
            difference = float(numpy.abs(values - reference).max(initial=0) / max(float(numpy.abs(reference).max(initial=0)), 1e-30))
            if not difference <= tolerance:
                raise Failure("gives other results: they differ by %.1e" % difference)
            once = contestant.ask(op="time", calls=1)["seconds"][0]
            results[contestant.name] = {"form": form, "difference": difference, "rounds": [once] if once > ENOUGH_SECONDS else []}
            if once <= ENOUGH_SECONDS:
                ready.append((contestant, min(max(1, math.ceil(seconds_a_round / once)), MOST_CALLS)))
            results[contestant.name]["peak_bytes"] = contestant.ask(op="memory")["peak_bytes"]
        except Failure as failure:
            results[contestant.name] = {"failed": str(failure)}
    for _ in range(rounds):
        every_round()
        for contestant, calls in ready:
            try:
                results[contestant.name]["rounds"].append(statistics.median(contestant.ask(op="time", calls=calls)["seconds"]))
            except Failure as failure:
                results[contestant.name] = {"failed": str(failure), "rounds": []}
    for result in results.values():
        if result.get("rounds"):
            result.update(seconds=statistics.median(result["rounds"]), least=min(result["rounds"]), most=max(result["rounds"]))
    return results
