"""The contestants. Each module has a class Contestant(form, settings) with

    note            how the present kernel is computed, one line
    versions()      {name: version}
    graph(edges)    prepares a graphs.Edges
    kernel(kernel, arrays, threads)   a function that computes it once and returns the result, rows of vertices or of edges
"""
