#!/bin/sh
# reference.sh MODEL DATA OUTPUT PYTHON SAME [SAMPLING]: with the same weights, a compiled model and gnn-interp give the same output; first
# values, then after three epochs of training in each, of one step over the whole graph or, with the options
# SAMPLING, of batches.
set -e
name=$(basename "$1" .gnn)
gnnc "$1" -q --target=host -o "$name.so"
mkdir "$name"
for epochs in 0 3; do
  gnn-train "$name.so" --data "$2" --epochs $epochs $6 --run-dir "$name-$epochs" > /dev/null
  gnn-train predict "$name.so" --data "$2" --weights "$name-$epochs/last.safetensors" --predictions "$name.npy" > /dev/null
  gnn-interp "$1" --data "$2" --split test --epochs $epochs ${6:+$6 --library "$name.so"} \
      --weights "$name-0/last.safetensors" --dump "$name" > /dev/null
  "$4" "$5" "$name.npy" "$name/$3.npy" 1e-4
done
