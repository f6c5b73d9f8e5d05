"""cuSPARSE's product of a CSR matrix with a dense one, by each of its algorithms; descriptors, workspaces and preprocessing are made once."""

import ctypes

import torch

from gpu.contest import Absent

LIBRARIES = ["libcusparse.so.13", "libcusparse.so.12"]
INDEX_32, INDEX_64, BASE_ZERO, AS_IS, FLOAT32, BY_ROW = 2, 3, 0, 0, 0, 2
ALGORITHMS = {"default": 0, "CSR 1": 4, "CSR 2": 6, "CSR 3": 12}


def open_library():
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    raise Absent("no libcusparse")


class Product:
    """One algorithm, ready to run."""

    def __init__(self, sparse, handle, arrays, algorithm):
        self.sparse, self.handle, self.algorithm = sparse, handle, algorithm
        indptr, indices, values, x, y = arrays
        self.matrix, self.right, self.result = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        rows, width = y.shape
        call(sparse.cusparseCreateCsr(ctypes.byref(self.matrix), i64(rows), i64(rows), i64(len(indices)), at(indptr), at(indices), at(values),
                                      INDEX_32, INDEX_32, BASE_ZERO, FLOAT32))
        for descriptor, dense in ((self.right, x), (self.result, y)):
            call(sparse.cusparseCreateDnMat(ctypes.byref(descriptor), i64(rows), i64(width), i64(width), at(dense), FLOAT32, BY_ROW))
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)
        size = ctypes.c_size_t()
        call(self.run(sparse.cusparseSpMM_bufferSize, ctypes.byref(size)))
        self.workspace = torch.empty(max(size.value, 1), dtype=torch.uint8, device=y.device)
        call(self.run(sparse.cusparseSpMM_preprocess, at(self.workspace)))

    def run(self, function, last):
        return function(self.handle, AS_IS, AS_IS, ctypes.byref(self.one), self.matrix, self.right, ctypes.byref(self.zero), self.result, FLOAT32,
                        self.algorithm, last)

    def __call__(self):
        call(self.run(self.sparse.cusparseSpMM, at(self.workspace)))


class CuSparse:
    """The fastest of the algorithms that give the right numbers: who computes something else is left out."""

    draws_its_own = False

    def __init__(self, problem, clock):
        self.clock = clock
        sparse, self.handle = open_library(), ctypes.c_void_p()
        call(sparse.cusparseCreate(ctypes.byref(self.handle)))
        call(sparse.cusparseSetStream(self.handle, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))
        destination = torch.from_numpy(problem.destination.copy()).to(clock.device)
        indptr = torch.searchsorted(destination, torch.arange(problem.vertices + 1, device=clock.device)).int()
        indices = torch.from_numpy(problem.source.copy()).to(clock.device).int()
        del destination
        x = torch.from_numpy(problem.inputs["x"]).to(clock.device)
        self.result = torch.empty_like(x)
        self.rows = torch.from_numpy(problem.sampled_rows()).to(clock.device)
        arrays = (indptr, indices, torch.ones(len(indices), device=clock.device), x, self.result)
        self.arrays, times, self.products = arrays, {}, {}
        for name, algorithm in ALGORITHMS.items():
            try:
                product = Product(sparse, self.handle, arrays, algorithm)
                times[name] = min(clock.seconds(product) for _ in range(4))
                self.products[name] = product
            except Absent:  # it does not know this case
                pass
        if not times:
            raise Absent("no algorithm works")
        self.best = min(times, key=times.get)
        self.note = "algorithm %s of %s" % (self.best, ", ".join("%s %.0f us" % (name, 1e6 * time) for name, time in times.items()))

    def check(self):
        self.result.fill_(float("nan"))
        self.products[self.best]()
        return self.result[self.rows].cpu().flatten().tolist()

    def seconds(self):
        return self.clock.seconds(self.products[self.best])

    def bytes(self):
        return torch.cuda.max_memory_allocated()

    def close(self):
        self.arrays = self.products = self.result = None


def call(status):
    if status:
        raise Absent("cuSPARSE: status %d" % status)


def i64(number):
    return ctypes.c_int64(number)


def at(tensor):
    return ctypes.c_void_p(tensor.data_ptr())
