"""Trains Python's xgboost on exactly the rows that `parley train` used, and compares.

Usage: parity.py PROGRAM [--data FOLDER]. Runs in the environment of tools/venv/learn.txt. Without a
folder of public traces (or PARLEY_DATA) it uses a made-up one. Exits 1 if AUC differs by more than
0.005 or average precision by more than 5 %, or if Python's library is of another 1.7.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import xgboost
from sklearn.metrics import average_precision_score, roc_auc_score

TRACES = {"grid5000": "grid5000-failures/event_trace.csv.gz",
          "backblaze": "backblaze-survival/hds.csv.gz",
          "borg": "borg-2019-sample/borg_2019_instances.csv.gz"}
TRAIN, STOP, CALIBRATE, TEST = range(4)
DAY = 86_400


def made_up(path: Path) -> None:
    """Nodes that fail the more often the more they failed recently, in the form of Grid'5000's trace."""
    draw = random.Random(7)
    with open(path, "w", encoding="utf-8") as file:
        file.write("node_id,event_type,event_start_time,event_stop_time\n")
        for node in range(80):
            at, frail = node * 500, draw.choice([3, 6, 20])
            while at < 250 * DAY:
                up = int(draw.expovariate(1 / (frail * DAY))) + 60
                down = int(draw.expovariate(1 / 3600)) + 60
                file.write(f"{node},1,{at},{at + up}\n{node},0,{at + up},{at + up + down}\n")
                at += up + down


def read_rows(path: Path) -> dict:
    data = path.read_bytes()
    end = data.index(b"\n") + 1
    head = json.loads(data[:end])
    n, width = head["rows"], len(head["columns"])
    sizes = [("values", "<f4", n * width), ("label", "<f4", n), ("weight", "<f4", n),
             ("entity", "<i4", n), ("part", "u1", n)]
    rows = {}
    for name, kind, count in sizes:
        rows[name] = np.frombuffer(data, dtype=kind, count=count, offset=end)
        end += rows[name].nbytes
    rows["values"] = rows["values"].reshape(n, width)
    return rows


def python_scores(rows: dict, parameters: dict) -> tuple:
    """Margins of the test rows, and how many trees were kept."""
    def matrix(part):
        chosen = (rows["part"] == part) & (rows["weight"] > 0)
        return xgboost.DMatrix(rows["values"][chosen], label=rows["label"][chosen],
                               weight=rows["weight"][chosen], missing=np.nan,
                               nthread=parameters["threads"])
    settings = {"objective": parameters["objective"], "eval_metric": parameters["metric"],
                "base_score": parameters["base_score"], "tree_method": "hist",
                "max_depth": parameters["depth"], "eta": parameters["eta"],
                "min_child_weight": parameters["min_child_weight"],
                "max_delta_step": parameters["max_delta_step"],
                "subsample": parameters["subsample"],
                "colsample_bytree": parameters["column_share"], "lambda": parameters["lambda"],
                "nthread": parameters["threads"], "seed": parameters["seed"]}
    train, stop, test = matrix(TRAIN), matrix(STOP), matrix(TEST)
    booster = xgboost.train(settings, train, parameters["rounds_max"], evals=[(stop, "stop")],
                            early_stopping_rounds=parameters["patience"], verbose_eval=False)
    trees = booster.best_iteration + 1
    return booster.predict(test, output_margin=True, iteration_range=(0, trees)), trees


def compare(program: str, name: str, trace: Path, folder: Path) -> bool:
    dump = folder / f"{name}.rows"
    command = [program, "train", "risk", "--trace", name, "--from", str(trace), "--rows",
               str(dump), "-o", "json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = read_rows(dump)
    margins, trees = python_scores(rows, report["parameters"])
    test = (rows["part"] == TEST) & (rows["weight"] > 0)
    label, weight = rows["label"][test], rows["weight"][test]
    auc = roc_auc_score(label, margins, sample_weight=weight)
    precision = average_precision_score(label, margins, sample_weight=weight)
    ours = report["quality"]
    off_auc = abs(ours["auc"]["value"] - auc)
    off_precision = abs(ours["average_precision"] / precision - 1)
    good = off_auc <= 0.005 and off_precision <= 0.05
    print(f"{name}: AUC {ours['auc']['value']:.4f}, Python {auc:.4f}; AP "
          f"{ours['average_precision']:.4f}, Python {precision:.4f}; trees {report['trees']}, "
          f"Python {trees}; {'equal' if good else 'NOT EQUAL'}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--data", default=os.environ.get("PARLEY_DATA", ""))
    options = parser.parse_args()
    if not xgboost.__version__.startswith("1.7."):
        print(f"parity: xgboost {xgboost.__version__} is another line than 1.7", file=sys.stderr)
        return 1
    good = True
    with tempfile.TemporaryDirectory() as folder:
        chosen = {name: Path(options.data) / path for name, path in TRACES.items()
                  if options.data and (Path(options.data) / path).exists()}
        if not chosen:
            chosen = {"grid5000": Path(folder) / "made_up.csv"}
            made_up(chosen["grid5000"])
        for name, path in chosen.items():
            good = compare(options.program, name, path, Path(folder)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
