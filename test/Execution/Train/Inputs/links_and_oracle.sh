# links_and_oracle.sh SAMPLER MODEL PYTHON: the loss that gnn-train has in the third epoch on samples is gnn-interp's, from the values in `first`.
options="--data typed-within --epochs 3 --seed 5 --batch 7 --negatives 2 --fanout 3,2 --sampler $1"
gnn-train types.so $options --no-ranking --run-dir oracle-$1 > /dev/null || exit 1
gnn-interp $2 --weights first/last.safetensors --library types.so $options > oracle-$1.txt || exit 1
$3 -c "
import json
ours = json.loads(open('oracle-$1/metrics.jsonl').readlines()[-1])['loss']
theirs = float(open('oracle-$1.txt').readline().split()[-1])
assert abs(ours - theirs) < 1e-10, (ours, theirs)"
