"""kept.py FILE...: bytes of a vertex that training keeps for its backward pass, by the text of `gnnc --emit=program` with all sizes known."""
import re
import sys

BITS = {"f32": 32, "f64": 64, "i32": 32, "i64": 64, "bool": 8, "bits": 1}


def bytes_of(shape, element):
    bits = BITS[element]
    for size in filter(None, shape.split(", ")):
        bits *= int(size)
    return (bits + 7) // 8


for path in sys.argv[1:]:
    with open(path) as text:
        program = text.read()
    sizes = {name: bytes_of(shape, element) for name, shape, element in re.findall(r"^  (%\w+): temporary of \w+ \[(.*)\] (\w+)$", program, re.M)}
    train = program[program.index("\nprogram train"):].split("\nprogram ")[1]
    print(sum(sizes[name] for name in re.findall(r"^    (%\w+): .*, kept$", train, re.M)))
