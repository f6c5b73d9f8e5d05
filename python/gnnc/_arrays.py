"""Arrays of other libraries as tensors of the runtime, and the reverse, without copies where memory allows it."""

import ctypes
import sys
import threading
from ctypes import POINTER, c_char, c_int64, c_void_p, cast, pythonapi, py_object

from ._native import BOOL, F32, F64, I32, I64, Error, api, made

# Element types: name, ctypes type, the typestr of __array_interface__.
_ELEMENTS = {
    F32: ("float32", ctypes.c_float, "<f4"),
    F64: ("float64", ctypes.c_double, "<f8"),
    I32: ("int32", ctypes.c_int32, "<i4"),
    I64: ("int64", ctypes.c_int64, "<i8"),
    BOOL: ("bool", ctypes.c_bool, "|b1"),
}
_BY_TYPESTR = {typestr: element for element, (_, _, typestr) in _ELEMENTS.items()}
_BY_FORMAT = {"f": F32, "d": F64, "i": I32, "l": I64, "q": I64, "?": BOOL}

_CAPSULE, _USED = b"dltensor_versioned", b"used_dltensor_versioned"  # capsules keep the addresses of these
pythonapi.PyCapsule_New.restype = py_object
pythonapi.PyCapsule_New.argtypes = [c_void_p, ctypes.c_char_p, c_void_p]
pythonapi.PyCapsule_GetPointer.restype = c_void_p
pythonapi.PyCapsule_GetPointer.argtypes = [py_object, ctypes.c_char_p]
pythonapi.PyCapsule_IsValid.argtypes = [py_object, ctypes.c_char_p]
pythonapi.PyCapsule_SetName.argtypes = [py_object, ctypes.c_char_p]

_offered = []  # capsules that consumers may not have taken yet
_is_sweeping = threading.Lock()


def _num_references_of_local():
    """What sys.getrefcount counts of an object that a local variable alone refers to: it depends on the interpreter."""
    capsule = object()
    return sys.getrefcount(capsule)


def _release_dropped():
    """Releases the tensors of capsules that were dropped before a consumer took them. (A destructor of the capsule could
    not be written in Python: it may run while an exception is on its way, which Python code in a callback loses.)"""
    if not _is_sweeping.acquire(blocking=False):
        return
    try:
        held = []
        while _offered:
            capsule = _offered.pop()
            if pythonapi.PyCapsule_IsValid(capsule, _CAPSULE):
                if sys.getrefcount(capsule) > _num_references_of_local():
                    held.append(capsule)
                else:
                    _taken(capsule)
        _offered.extend(held)
    finally:
        _is_sweeping.release()


def extents(shape):
    return (c_int64 * len(shape))(*shape)


class Array:
    """A tensor of the runtime. `numpy.asarray` and `torch.from_dlpack` share its memory."""

    def __init__(self, handle, kept=None):
        self._handle = handle
        self._kept = kept  # what owns the memory, if the runtime does not

    def __del__(self):
        if getattr(self, "_handle", None):
            api().gnn_tensor_destroy(self._handle)
            _release_dropped()

    @property
    def shape(self):
        return tuple(api().gnn_tensor_shape(self._handle)[: api().gnn_tensor_rank(self._handle)])

    @property
    def dtype(self):
        return _ELEMENTS[api().gnn_tensor_element(self._handle)][0]

    @property
    def __array_interface__(self):
        typestr = _ELEMENTS[api().gnn_tensor_element(self._handle)][2]
        return {"version": 3, "shape": self.shape, "typestr": typestr, "data": (api().gnn_tensor_data(self._handle), False)}

    def __dlpack_device__(self):
        return (1, 0)  # kDLCPU

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if max_version is None or max_version[0] < 1:
            raise BufferError("DLPack before version 1.0 is not supported")
        _release_dropped()
        capsule = pythonapi.PyCapsule_New(made(api().gnn_tensor_to_dlpack, self._handle), _CAPSULE, None)
        _offered.append(capsule)
        return capsule

    def tolist(self):
        """Nested lists of Python numbers."""
        element, count = api().gnn_tensor_element(self._handle), api().gnn_tensor_count(self._handle)
        numbers = cast(api().gnn_tensor_data(self._handle), POINTER(_ELEMENTS[element][1]))[:count]
        for extent in reversed(self.shape[1:]):
            numbers = [numbers[i : i + extent] for i in range(0, len(numbers), extent)] if extent else [[]] * self.shape[0]
        return numbers if self.shape else numbers[0]

    def __repr__(self):
        return f"gnnc.Array({self.tolist()}, {self.dtype})"


def view(address, element, shape, kept):
    """The memory at an address, which `kept` owns. Where there are no elements the address may be 0."""
    return Array(made(api().gnn_tensor_view, address or 64, element, len(shape), extents(shape), None, None), kept)


def empty(element, shape):
    return Array(made(api().gnn_tensor_create, element, len(shape), extents(shape)))


def _from_interface(given):
    interface = given.__array_interface__
    element = _BY_TYPESTR.get(interface["typestr"])
    if element is None:
        raise Error(f"an array of {interface['typestr']}: expected float32, float64, int32, int64 or bool", "argument error")
    if interface.get("strides") is not None:
        raise Error("the array is not contiguous in C order", "argument error")
    return view(interface["data"][0], element, interface["shape"], given)


def _taken(capsule):
    """The tensor of a capsule, which is used up by this."""
    tensor = Array(made(api().gnn_tensor_from_dlpack, pythonapi.PyCapsule_GetPointer(capsule, _CAPSULE)))
    pythonapi.PyCapsule_SetName(capsule, _USED)
    return tensor


def _from_dlpack(given):
    try:
        capsule = given.__dlpack__(max_version=(1, 0))
    except TypeError:  # a library that knows only older versions of DLPack
        return None
    if not pythonapi.PyCapsule_IsValid(capsule, _CAPSULE):
        return None
    return _taken(capsule)


def _from_buffer(given):
    try:
        memory = memoryview(given)
    except TypeError:
        message = f"a {type(given).__name__}: expected an array with DLPack or the buffer protocol"
        raise Error(message, "argument error") from None
    element = _BY_FORMAT.get(memory.format)
    if element is None or not memory.c_contiguous:
        message = f"a buffer of format {memory.format!r}: expected contiguous float, double, int32, int64 or bool"
        raise Error(message, "argument error")
    if memory.readonly:
        kept = (c_char * memory.nbytes).from_buffer_copy(memory)
    else:
        kept = (c_char * memory.nbytes).from_buffer(memory)
    return view(ctypes.addressof(kept), element, memory.shape, kept)


def array(given):
    """A tensor of the runtime that shares the memory of `given`: a NumPy array, a tensor of PyTorch, or anything else
    with DLPack or the buffer protocol. The memory must not change while a call uses it."""
    if isinstance(given, Array):
        return given
    if hasattr(given, "__array_interface__"):
        return _from_interface(given)
    tensor = _from_dlpack(given) if hasattr(given, "__dlpack__") else None
    return tensor or _from_buffer(given)
