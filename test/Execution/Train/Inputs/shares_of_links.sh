# shares_of_links.sh NAME PYTHON INPUTS: a model of links on samples, in shares of batches, of which the last batch of an epoch leaves none for the third. Any number
# of ranks has the bits of one process, and the loss is that of batches which are not cut.
name=$1
train() { gnn-train $name.so --data within --seed 5 --batch 23 --negatives 2 --fanout 2,2 --no-ranking --epochs 3 "$@" > /dev/null; }
[ $name = compgcn ] && train() { gnn-train $name.so --data within --seed 5 --batch 23 --negatives 2 --fanout 2 --no-ranking --epochs 3 "$@" > /dev/null; }
train --run-dir $name-whole || exit 1
for ranks in 1 2 3; do
  train --shares 3 --ranks $ranks --run-dir $name-$ranks || exit 1
done
"$2" "$3/same_run.py" $name-1 $name-2 $name-3 && "$2" "$3/close_losses.py" $name-whole $name-1
