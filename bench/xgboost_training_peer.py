"""The peer of xgboost_training: the same rows and parameters with Python's xgboost, in turns.

Usage: xgboost_training_peer.py PROGRAM [--threads=N] [--pairs=N]. Runs in the environment of
tools/venv/learn.txt. Prints one line of JSON: the median of ours / Python with its range, and both
AUCs. Each side is timed from rows in memory to a model, in a process that trains nothing else: one
thread by the CPU, several by the clock. Ours runs twice: with Debian's library, and with the very
file that Python loads, since two builds of XGBoost differ by more than what is around them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import xgboost
from sklearn.metrics import roc_auc_score

TRAIN, STOP, _, TEST = range(4)


def read_rows(path: Path) -> tuple:
    data = path.read_bytes()
    end = data.index(b"\n") + 1
    head = json.loads(data[:end])
    n, width = head["rows"], len(head["columns"])
    values = np.frombuffer(data, "<f4", n * width, end).reshape(n, width)
    label = np.frombuffer(data, "<f4", n, end + values.nbytes)
    part = np.frombuffer(data, "u1", n, end + values.nbytes + 3 * label.nbytes)
    return values, label, part


def train(rows: tuple, threads: int) -> dict:
    values, label, part = rows
    settings = {"objective": "binary:logistic", "eval_metric": "logloss", "base_score": 0.2,
                "tree_method": "hist", "max_depth": 6, "eta": 0.06, "min_child_weight": 5,
                "max_delta_step": 1, "nthread": threads, "seed": 0}
    chosen = [(values[part == p], label[part == p]) for p in (TRAIN, STOP, TEST)]
    clock = time.process_time if threads == 1 else time.perf_counter
    begin = clock()
    first, stop = (xgboost.DMatrix(v, label=y, weight=np.ones_like(y), nthread=threads)
                   for v, y in chosen[:2])
    booster = xgboost.train(settings, first, 200, evals=[(stop, "stop")], verbose_eval=False)
    seconds = clock() - begin
    margins = booster.predict(xgboost.DMatrix(chosen[2][0], nthread=threads), output_margin=True)
    return {"seconds": seconds, "auc": float(roc_auc_score(chosen[2][1], margins))}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--once", default="")
    options = parser.parse_args()
    if options.once:
        print(json.dumps(train(read_rows(Path(options.once)), options.threads)))
        return 0
    ours, same, peer = [], [], []
    library = str(xgboost.libpath.find_lib_path()[0])
    threads = f"--threads={options.threads}"
    with tempfile.TemporaryDirectory() as folder:
        rows = str(Path(folder) / "rows")
        subprocess.run([options.program, f"--rows={rows}"], check=True)
        turns = ((ours, [options.program, threads], {}),
                 (peer, [sys.executable, "-B", __file__, options.program, threads,
                         f"--once={rows}"], {}),
                 (same, [options.program, threads], {"LD_PRELOAD": library}))
        for _ in range(options.pairs):
            for into, command, more in turns:
                done = subprocess.run(command, check=True, capture_output=True, text=True,
                                      env={**os.environ, **more})
                into.append(json.loads(done.stdout))
    answer = {"peer": xgboost.__version__, "peer_auc": peer[0]["auc"],
              "peer_s": statistics.median(each["seconds"] for each in peer)}
    for name, side in (("debian", ours), ("same_library", same)):
        ratios = [a["seconds"] / b["seconds"] for a, b in zip(side, peer)]
        answer[name] = {"ratio": statistics.median(ratios), "low": min(ratios),
                        "high": max(ratios), "auc": side[0]["auc"], "xgboost": side[0]["xgboost"]}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
