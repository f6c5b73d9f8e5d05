# Usage: full-disk.sh FOLDER MODEL; in a mount namespace of its own. Compiles into a small file system, fills it and compiles
# again, which must fail and leave what was there.
set -eu
disk=$1/disk
mount -t tmpfs -o size=1m none "$disk"

gnnc "$2" -q --target=x86-64-v2 -o "$disk/model.so"
cp "$disk/model.so" "$disk/model.h" "$1"
echo compiled
cat /dev/zero > "$disk/filler" 2> /dev/null || true
ls -A "$disk" > "$1/before"

code=0
gnnc "$2" -q --target=x86-64-v2,x86-64-v3 -o "$disk/model.so" || code=$?
echo "exit code $code"
gnnc "$2" --emit=star > "$disk/filler2" || echo "exit code $?"
rm -f "$disk/filler2"
cmp "$disk/model.so" "$1/model.so"
cmp "$disk/model.h" "$1/model.h"
ls -A "$disk" | cmp - "$1/before"
echo 'what was there is as it was, and nothing beside it'
