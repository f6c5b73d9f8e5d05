# Usage: full-disk.sh FOLDER DATASET GNN-TRAIN; in a mount namespace of its own. Trains in a small file system, fills it, goes on training,
# which must fail, looks at the checkpoint, frees the space and goes on.
set -eu
disk=$1/disk
train="$3 $1/gcn.so --data $2 --run-dir $disk/run"
mount -t tmpfs -o size=1m none "$disk"

$train --epochs 3 > /dev/null
echo trained
cp "$disk/run/last.safetensors" "$1/before"
cat /dev/zero > "$disk/filler" 2> /dev/null || true

if $train --epochs 6 --resume; then
  echo 'saving on a full disk succeeded'
  exit 1
fi
cmp "$disk/run/last.safetensors" "$1/before"
echo 'the old checkpoint is as it was'

rm "$disk/filler"
$train --epochs 6 --resume > /dev/null
echo resumed
