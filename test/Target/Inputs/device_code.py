"""Prints the code objects for devices of a compiled library, one a line, as gnn/program.h lays them out."""
import ctypes
import sys


class Image(ctypes.Structure):
    _fields_ = [("arch", ctypes.c_uint32), ("is_ptx", ctypes.c_uint32), ("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


class Device(ctypes.Structure):
    _fields_ = [("num_images", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("images", ctypes.POINTER(Image))]


DEVICE_OFFSET = 136  # of gnn_library_t::device
library = ctypes.CDLL(sys.argv[1])
table = ctypes.addressof(ctypes.c_char.in_dll(library, "gnn_library_v1"))
device = ctypes.cast(table + DEVICE_OFFSET, ctypes.POINTER(ctypes.POINTER(Device))).contents.contents
for image in device.images[:device.num_images]:
    code = ctypes.string_at(image.data, image.bytes)
    if image.is_ptx:
        assert code[-1] == 0, "PTX ends in NUL"
        description = next(line for line in code.decode("ascii").splitlines() if line.startswith(".target"))
    else:
        assert code[:4] == b"\x7fELF"
        description = "machine code"
    print(f"sm_{image.arch}: {description}")
