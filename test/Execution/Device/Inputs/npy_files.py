"""Files of data sets, for scripts of this folder."""
import array


def write(name, kind, values, shape):
    """A .npy file."""
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (kind, ", ".join(map(str, shape)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + array.array({"<i8": "q", "<f4": "f"}[kind], values).tobytes())
