"""rank_bytes.py ONE RANKS DEVICE...: of two outputs of --json, whether ranks on these devices moved as many bytes to and from them as one process, all together."""
import json
import sys

with open(sys.argv[1]) as one, open(sys.argv[2]) as several:
    alone, ranks = json.loads(one.read().splitlines()[-1])["stream"]["so_far"], json.loads(several.read().splitlines()[-1])["ranks"]
assert [rank["device"] for rank in ranks] == sys.argv[3:], ranks
together = {kind: sum(rank[kind] for rank in ranks) for kind in alone}
assert together == alone and alone["tables_to_device"] > 0, (together, alone)
assert all(rank["tables_to_device"] > 0 for rank in ranks), ranks
