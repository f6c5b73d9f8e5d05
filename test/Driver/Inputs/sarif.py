"""Whether a file is a SARIF 2.1.0 log with results of these rules, in order: what the schema requires of all that is in it."""
import json
import re
import sys

log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json"), log
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "gnnc" and driver["version"], driver
assert run["columnKind"] == "unicodeCodePoints"
rules = [rule["id"] for rule in driver["rules"]]
assert len(set(rules)) == len(rules)
for rule in driver["rules"]:
    assert rule["shortDescription"]["text"] and rule["help"]["text"] and rule["help"]["markdown"].startswith("# " + rule["id"])


def check_region(region):
    assert 1 <= region["startLine"] <= region["endLine"] and region["startColumn"] >= 1 and region["endColumn"] >= 1, region


def check_artifact(artifact):
    assert re.fullmatch(r"[A-Za-z0-9._~/:%-]+", artifact["uri"]), artifact


def check_location(location):
    check_artifact(location["physicalLocation"]["artifactLocation"])
    check_region(location["physicalLocation"]["region"])
    assert "message" not in location or location["message"]["text"]


for result in run["results"]:
    assert result["ruleId"] in rules and result["message"]["text"]
    assert result["level"] == ("warning" if result["ruleId"][0] == "W" else "error")
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location)
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            check_artifact(change["artifactLocation"])
            assert change["replacements"]
            for replacement in change["replacements"]:
                region = replacement["deletedRegion"]
                check_region(region)
                print(f"{change['artifactLocation']['uri']}:{region['startLine']}:{region['startColumn']}-{region['endColumn']}",
                      replacement["insertedContent"]["text"])
assert [result["ruleId"] for result in run["results"]] == sys.argv[2:], run["results"]
