#!/bin/sh
# links_reference.sh MODEL DATA PYTHON SAME_RANK: trains a model of links compiled and on the reference interpreter and compares its rankings.
set -e
name=$(basename "$1" .gnn)
gnnc "$1" -q --target=host -o "$name.so"
gnn-train "$name.so" --data "$2" --epochs 0 --run-dir first > /dev/null
gnn-interp "$1" --data "$2" --epochs 200 --weights first/last.safetensors --save reference.safetensors > /dev/null
gnn-train evaluate "$name.so" --data "$2" --weights reference.safetensors --json > reference.json
gnn-train "$name.so" --data "$2" --epochs 200 --run-dir run --no-ranking > /dev/null
gnn-train evaluate "$name.so" --data "$2" --weights run/last.safetensors --json > ours.json
"$3" "$4" ours.json reference.json
rm -r first run
