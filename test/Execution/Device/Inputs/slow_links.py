"""Topologies whose rates are a fraction, so that a small graph is bound by them and not by latencies."""
import json
import os
import sys


def slowed(name, links=100, device=100):
    """Of the folder that is the first argument: a file in the folder at hand. `links`, `device`: by how much."""
    with open(os.path.join(sys.argv[1], name + ".json")) as file:
        topology = json.load(file)
    topology["device"]["GB/s"] /= device
    for link in topology["links"]:
        link["GB/s"] /= links
    with open(name + ".json", "w") as file:
        json.dump(topology, file)
    return os.path.abspath(name + ".json")
