"""The Python side of forest_rows: the same rows, one at a time, through Booster.inplace_predict.

Usage: forest_peer.py FOLDER [ROWS]. Checks first that the margins in FOLDER have the bits that
XGBoost gives, then prints one line of JSON. Runs in the environment `xgboost` of tools/venv.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import xgboost as xgb

COLUMNS = 20


def main() -> None:
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    rows = np.fromfile(folder / "rows.f32", dtype="<f4").reshape(-1, COLUMNS)
    booster = xgb.Booster({"nthread": 1}, model_file=folder / "model.json")
    booster.set_param({"nthread": 1})
    margins = booster.inplace_predict(rows, predict_type="margin").astype("<f4")
    ours = np.fromfile(folder / "margins.f32", dtype="<f4")
    equal = float(np.mean(margins.view("u4") == ours.view("u4")))
    for row in rows[:1000]:  # Warm up.
        booster.inplace_predict(row.reshape(1, -1), predict_type="margin", validate_features=False)
    singles = [row.reshape(1, -1) for row in rows[:count]]
    took = []
    for row in singles:
        begin = time.perf_counter_ns()
        booster.inplace_predict(row, predict_type="margin", validate_features=False)
        took.append(time.perf_counter_ns() - begin)
    took.sort()
    print(json.dumps({"version": xgb.__version__, "equal_share": equal, "rows": len(ours),
                      "p50_us": took[len(took) // 2] / 1e3,
                      "p99_us": took[len(took) * 99 // 100] / 1e3}))


if __name__ == "__main__":
    main()
