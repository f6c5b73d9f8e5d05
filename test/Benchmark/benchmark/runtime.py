"""gnnc's runtime through its C interface (runtime/include/gnn): graphs, models, inference and training steps on numpy's arrays."""

import ctypes

import numpy

ELEMENTS = {numpy.dtype(numpy.float32): 0, numpy.dtype(numpy.float64): 1, numpy.dtype(numpy.int32): 2, numpy.dtype(numpy.int64): 3}
Handle = ctypes.c_void_p


class ModelOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("threads", ctypes.c_uint32), ("isa", ctypes.c_char_p), ("device", ctypes.c_char_p),
                ("device_bytes", ctypes.c_uint64), ("device_outputs", ctypes.c_uint64)]


class Input(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dense", Handle), ("indptr", Handle), ("indices", Handle), ("values", Handle),
                ("columns", ctypes.c_int64)]


class TrainerOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("optimizer", ctypes.c_char_p), ("learning_rate", ctypes.c_double),
                ("weight_decay", ctypes.c_double), ("seed", ctypes.c_uint64)]


class Runtime:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.library.gnn_last_error.restype = ctypes.c_char_p
        self.library.gnn_tensor_data.restype = ctypes.c_void_p
        self.library.gnn_tensor_shape.restype = ctypes.POINTER(ctypes.c_int64)

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(self.library.gnn_last_error().decode())

    def make(self, name, *arguments):
        handle = Handle()
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def view(self, array):
        """A tensor on the array's memory, which must outlive it."""
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self.make("gnn_tensor_view", Handle(array.ctypes.data), ELEMENTS[array.dtype], array.ndim, shape, None, None)

    def array(self, tensor):
        """The f32 array that a tensor holds; lives as long as the tensor."""
        rank = self.library.gnn_tensor_rank(tensor)
        shape = tuple(self.library.gnn_tensor_shape(tensor)[i] for i in range(rank))
        data = ctypes.cast(self.library.gnn_tensor_data(tensor), ctypes.POINTER(ctypes.c_float))
        return numpy.ctypeslib.as_array(data, shape)

    def destroy(self, kind, handle):
        getattr(self.library, "gnn_%s_destroy" % kind)(handle)


class Model:
    def __init__(self, runtime, library, threads, device="cpu", dims={}):
        """`dims`: those that are open."""
        self.runtime = runtime
        options = ModelOptions(ctypes.sizeof(ModelOptions), threads, None, device.encode(), 0, 0)
        self.handle = runtime.make("gnn_model_open", str(library).encode(), ctypes.byref(options))
        self.inputs, self.kept = None, []
        for name, value in dims.items():
            runtime.call("gnn_model_bind_dim", self.handle, name.encode(), ctypes.c_int64(value))

    def initialize(self, parameters):
        self.runtime.call("gnn_model_initialize", self.handle, ctypes.c_uint64(1))
        for name, value in parameters.items():
            tensor = self.runtime.make("gnn_model_parameter", self.handle, name.encode())
            self.runtime.array(tensor)[...] = value
            self.runtime.destroy("tensor", tensor)

    def bind(self, arrays):
        """Inputs by name: an array, or (indptr, indices, values, columns) of a sparse one; the arrays are used in place."""
        inputs = []
        for name, given in arrays.items():
            sparse = isinstance(given, tuple)
            tensors = [self.view(array) for array in (given[:3] if sparse else [given])]
            inputs.append(Input(name.encode(), None, *tensors, given[3]) if sparse else Input(name.encode(), tensors[0], None, None, None, 0))
        self.inputs = (Input * len(inputs))(*inputs)

    def view(self, array):
        tensor = self.runtime.view(array)
        self.kept.append((array, tensor))
        return tensor

    def infer(self, graph):
        """Handles of the outputs, to be destroyed."""
        outputs = (Handle * self.runtime.library.gnn_model_num_outputs(self.handle))()
        self.runtime.call("gnn_model_infer", self.handle, graph, self.inputs, len(self.inputs), outputs)
        return [Handle(output) for output in outputs]

    def trainer(self, graph, vertices):
        """In training over the ids `vertices`, with the optimizer that the model states."""
        options = TrainerOptions(ctypes.sizeof(TrainerOptions), None, -1, -1, 1)
        return self.runtime.make("gnn_trainer_create", self.handle, graph, self.inputs, len(self.inputs), self.view(vertices), ctypes.byref(options))

    def step(self, trainer):
        loss = ctypes.c_double()
        self.runtime.call("gnn_trainer_step", trainer, ctypes.byref(loss))
        return loss.value

    def evaluate(self, trainer, vertices):
        """The mean loss over `vertices` without dropout."""
        metrics = (ctypes.c_double * 3)()
        self.runtime.call("gnn_trainer_evaluate", trainer, self.view(vertices), metrics)
        return metrics[0]

    def device_seconds(self):
        """Of the last inference or step, by the clock of the GPU."""
        seconds = ctypes.c_double()
        self.runtime.call("gnn_model_device_seconds", self.handle, ctypes.byref(seconds))
        return seconds.value

    def destroy(self):
        self.runtime.destroy("model", self.handle)
        for _, view in self.kept:
            self.runtime.destroy("tensor", view)
