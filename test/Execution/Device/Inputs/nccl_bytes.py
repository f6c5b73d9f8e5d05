"""nccl_bytes.py HOST1 HOST2 NCCL1 NCCL2 LINKS: of outputs of --json, of one and of two epochs: whether in an epoch ranks send the same by NCCL as by the memory of
their processes, but for the words on whether to go on; and whether in the last the library has counted the same, with a byte from each rank to each other that
connects them."""
import json
import re
import sys

runs = []
for name in sys.argv[1:5]:
    with open(name) as file:
        runs.append(json.loads(file.read().splitlines()[-1])["ranks"])
with open(sys.argv[5]) as counted:
    links = re.findall(r"^fake libnccl: rank (\d+) -> rank (\d+): (\d+) bytes$", counted.read(), re.M)
others = len(runs[0]) - 1
assert len(links) == len(runs[0]) * others, links
for number, (host1, host2, nccl1, nccl2) in enumerate(zip(*runs)):
    assert host2["comm"] == "host" and "sent_by_nccl" not in host2 and nccl2["comm"] == "NCCL 2.19.3", (host2, nccl2)
    for way, end in (("sent", 0), ("received", 1)):
        assert nccl2[way] - nccl1[way] == host2[way] - host1[way] > 0, (number, way, runs)
        words = nccl2[way] - nccl1[way] - nccl2[way + "_by_nccl"] + nccl1[way + "_by_nccl"]
        assert 0 < words <= 32 * others, (number, way, words)
        assert nccl2[way + "_by_nccl"] == sum(int(link[2]) - 1 for link in links if int(link[end]) == number), (number, links)
