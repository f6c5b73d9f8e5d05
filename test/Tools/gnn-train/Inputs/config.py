"""Checks config.json of the run in run-files.test."""
import json
import sys

config = json.load(open(sys.argv[1]))
settings = {"optimizer": "adam", "lr": 0.02, "weight_decay": 0.001, "epochs": 40, "patience": None, "negatives": 1, "order": "given", "seed": 3, "schedule": "constant",
            "warm_up": 0, "clip": 0.0, "class_weights": "equal", "monitor": "default"}
assert config["settings"] == settings, config
assert config["dims"] == {"in": 480, "classes": 6}, config
assert config["parameters"] == 480 * 6 + 6, config
assert config["model"]["name"] == "Fake" and config["model"]["library"].endswith("/libfake-model.so"), config
assert config["data"]["path"].endswith("/planted") and config["data"]["vertices"] == 1500, config
assert len(config["model"]["digest"]) == len(config["data"]["digest"]) == 16, config
products = config["machine"].pop("products")
assert products.startswith("oneDNN (") and config["machine"] == {"device": "cpu", "isa": "x86-64-v2", "threads": 1}, config
assert config["gnn_train"] and "source_digest" in config["model"], config
