"""Says of each function of a file of PTX that folds edges how it reads features and what arrays say of edges, and what it has that it should not."""
import re
import sys

for entry in re.split(r"\.visible \.entry ", open(sys.argv[1]).read())[1:]:
    name = re.match(r"[\w$]+", entry).group()
    faults = [what for what in (".local", "atom.", "red.", "call") if re.search(r"\s" + re.escape(what), entry)]
    if "sweep" in name and not name.endswith("$merge") or faults:
        wide = "16 bytes" if re.search(r"ld\.global\.nc\.v4\.[fbu]32", entry) else "single numbers"
        told = "by shuffles" if "shfl.sync.idx" in entry else "by each thread"
        print(f"{name}: {wide}, {told}{''.join(' ' + fault for fault in faults)}")
