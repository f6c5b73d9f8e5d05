#!/bin/sh
# reference.sh MODEL DATA OUTPUT PYTHON SAME: trained on a device a model gives what it gives on the processor and what gnn-interp gives, before training
# and after three steps; and the same bits when it is trained again.
set -e
name=$(basename "$1" .gnn)
gnnc "$1" -q --target=host,sm_80 -o "$name.so"
mkdir "$name"
for epochs in 0 3; do
  for run in cuda again; do
    gnn-train "$name.so" --data "$2" --epochs $epochs --device cuda --run-dir "$name-$epochs-$run" > /dev/null
  done
  cmp "$name-$epochs-cuda/last.safetensors" "$name-$epochs-again/last.safetensors"
  weights="$name-$epochs-cuda/last.safetensors"
  gnn-train predict "$name.so" --data "$2" --weights "$weights" --device cuda --predictions "$name.npy" > /dev/null
  gnn-train predict "$name.so" --data "$2" --weights "$weights" --predictions "$name-cpu.npy" > /dev/null
  "$4" "$5" "$name.npy" "$name-cpu.npy" 1e-5
  gnn-interp "$1" --data "$2" --split test --epochs $epochs --weights "$name-0-cuda/last.safetensors" --dump "$name" > /dev/null
  "$4" "$5" "$name.npy" "$name/$3.npy" 1e-5
done
