# learned_links.sh NAME PYTHON COMPARE: on samples of all edges a model has the losses of batches over the whole graph. Leaves its first values in NAME-first.
name=$1
shift
options="--data typed-apart --seed 5 --negatives 2 --no-ranking"
gnn-train $name.so $options --epochs 0 --run-dir $name-first > /dev/null || exit 1
gnn-train $name.so $options --epochs 3 --batch 16 --run-dir $name-whole > /dev/null || exit 1
gnn-train $name.so $options --epochs 3 --batch 16 --fanout all --run-dir $name-samples > /dev/null || exit 1
"$@" $name-whole $name-samples
