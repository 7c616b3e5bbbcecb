#!/usr/bin/env python3
"""Makes twelve run folders, each with one fault in one layer, under names and in an order that say nothing.

Usage: tests/scenarios/planted/plant.py PROGRAM FOLDER --key FILE [--seed N]

FOLDER gets run-01 to run-12, FILE says what is in which. Everything goes through what the program takes from
anyone: scenarios, settings, a model, and files of a run that somebody damaged.
"""

import argparse
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

LAYERS = {1: "observation", 2: "prediction", 3: "proposal", 4: "arbitration", 5: "execution", 6: "explanation"}
WORLD_SEED = "7"  # Of the simulated cluster: the same in all of them, so that it tells nothing.
FRAME_HEADER = 100  # Bytes of a frame of the journal before its payload.
INPUT_FRAME = 3


class Workshop:
    """Where runs are made: a folder in memory if there is one, as a run waits for its disk in every round."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        memory = "/dev/shm"
        usable = os.path.isdir(memory) and os.access(memory, os.W_OK)
        self.path = tempfile.mkdtemp(prefix="parley-plant-", dir=memory if usable else None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def parley(self, *words):
        # A home of its own: no model of this machine.
        done = subprocess.run([self.program, *words], cwd=self.path, capture_output=True, text=True, timeout=300,
                              check=False, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": self.path})
        if done.returncode != 0:
            raise RuntimeError(f"parley {' '.join(words)}: {done.stderr}")
        return done.stdout

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, adapt=None, rounds=100, settings=(), flags=(), base="calm"):
        """A run of a built-in scenario that was changed, and that no longer tells by its name what it is."""
        scenario = json.loads(self.parley("scenario", "show", base, "-o", "json"))
        scenario["name"], scenario["description"] = "shop", "a shop and its Jobs"
        for each in scenario["workloads"] + scenario["jobs"]:
            # Who asks for no more than it holds leaves nothing to save: a run is about its fault alone.
            each["pod"]["memory_request_mib"] = int(each["pod"]["memory_mib"])
        if adapt is not None:
            adapt(scenario)
        self.write("shop.json", json.dumps(scenario))
        words = ["simulate", "--scenario", "./shop.json", "--seed", WORLD_SEED, "--rounds", str(rounds),
                 "--event-dir", "run", *flags]
        for setting in settings:
            words += ["--set", setting]
        self.parley(*words)

    def journal(self):
        return os.path.join(self.path, "run", "journal", "000001.log")


def degrading(**more):
    """A node that shows signs for so long that it does not fail within a run."""
    return {"kind": "degrade_fail", "at": "20s", "target": "node-02", "lead": "25m", "gamma": 0.1, **more}


def with_script(*entries):
    return lambda scenario: scenario.update(script=list(entries))


def whole(shop):
    """Nothing is wrong with this one: what is said of the others must not be said of it."""
    shop.run()


def node_without_samples(shop):
    def lose(scenario):
        scenario["sources"] = scenario["sources"][:1]
        scenario["sources"][0]["faults"] = [{"kind": "loss", "from": "1m", "node": "node-05"}]
    shop.run(lose)


def source_off_by_a_factor(shop):
    def stretch(scenario):
        scenario["sources"][0]["faults"] = [{"kind": "off", "from": "1m", "factor": 3}]
    shop.run(stretch)


def model_that_expects_too_much(shop):
    """One tree, which gives every node a risk of 4 % where none fails."""
    tree = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
            "split_conditions": [90.0, 0.0, 1.0], "default_left": [1, 0, 0], "sum_hessian": [4.0, 1.0, 3.0],
            "split_type": [0, 0, 0], "tree_param": {"size_leaf_vector": "1"}}
    shop.write("model.json", json.dumps({"version": [2, 1, 4], "learner": {
        "attributes": {}, "feature_names": ["cpu"], "feature_types": ["float"],
        "gradient_booster": {"name": "gbtree", "model": {
            "gbtree_model_param": {"num_trees": "1"}, "tree_info": [0], "trees": [tree]}},
        "learner_model_param": {"base_score": "4E-2", "num_class": "0", "num_feature": "1", "num_target": "1"},
        "objective": {"name": "binary:logistic"}}}))
    shop.write("features.csv", "feature,serves,unit\ncpu,cpu_share,percent\n")
    shop.parley("model", "use", "./model.json", "--features", "features.csv", "--calibrated")
    shop.run(rounds=650, flags=["--predictor", "xgboost", "--interval", "60s"])


def predictor_blind_to_readiness(shop):
    """The formula looks at load and pods: an empty node that is lost is safe by it."""
    def lose_an_empty_node(scenario):
        nodes = dict(scenario["nodes"][0], cpu_m="64000m", memory_mib="128Gi")
        scenario["nodes"] = [dict(nodes, count=10), dict(nodes, count=2, name="spare", pool="spare")]
        scenario["workloads"] = [each for each in scenario["workloads"] if each["kind"] != "daemon_set"]
        for each in scenario["workloads"]:
            each["selector"] = "pool=general"
        scenario["jobs"] = []
        scenario["script"] = [{"kind": "fail", "at": "60s", "target": "spare-02"}]
    shop.run(lose_an_empty_node, flags=["--predictor", "formula"])


def margin_that_nothing_passes(shop):
    shop.run(with_script(degrading()), settings=["policy.stakes.margin=50"])


def queue_that_nobody_answers(shop):
    shop.run(rounds=75, base="batch-queue", settings=["policy.admission.queue_from=5000"])


def warm_up_without_end(shop):
    shop.run(with_script(degrading()), settings=["policy.guard.warmup_rounds=100000"])


def headroom_that_nobody_has(shop):
    shop.run(with_script(degrading()), settings=["policy.guard.headroom=1"])


def budget_that_never_yields(shop):
    """Of two pods on the node one may go; its successor needs hours to start, so the other may not."""
    def slow_start(scenario):
        scenario["script"] = [degrading()]
        for each in scenario["workloads"]:
            if each["name"] == "web":
                each["replicas"] = 24
                each["pod"]["startup_core_s"] = 5000
    shop.run(slow_start, rounds=280)


def mark_taken_away(shop):
    shop.run(with_script(degrading(), {"kind": "unmark", "at": "4m", "target": "node-02"}), rounds=120)


def byte_flipped(shop):
    shop.run()
    with open(shop.journal(), "r+b") as file:
        middle = os.path.getsize(shop.journal()) // 2
        file.seek(middle)
        byte = file.read(1)[0]
        file.seek(middle)
        file.write(bytes([byte ^ 16]))


def journal_cut(shop):
    """At a border of frames and without its witness beside it: only what was made from it remembers more."""
    shop.run()
    with open(shop.journal(), "rb") as file:
        data = file.read()
    inputs, at = [], 0
    while data[at:at + 3] == b"\xf5PJ":
        if data[at + 34] == INPUT_FRAME:
            inputs.append(at)
        at += FRAME_HEADER + struct.unpack_from("<I", data, at + 8)[0]
    with open(shop.journal(), "wb") as file:
        file.write(data[:inputs[60]])
    os.remove(os.path.join(shop.path, "run", "journal", "head"))


FAULTS = {
    node_without_samples: 1, source_off_by_a_factor: 1,
    model_that_expects_too_much: 2, predictor_blind_to_readiness: 2,
    margin_that_nothing_passes: 3, queue_that_nobody_answers: 3,
    warm_up_without_end: 4, headroom_that_nobody_has: 4,
    budget_that_never_yields: 5, mark_taken_away: 5,
    byte_flipped: 6, journal_cut: 6,
}


def plant(program, fault, place):
    """Makes the run of one fault in a folder that is not there yet."""
    with Workshop(program) as shop:
        fault(shop)
        shutil.move(os.path.join(shop.path, "run"), place)


def main():
    parser = argparse.ArgumentParser(description="Makes twelve run folders, each with one fault in one layer.")
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--key", required=True, help="the file that says what is in which folder; keep it apart")
    parser.add_argument("--seed", type=int, help="of the order; drawn if not given")
    wish = parser.parse_args()
    key, folder = os.path.realpath(wish.key), os.path.realpath(wish.folder)
    if key.startswith(folder + os.sep):
        parser.error("the key must not lie where the runs are")
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        parser.error(f"{wish.folder} is not empty")
    order = list(FAULTS)
    seed = wish.seed if wish.seed is not None else random.SystemRandom().randrange(2**32)
    random.Random(seed).shuffle(order)
    lines = [f"seed {seed}"]
    for number, fault in enumerate(order, 1):
        name = f"run-{number:02}"
        plant(wish.program, fault, os.path.join(folder, name))
        lines.append(f"{name}  layer {FAULTS[fault]} {LAYERS[FAULTS[fault]]:<12}  {fault.__name__}")
        print(f"{name} is made")
    with open(key, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
