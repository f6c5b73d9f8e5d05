"""Writes files of formats that are no tables of edges: other_formats.py FOLDER"""
import pathlib
import sys

path = [(i, i + 1) for i in range(1, 20001)]  # more rows than are looked at to tell the format
FILES = {
    "adjacency.csv": "0,1,0,1\n1,0,1,0\n0,1,0,0\n1,0,0,0\n",
    "adjacency-blanks.txt": "0 1 1\n1 0 0\n1 0 0\n",
    "adjacency-distances.csv": "1.0,0.39,0.0\n0.39,1.0,0.0\n0.0,0.2,1.0\n",
    "adjacency-large.csv": "".join(",".join("01"[(i * j) % 7 == 1] for j in range(900)) + "\n" for i in range(900)),
    "adjacency-named.csv": ",a,b,c\na,0,1,1\nb,1,0,0\nc,1,0,0\n",
    "adjacency-titled.csv": "a,b,c\n0,1,1\n1,0,0\n1,0,0\n",
    "counted.txt": "4 3\n1 2\n2 3\n3 4\n",
    "counted-large.txt": "20001 20000\n" + "".join(f"{a} {b}\n" for a, b in path),
    "dicts.csv": "0,1,{'weight': 3}\n1,2,{'weight': 4}\n",
    "dicts.txt": "0 1 {'weight': 3}\n1 2 {'weight': 4}\n",
    "dimacs.col": "c of nobody\np edge 3 2\ne 1 2\ne 2 3\n",
    "dimacs.gr": "p sp 3 2\na 1 2 7\na 2 3 7\n",
    "dot.gv": "digraph G {\n  a -> b;\n}\n",
    "dot-plain.gv": "graph {\n  a -- b\n}\n",
    "guess.gdf": "nodedef>name VARCHAR\na\nb\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\n",
    "igraph.lgl": "# a\nb 5\nc 4\n# b\nc 3\n",
    "lfs.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 4700000\n",
    "lists.json": "[1, 2]\n[2, 3]\n",
    "metis.graph": "% of nobody\n3 3\n2 3\n1 3\n1 2\n",
    "metis-tree.graph": "4 3\n2\n1 3\n2 4\n3\n",
    "missing.csv": "Not Found\n",
    "missing-404.csv": "404: Not Found",
    "missing-page.csv": "<html><head><title>404</title></head></html>\n",
    "missing-page-late.csv": "\n\n<!DOCTYPE html>\n<html>\n",
    "neighbours.txt": "0 1 2\n1 2\n2 0\n",
    "newman.gml": 'Creator "somebody"\ngraph\n[\n  node\n  [\n    id 1\n  ]\n]\n',
    "objects.json": '{"message": "Not Found"}',
    "pajek.net": '*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2\n',
    "rdf.nt": '<http://a> <http://b> <http://c> .\n<http://a> <http://b> "two words" .\n',
    "rdf.ttl": "@prefix ex: <http://example.org/> .\nex:a ex:b ex:c .\n",
    "simple.gml": "graph [\n  node [ id 1 ]\n]\n",
    "tgf.tgf": "1 A\n2 B\n#\n1 2\n",
    "tuples.txt": "(0, 1)\n(1, 2)\n",
    "ucinet.dl": "dl n=3\nformat = edgelist1\ndata:\n1 2\n",
}
for name, text in FILES.items():
    (pathlib.Path(sys.argv[1]) / name).write_text(text)
