"""Files of arrays, for the scripts of all tests: lit.cfg.py has this folder on Python's path."""
import struct

CODES = {"<i8": "q", "<i4": "i", "<f4": "f", "<f8": "d", "|b1": "?"}


def content(kind, values, shape):
    """What a .npy file has; `values` are numbers, or their bytes."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = values if isinstance(values, bytes) else struct.pack("<%d%s" % (len(values), CODES[kind]), *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def write(path, kind, values, shape):
    with open(path, "wb") as file:
        file.write(content(kind, values, shape))
