"""Slices of destinations, so that a tensor over the edges of one fits."""

import numpy


def slices_of(indptr, bytes_per_edge, limit):
    """Bounds [(first, last)] of consecutive rows whose edges take at most `limit` bytes (or one row)."""
    edges = max(1, limit // bytes_per_edge)
    bounds, first, rows = [], 0, len(indptr) - 1
    while first < rows:
        last = int(numpy.searchsorted(indptr, indptr[first] + edges, side="right")) - 1
        last = min(max(last, first + 1), rows)
        bounds.append((first, last))
        first = last
    return bounds
