"""Compares our answers with XGBoost's, for the models that xgboost_train.py left in a folder.

Usage: xgboost_compare.py PROGRAM FOLDER. Prints one line of JSON: by file the share of margins with
equal bits, the largest differences, and why a model was refused.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np


def ask(program: str, model: Path, x: np.ndarray) -> tuple:
    rows, out = model.with_suffix(".rows"), model.with_suffix(".out")
    x.astype(np.float32).tofile(rows)
    done = subprocess.run([program, model, rows, out], capture_output=True, text=True, check=False,
                          timeout=120)
    return done.returncode, done.stdout.strip(), out


def compare(program: str, model: Path) -> dict:
    known = np.load(model.with_suffix(".npz"))
    x, margin, parts = known["x"], known["margin"], known["contributions"]
    status, said, out = ask(program, model, x)
    if status != 0:
        return {"status": status, "said": said}
    form = [("single", "<f4"), ("batch", "<f4"), ("parts", "<f8", (x.shape[1] + 1,))]
    ours = np.fromfile(out, dtype=form)
    scale = np.maximum(1, np.abs(margin))
    parts_scale = np.maximum(1, np.abs(margin[:len(parts)]))[:, None]
    total = np.abs(ours["parts"].sum(axis=1) - margin)
    return {"status": 0, "version": said, "rows": len(ours),
            "equal_bits": float(np.mean(ours["single"].view("u4") == margin.view("u4"))),
            "batch_as_single": bool(np.array_equal(ours["single"].view("u4"),
                                                   ours["batch"].view("u4"))),
            "margin": float(np.max(np.abs(ours["single"].astype("f8") - margin) / scale)),
            "contributions": float(np.max(np.abs(ours["parts"][:len(parts)] - parts) / parts_scale)),
            "sum": float(np.max(total / scale))}


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    found = {}
    for known in sorted(folder.glob("*.npz")):
        for ending in (".json", ".ubj"):
            model = known.with_suffix(ending)
            found[model.name] = compare(program, model)
    for model in sorted(folder.glob("refused_*")):
        status, said, _ = ask(program, model, np.zeros((1, 8)))
        found[model.name] = {"status": status, "said": said}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
