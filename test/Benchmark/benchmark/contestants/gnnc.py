"""gnnc, through the runtime's C interface. Compiles with the dimensions given for this machine or, in the form `as-is`, as whoever gives no option gets it."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import numpy

from benchmark.runtime import Model, Runtime

ORDER_GIVEN = 0


class Contestant:
    note = ""

    def __init__(self, form, settings):
        self.build, self.is_plain = pathlib.Path(settings["build"]), form == "as-is"
        self.flags = [flag for flag in settings["variants"].get(form, []) if not flag.startswith("tune=")]
        self.tune_time = next((flag[5:] for flag in settings["variants"].get(form, []) if flag.startswith("tune=")), None)
        self.runtime = Runtime(self.build / "lib/libgnnrt.so")
        self.folder = tempfile.TemporaryDirectory()
        self.handle = self.present = self.trainer = self.edges = None

    def versions(self):
        text = subprocess.run([str(self.build / "bin/gnnc"), "--version"], capture_output=True, text=True, check=True).stdout
        return dict([text.split("\n")[0].split(" ", 1)])

    def graph(self, edges):
        self.forget()
        if self.handle:
            self.runtime.destroy("graph", self.handle)
        self.edges = edges.folder
        start = time.perf_counter()
        dataset = self.runtime.make("gnn_dataset_load", str(edges.folder).encode())
        loaded = time.perf_counter()
        self.handle = self.runtime.make("gnn_dataset_graph", dataset, 0, ORDER_GIVEN)
        prepared = time.perf_counter()
        self.runtime.destroy("dataset", dataset)
        return {"load": loaded - start, "prepare": prepared - loaded}

    def forget(self):
        if self.trainer:
            self.runtime.destroy("trainer", self.trainer)
        if self.present:
            self.present.destroy()
        self.present = self.trainer = None

    def compile(self, source, dims):
        library = pathlib.Path(self.folder.name) / (source.stem + ".so")
        options = [] if self.is_plain else ["-D%s=%d" % item for item in dims.items()] + (["--target=host"] if "--target" not in self.flags else []) + self.flags
        subprocess.run([str(self.build / "bin/gnnc"), "-q", str(source), "-o", str(library), *options], check=True)
        self.note = "no option" if self.is_plain else "compiled for these sizes"
        return library

    def tuned(self, source, dims, x, threads):
        """A copy of the source with a tuning file of this graph beside it."""
        folder = pathlib.Path(self.folder.name) / "tuned"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "data").mkdir(parents=True)
        shutil.copy(source, folder)
        try:
            os.link(self.edges / "edge_index.npy", folder / "data/edge_index.npy")
        except OSError:  # another file system
            shutil.copy(self.edges / "edge_index.npy", folder / "data")
        numpy.save(folder / "data/x.npy", x)
        subprocess.run([str(self.build / "bin/gnnc"), "tune", "-q", str(folder / source.name), "--data", str(folder / "data"), "--time", self.tune_time, "--threads", str(threads),
                        "--target=host", *["-D%s=%d" % item for item in dims.items()]], check=True)
        return folder / source.name

    def open(self, source, dims, threads, parameters, inputs):
        self.present = Model(self.runtime, self.compile(source, dims), threads, dims=dims if self.is_plain else {})
        self.present.initialize(parameters)
        self.present.bind(inputs)
        return self.present

    def infer(self):
        """A function that runs the model that is open; the array of a call lives until the next."""
        model, last = self.present, []

        def step():
            for tensor in last:
                self.runtime.destroy("tensor", tensor)
            last[:] = model.infer(self.handle)
            return self.runtime.array(last[0])

        return step

    def kernel(self, kernel, arrays, threads):
        source = self.tuned(kernel.source, kernel.dims, arrays["x"], threads) if self.tune_time else kernel.source
        self.open(source, kernel.dims, threads, {name: array for name, array in arrays.items() if name != "x"}, {"x": arrays["x"]})
        return self.infer()

    def model(self, model, problem, threads, training):
        source = model.source
        inputs = {"x": problem.x}
        if self.is_plain and problem.nonzeros:  # as the data has them: the runtime chooses the form
            inputs = {"x": problem.nonzeros}
        elif problem.sparse:  # the same model with its input declared sparse
            source = pathlib.Path(self.folder.name) / source.name
            source.write_text(model.source.read_text().replace("x: real[in]", "x: sparse real[in]"))
            inputs = {"x": problem.nonzeros}
        present = self.open(source, model.dims(problem), threads, model.parameters(problem), inputs)
        if problem.sparse and not self.is_plain:
            self.note += ", sparse input"
        if not training:
            return self.infer()
        present.bind(dict(inputs, label=problem.labels.astype(numpy.int32)))
        self.trainer = present.trainer(self.handle, problem.train)
        return lambda: present.step(self.trainer)
