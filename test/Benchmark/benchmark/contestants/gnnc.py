"""gnnc: compiles the kernel for its width, runs it through the runtime's C interface."""

import os
import pathlib
import subprocess
import tempfile

from benchmark.runtime import Model, Runtime


class Contestant:
    note = "compiled for its width"

    def __init__(self, form, settings):
        self.build = pathlib.Path(settings["build"])
        self.flags = settings.get("gnnc_flags", [])
        self.runtime = Runtime(self.build / "lib/libgnnrt.so")
        self.folder = tempfile.TemporaryDirectory()
        self.handle = self.model = None

    def versions(self):
        text = subprocess.run([str(self.build / "bin/gnnc"), "--version"], capture_output=True, text=True, check=True).stdout
        return {"gnnc": text.split("\n")[0].strip()}

    def graph(self, edges):
        if self.model:
            self.model.destroy()
            self.model = None
        if self.handle:
            self.runtime.destroy("graph", self.handle)
        self.handle = self.runtime.graph(edges.list(), edges.vertices)

    def kernel(self, kernel, arrays, threads):
        library = pathlib.Path(self.folder.name) / ("%s_%d.so" % (kernel.name, kernel.width))
        dims = ["-D%s=%d" % item for item in kernel.dims.items()]
        subprocess.run([str(self.build / "bin/gnnc"), "-q", str(kernel.source), "-o", str(library), "--target=host", *dims, *self.flags], check=True)
        if self.model:
            self.model.destroy()
        model = self.model = Model(self.runtime, library, threads)
        model.initialize({}, {name: array for name, array in arrays.items() if name != "x"})
        model.bind({"x": arrays["x"]})
        last = []

        def step():
            for tensor in last:
                self.runtime.destroy("tensor", tensor)
            last[:] = model.infer(self.handle)
            return self.runtime.array(last[0])

        return step
