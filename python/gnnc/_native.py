"""The C interface of the runtime by ctypes, and the programs of an installation.

`GNNC_ROOT` names the folder that has `bin` and `lib`. Without it the package's own folder `installation` is taken, which
a wheel has, or else the folder above the first `gnnc` on PATH.
"""

import ctypes
import glob
import os
import platform
import shutil
import sys
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_uint32, c_uint64, c_void_p

if platform.system() != "Linux" or platform.machine() != "x86_64" or sys.maxsize < 2**32:
    raise ImportError(f"gnnc requires a 64-bit Python on x86-64 Linux; this Python is {8 * ctypes.sizeof(c_void_p)}-bit on "
                      f"{platform.machine()} {platform.system()}")

INTERFACE_VERSION = 1  # GNN_INTERFACE_VERSION in gnn/version.h, whose functions and structs are declared below
F32, F64, I32, I64, BOOL = range(5)


class Error(Exception):
    """What the compiler or the runtime reports. `status` names the kind of error, such as "mismatch"."""

    def __init__(self, message, status="error"):
        super().__init__(message)
        self.status = status


class Input(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("dense", c_void_p), ("indptr", c_void_p), ("indices", c_void_p), ("values", c_void_p),
                ("columns", c_int64)]


class ModelOptions(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("threads", c_uint32), ("isa", c_char_p), ("device", c_char_p), ("device_bytes", c_uint64),
                ("device_outputs", c_uint64), ("inputs", c_char_p), ("plans", c_char_p)]


class GraphOptions(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("transforms", c_uint32), ("order", c_uint32), ("num_types", c_uint32),
                ("edge_type", c_void_p)]


class PullbackOptions(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("is_training", c_uint32), ("wanted", POINTER(c_char_p)), ("num_wanted", c_uint32),
                ("reserved", c_uint32)]


class PullbackItem(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("element", c_uint32), ("rank", c_uint32), ("shape", POINTER(c_int64))]


_HANDLE = POINTER(c_void_p)
# Functions that return a status: their arguments, by name in gnn/gnn.h.
_CHECKED = {
    "gnn_tensor_create": [c_uint32, c_uint32, POINTER(c_int64), _HANDLE],
    "gnn_tensor_view": [c_void_p, c_uint32, c_uint32, POINTER(c_int64), c_void_p, c_void_p, _HANDLE],
    "gnn_tensor_to_dlpack": [c_void_p, _HANDLE],
    "gnn_tensor_from_dlpack": [c_void_p, _HANDLE],
    "gnn_graph_from_edges": [c_void_p, c_void_p, c_int64, c_int64, POINTER(GraphOptions), _HANDLE],
    "gnn_model_open": [c_char_p, POINTER(ModelOptions), _HANDLE],
    "gnn_model_bind_dim": [c_void_p, c_char_p, c_int64],
    "gnn_model_initialize": [c_void_p, c_uint64],
    "gnn_model_load": [c_void_p, c_char_p],
    "gnn_model_save": [c_void_p, c_char_p],
    "gnn_model_parameter": [c_void_p, c_char_p, _HANDLE],
    "gnn_model_infer": [c_void_p, c_void_p, POINTER(Input), c_uint32, _HANDLE],
    "gnn_pullback_create": [c_void_p, c_void_p, POINTER(Input), c_uint32, POINTER(PullbackOptions), _HANDLE],
    "gnn_pullback_forward": [c_void_p, POINTER(Input), c_uint32, _HANDLE, c_uint64, c_uint64, c_void_p, _HANDLE],
    "gnn_pullback_backward": [c_void_p, POINTER(Input), c_uint32, _HANDLE, c_void_p, _HANDLE, _HANDLE],
}
# The others: the result, then the arguments.
_OTHERS = {
    "gnn_interface_version": [c_uint32],
    "gnn_last_error": [c_char_p],
    "gnn_status_name": [c_char_p, ctypes.c_int],
    "gnn_tensor_destroy": [None, c_void_p],
    "gnn_tensor_element": [c_uint32, c_void_p],
    "gnn_tensor_rank": [c_uint32, c_void_p],
    "gnn_tensor_shape": [POINTER(c_int64), c_void_p],
    "gnn_tensor_count": [c_int64, c_void_p],
    "gnn_tensor_data": [c_void_p, c_void_p],
    "gnn_graph_destroy": [None, c_void_p],
    "gnn_graph_num_vertices": [c_int64, c_void_p],
    "gnn_graph_num_edges": [c_int64, c_void_p],
    "gnn_model_destroy": [None, c_void_p],
    "gnn_model_manifest": [c_char_p, c_void_p],
    "gnn_model_num_parameters": [c_uint32, c_void_p],
    "gnn_model_parameter_name": [c_char_p, c_void_p, c_uint32],
    "gnn_model_num_outputs": [c_uint32, c_void_p],
    "gnn_model_output_name": [c_char_p, c_void_p, c_uint32],
    "gnn_pullback_destroy": [None, c_void_p],
    "gnn_pullback_list": [POINTER(PullbackItem), c_void_p, c_uint32, POINTER(c_uint32)],
    "gnn_pullback_workspace_bytes": [c_uint64, c_void_p],
}


def root():
    """The folder that has `bin` and `lib`."""
    if "GNNC_ROOT" in os.environ:
        return os.environ["GNNC_ROOT"]
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "installation")
    if os.path.isdir(inside):
        return inside
    found = shutil.which("gnnc")
    if not found:
        raise Error("gnnc is not installed: there is no gnnc on PATH, and the variable GNNC_ROOT is not set")
    return os.path.dirname(os.path.dirname(os.path.realpath(found)))


def program(name):
    """The path of a program of the installation."""
    return os.path.join(root(), "bin", name)


def _open():
    folders = [os.path.join(root(), "lib"), *glob.glob(os.path.join(root(), "lib", "*-linux-gnu")), root()]
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "libgnnrt.so*"))):
            try:
                return ctypes.CDLL(path)
            except OSError as error:
                raise Error(f"{path} cannot be loaded: {error}", "version error") from None
    raise Error(f"there is no libgnnrt.so in {os.path.join(root(), 'lib')}")


class _Functions:
    """The functions of the C interface; those that return a status raise `Error` instead."""

    def __init__(self):
        library = _open()
        for name, (result, *arguments) in _OTHERS.items():
            self._add(library, name, result, arguments)
        for name, arguments in _CHECKED.items():
            self._add(library, name, ctypes.c_int, arguments).errcheck = self._check
        version = self.gnn_interface_version()
        if version != INTERFACE_VERSION:
            raise Error(f"{library._name} has version {version} of the C interface, and this Python package is for version "
                        f"{INTERFACE_VERSION}: install both from one release of gnnc", "version error")

    def _add(self, library, name, result, arguments):
        try:
            function = getattr(library, name)
        except AttributeError:
            raise Error(f"{library._name} has no {name}, so this Python package is of another release: install both from "
                        "one release of gnnc", "version error") from None
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function

    def _check(self, status, _function, _arguments):
        if status:
            raise Error(self.gnn_last_error().decode(), self.gnn_status_name(status).decode())
        return status


_functions = None


def api():
    global _functions
    if _functions is None:
        _functions = _Functions()
    return _functions


def made(function, *arguments):
    """The handle that a function gives by its last argument."""
    handle = c_void_p()
    function(*arguments, byref(handle))
    return handle


__all__ = ["BOOL", "Error", "F32", "F64", "GraphOptions", "I32", "I64", "INTERFACE_VERSION", "Input", "ModelOptions", "PullbackItem",
           "PullbackOptions", "api", "made", "program", "root"]
