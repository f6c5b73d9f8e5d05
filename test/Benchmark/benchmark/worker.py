"""One contestant in a process of its own, in the environment that it needs. It reads requests from standard input, one JSON object a line, and answers each
with one line: {"op": "graph" | "kernel" | "model" | "result" | "time" | "memory", …}."""

import ctypes
import gc
import importlib
import json
import os
import resource
import sys
import time
import traceback

import numpy

from benchmark import graphs, kernels, models


class Worker:
    def __init__(self, name, settings):
        module, _, form = name.partition(":")
        self.contestant = importlib.import_module("benchmark.contestants." + module).Contestant(form, settings)
        self.edges = self.step = self.problem = None

    def hello(self, request):
        return {"versions": self.contestant.versions()}

    def graph(self, request):
        self.step = self.problem = None
        self.edges = graphs.Edges(request["folder"])
        return {"seconds": self.contestant.graph(self.edges)}

    def kernel(self, request):
        kernel = kernels.Kernel(request["name"], request["width"])
        return self.begin(lambda: self.contestant.kernel(kernel, kernel.inputs(self.edges.vertices), request["threads"]))

    def model(self, request):
        if not self.problem:
            self.problem = models.Problem(self.edges)
        return self.begin(lambda: self.contestant.model(models.Model(request["name"]), self.problem, request["threads"], request["training"]))

    def begin(self, make):
        self.step = self.first = None  # what the last case kept is freed first
        self.contestant.forget()
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # the peak counts from here
        self.step = make()
        self.first = self.step()  # compiles, allocates
        return {"form": self.contestant.note}

    def result(self, request):
        """Saves about `rows` rows, evenly spread."""
        result = numpy.atleast_1d(numpy.asarray(self.first))
        result = result.reshape(len(result), -1)
        numpy.save(request["to"], result[::max(1, len(result) // request["rows"])])
        self.first = None
        return {}

    def time(self, request):
        seconds = []
        for _ in range(request["calls"]):
            start = time.perf_counter()
            self.step()
            seconds.append(time.perf_counter() - start)
        return {"seconds": seconds}

    def memory(self, request):
        with open("/proc/self/status") as file:
            return {"peak_bytes": next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))}

    def serve(self, answers):
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = getattr(self, request["op"])(request)
            except Exception as error:  # the contestant's business: reported, not fatal
                answer = {"error": "%s: %s" % (type(error).__name__, str(error).strip().splitlines()[0][:200] if str(error) else ""),
                          "trace": traceback.format_exc()}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    settings = json.loads(sys.argv[2])
    if settings["memory_limit"]:
        resource.setrlimit(resource.RLIMIT_DATA, (settings["memory_limit"], settings["memory_limit"]))
    Worker(sys.argv[1], settings).serve(answers)


if __name__ == "__main__":
    main()
