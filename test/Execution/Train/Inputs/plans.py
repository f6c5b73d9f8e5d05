"""Which ways of sweeps were tried. Prints those of a run that may not try, whether each sweep of training took its first
way or a faster one, and whether the plan says the same ways.

    plans.py FOLDER    with counted-1.json and tried-1.json of runs, plan.json of the plan
"""
import json
import sys


def tried(name):
    with open(f"{sys.argv[1]}/{name}.json") as file:
        return json.load(file)["tried_plans"]


def is_settled(sweep):
    ms, taken = [way["ms"] for way in sweep["ways"]], sweep["taken"]
    return len(ms) in (2, 3) and min(ms) > 0 and (taken == 0 or ms[taken] == min(ms) <= 0.95 * ms[0])


def ways(sweeps):
    return [(sweep["kernel"], [(way["partitions"], way["passes"]) for way in sweep["ways"]]) for sweep in sweeps]


training = [sweep for sweep in tried("tried-1") if sweep["program"].startswith("train")]
print(tried("counted-1"), all(is_settled(sweep) for sweep in training), ways(tried("plan")) == ways(tried("tried-1")))
