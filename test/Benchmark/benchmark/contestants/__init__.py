"""The contestants. Each module has a class Contestant(form, settings) with

    note            how the present kernel is computed, one line
    versions()      {name: version}
    graph(edges)    reads and prepares a graphs.Edges; {"load": seconds, "prepare": seconds}
    forget()        gives up what it keeps of the last kernel or model
    kernel(kernel, arrays, threads)             a function that computes it once and returns the result, rows of vertices or of edges
    model(model, problem, threads, training)    the same for a step of a model: the logits, or in training the loss
"""
