"""Says of each function of a file of PTX that folds edges how it reads features, and what it has that it should not."""
import re
import sys

for entry in re.split(r"\.visible \.entry ", open(sys.argv[1]).read())[1:]:
    name = re.match(r"[\w$]+", entry).group()
    faults = [what for what in (".local", "atom.", "red.", "call") if re.search(r"\s" + re.escape(what), entry)]
    if "sweep" in name and not name.endswith("$merge") or faults:
        wide = "16 bytes" if "ld.global.nc.v4.f32" in entry else "single numbers"
        print(f"{name}: {wide}{''.join(' ' + fault for fault in faults)}")
