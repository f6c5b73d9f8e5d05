# links_on_samples.sh BATCH PYTHON COMPARE: batches of so many pairs, on samples of all edges and over the whole graph, whose runs then are
# NAME-samples-BATCH and NAME-whole-BATCH. Where two things are to agree, COMPARE says so.
batch=$1
shift
for name in encoder types; do
  for where in whole samples; do
    fanout=
    [ $where = samples ] && fanout="--fanout all,all"
    gnn-train $name.so --data apart --batch $batch $fanout --negatives 2 --epochs 3 --no-ranking --run-dir $name-$where-$batch > /dev/null || exit 1
  done
  "$@" $name-whole-$batch $name-samples-$batch || exit 1
done
