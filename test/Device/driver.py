"""Prints the folder of this machine's CUDA driver, or says why no program can use a GPU here."""
import ctypes
import os
import sys

try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    sys.exit("this machine has no NVIDIA driver: %s" % error)
count = ctypes.c_int()
error = cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count))
if error or count.value < 1:
    sys.exit("this machine's NVIDIA driver finds no device (error %d)" % error)
with open("/proc/self/maps") as maps:
    print(next(os.path.dirname(os.path.realpath(line.split()[-1])) for line in maps if "libcuda.so" in line))
