"""Topologies whose rates are a hundredth, so that a small graph is bound by them and not by latencies."""
import json
import os
import sys


def slowed(name):
    """Of the folder that is the first argument: a file in the folder at hand."""
    with open(os.path.join(sys.argv[1], name + ".json")) as file:
        topology = json.load(file)
    for rates in [topology["device"], *topology["links"]]:
        rates["GB/s"] /= 100
    with open(name + ".json", "w") as file:
        json.dump(topology, file)
    return os.path.abspath(name + ".json")
