"""Arrays of random numbers on huge pages of their own, so that where they lie is the same for every contestant."""

import mmap

import numpy

HUGE_PAGE = 2 << 20


def uniform(random, *shape):
    """f32 in [-1, 1)."""
    bytes_needed = 4 * int(numpy.prod(shape))
    memory = mmap.mmap(-1, bytes_needed + 2 * HUGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # shared memory has no huge pages
    memory.madvise(mmap.MADV_HUGEPAGE)
    whole = numpy.frombuffer(memory, numpy.uint8)
    start = -whole.ctypes.data % HUGE_PAGE
    array = whole[start:start + bytes_needed].view(numpy.float32).reshape(shape)
    random.random(out=array, dtype=numpy.float32)
    array *= 2
    array -= 1
    return array
