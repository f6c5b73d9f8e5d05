"""sample_traffic.py STEPS COMMAND...: what each of 2, 3 and 5 ranks sends in an epoch of so many steps on samples, by the formula of docs/dev/distributed.md: two
epochs less one."""
import json
import subprocess
import sys

steps = int(sys.argv[1])


def run(ranks, epochs):
    options = ["--ranks", str(ranks), "--epochs", str(epochs), "--no-run-dir", "--json"]
    return json.loads(subprocess.run(sys.argv[2:] + options, check=True, capture_output=True).stdout)


for ranks in (2, 3, 5):
    one, two = (run(ranks, epochs) for epochs in (1, 2))
    results = two["parameter_bytes"] + 4  # gradients, next values of states, the loss
    others = ranks - 1
    sent = [after["sent"] - before["sent"] for before, after in zip(one["ranks"], two["ranks"])]
    stops = 8 * others * steps  # whether to go on, after each step
    formula = [results * steps * (1 if rank < others else others) + stops + (8 * others if rank == 0 else 0) for rank in range(ranks)]
    assert sent == formula, (sent, formula)
    assert sum(rank["sent"] for rank in two["ranks"]) == sum(rank["received"] for rank in two["ranks"]), two
    print("%d ranks send %d bytes a step" % (ranks, 2 * others * results))
