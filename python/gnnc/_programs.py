"""The programs of a wheel as commands: each is replaced by the program of its name."""

import os
import sys

from ._native import program


def _become(name):
    os.execv(program(name), [name, *sys.argv[1:]])


def gnnc():
    _become("gnnc")


def gnn_train():
    _become("gnn-train")


def gnn_data():
    _become("gnn-data")
