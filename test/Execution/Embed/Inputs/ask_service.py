"""Runs examples/service and asks it. Usage: ask_service.py CHECK SERVICE MODEL WEIGHTS DATA [ARGUMENT...]

What it answers is compared with the tables that gnn-train predict writes."""
import csv
import http.client
import json
import math
import shutil
import signal
import subprocess
import sys
import threading


class Service:
    def __init__(self, *command):
        self.process = subprocess.Popen(list(command) + ["--port", "0"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:"), line
        self.port = int(line.rsplit(":", 1)[1])

    def ask(self, path, body=None, raw=None):
        """The status and the JSON of the answer, or its text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if body is None and raw is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(body) if raw is None else raw)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if "json" in answer.getheader("Content-Type") else text

    def error(self, path, body=None, raw=None):
        status, answer = self.ask(path, body, raw)
        return f"{status} {answer['error']}"

    def classes(self, ids):
        """Class and probability by id."""
        status, answer = self.ask("/v1/predict", {"ids": ids})
        assert status == 200, answer
        assert [row["id"] for row in answer["predictions"]] == list(ids)
        return {row["id"]: (row["class"], row["probability"]) for row in answer["predictions"]}

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def table(path):
    """What a table of predictions says, in the same form."""
    result = {}
    for row in csv.DictReader(open(path)):
        scores = [float(value) for name, value in row.items() if name.startswith("logits_")]
        result[row["id"]] = (row["class"], 1 / sum(math.exp(score - max(scores)) for score in scores))
    return result


def require_same(found, wanted):
    for vertex, (name, probability) in wanted.items():
        assert found[vertex][0] == name, (vertex, found[vertex], name)
        assert abs(found[vertex][1] - probability) < 1e-5, (vertex, found[vertex], probability)
    print(f"{len(wanted)} answers are those of gnn-train")


def answers(service, model, weights, data, predicted):
    s = Service(service, model, weights, data)
    wanted = table(predicted)
    require_same(s.classes(list(wanted)), wanted)
    for path in "/healthz", "/readyz":
        assert s.ask(path)[0] == 200
    about = s.ask("/v1/model")[1]
    print(about["model"], about["classes"], about["snapshot"])
    print(s.error("/v1/predict", {"ids": ["kim", "nobody"]}))
    print(s.error("/v1/predict", {"ids": [["kim"]]}))
    print(s.error("/v1/predict", {"id": "kim"}))
    print(s.error("/v1/predict", raw='{"ids": ["kim"'))
    for path, member in ("/v1/predict", "ids"), ("/v1/append", "vertices"):
        print(s.error(path, raw='{"%s": %s%s}' % (member, "[" * 400000, "]" * 400000)))
    print(s.error("/v1/predict", {"ids": ["kim"] * 1001}))
    print(s.error("/v1/predict", raw="x" * (1 << 21)))
    print(s.error("/v1/no"))
    print(s.error("/v1/append", {"edges": {"bought": [["kim", "p1"]]}}))
    metrics = s.ask("/metrics")[1]
    assert 'service_requests_total{path="/v1/predict",status="404"} 1\n' in metrics, metrics
    assert f"service_vertices_total {len(wanted)}\n" in metrics, metrics
    assert 'service_seconds_bucket{le="+Inf"}' in metrics, metrics
    print("ended", s.end())


def appends(service, model, weights, data, rows, edges, predicted):
    """Appends the last rows of tables in which those of the data set come first."""
    s = Service(service, model, weights, data)
    row = {"id": "new", "age": "44", "joined": "2024-02-01", "country": "PL", "plan": "free"}
    payments = [["new", "kim254"]]
    print(s.error("/v1/append", {"vertices": {"vertex": [{**row, "age": "old"}]}, "edges": {"edge": payments}}))
    print(s.error("/v1/append", {"vertices": {"vertex": [row, row]}}))
    print(s.error("/v1/append", {"vertices": {"vertex": [{**row, "id": "kim254"}]}}))
    print(s.error("/v1/append", {"vertices": {"vertex": [{"id": "new"}]}}))
    print(s.error("/v1/append", {"vertices": {"user": [row]}}))
    print(s.error("/v1/append", {"edges": {"edge": payments}}))
    print(s.error("/v1/append", {"edge": payments}))
    print(s.error("/v1/append", {"vertices": {"vertex": [row]}, "edges": {"paid": payments}}))
    print(s.error("/v1/predict", {"ids": ["new"]}), "after", s.ask("/v1/model")[1]["snapshot"])
    users, names = list(csv.DictReader(open(rows))), ("age", "joined", "country", "plan")
    new = [{"id": u["user"], **{name: u[name] or None for name in names}} for u in users[-2:]]
    links = [[e["from"], e["to"]] for e in list(csv.DictReader(open(edges)))[-4:]]
    print(s.ask("/v1/append", {"vertices": {"vertex": new}, "edges": {"edge": links[:3]}}))
    print(s.ask("/v1/append", {"edges": {"edge": links[3:]}}))
    wanted = table(predicted)
    require_same(s.classes(list(wanted)), wanted)
    print(s.ask("/v1/append", {"vertices": {"vertex": [{**row, "age": None, "country": "Mars"}]}}))
    print("ended", s.end())


def reloads(service, model, weights, data, others, predicted, of_others):
    """The weights are replaced by others, by a broken file, and by the first ones."""
    kept = weights + ".kept"
    shutil.copy(weights, kept)
    s = Service(service, model, weights, data)
    first, second = table(predicted), table(of_others)
    require_same(s.classes(list(first)), first)
    shutil.copy(others, weights)
    assert s.ask("/v1/reload", {})[0] == 200
    require_same(s.classes(list(second)), second)
    open(weights, "w").write("no weights")
    print(s.error("/v1/reload", {})[:28])
    require_same(s.classes(list(second)), second)
    shutil.copy(kept, weights)
    s.process.send_signal(signal.SIGHUP)
    while "service_reloads_total 2\n" not in s.ask("/metrics")[1]:
        pass
    require_same(s.classes(list(first)), first)
    print("ended", s.end())


def crowds(service, model, weights, data, predicted):
    """One request computes at a time and none waits: others are refused. Then the service ends in their midst."""
    s = Service(service, model, weights, data, "--threads", "1", "--queue", "0")
    wanted, found = table(predicted), []

    def ask():
        for _ in range(20):
            try:
                status, answer = s.ask("/v1/predict", {"ids": list(wanted)})
            except (ConnectionError, http.client.HTTPException):  # it has ended
                status, answer = 503, None
            if status == 200:
                assert all(wanted[row["id"]][0] == row["class"] for row in answer["predictions"])
            found.append(status)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads[:8]:
        thread.join()
    code = s.end()
    for thread in threads:
        thread.join()
    assert set(found) <= {200, 429, 503} and {200, 429} <= set(found), set(found)
    print(len(found), "requests, ended", code)


{"answers": answers, "appends": appends, "reloads": reloads, "crowds": crowds}[sys.argv[1]](*sys.argv[2:])
