"""Contestants in turns: what each computes is compared with a reference before it is timed, and all are timed round by round."""

import math
import statistics

ROUND_SECONDS = 0.1
MOST_CALLS = 20
WARM_UP = 3


class Absent(Exception):
    """Why a contestant does not take part."""


def difference(values, reference):
    """|values - reference| / |reference|; infinite for another number of values or one that is no number."""
    if len(values) != len(reference):
        return math.inf
    norm = math.sqrt(sum(float(number) ** 2 for number in reference))
    distance = math.sqrt(sum((float(a) - float(b)) ** 2 for a, b in zip(values, reference)))
    return distance / max(norm, 1e-30) if math.isfinite(distance) else math.inf


def time_case(makers, reference, tolerance, rounds):
    """{name: {"seconds": median, "least", "most", "samples", "difference", "bytes", "note"} or {"failed": why}}.

    `makers` gives by name a function that prepares a contestant: an object with `check()`, numbers to compare with `reference`, or with its first alone
    where it `draws_its_own` random numbers; `seconds()`, which computes once and says how long the GPU took; `bytes()`, what is allocated there, or None;
    `note`; and `close()`.
    """
    results, ready = {}, []
    for name, make in makers.items():
        try:
            contestant = make()
            values = contestant.check()
            error = difference(values, reference[:1] if contestant.draws_its_own else reference)
            if not error <= tolerance:
                raise Absent("gives other numbers: they differ by %.1e" % error)
            once = min(contestant.seconds() for _ in range(WARM_UP))
            ready.append((name, contestant, min(max(1, math.ceil(ROUND_SECONDS / max(once, 1e-9))), MOST_CALLS)))
            results[name] = {"difference": error, "samples": [], "note": contestant.note}
        except Exception as failure:  # out of memory, what a peer does not know: the others go on
            results[name] = {"failed": "%s: %s" % (type(failure).__name__, str(failure).split("\n")[0][:200])}
    for _ in range(rounds):
        for name, contestant, calls in ready:
            results[name]["samples"] += [contestant.seconds() for _ in range(calls)]
    for name, contestant, _ in ready:
        samples = results[name]["samples"]
        results[name].update(seconds=statistics.median(samples), least=min(samples), most=max(samples), bytes=contestant.bytes())
        contestant.close()
    return results
