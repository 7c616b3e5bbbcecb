"""Trains small models with the XGBoost of its interpreter, and saves them with what it predicts.

Usage: xgboost_train.py FOLDER. Writes NAME.json, NAME.ubj, NAME.npz with rows, margins and
contributions for models to be read, and refused_NAME.json for models to be refused.
"""

import sys
from pathlib import Path

import numpy as np
import xgboost as xgb

ROWS, FEATURES = 3000, 8
COMMON = {"nthread": 1, "seed": 5, "tree_method": "hist"}


def rows(missing: bool) -> tuple:
    random = np.random.default_rng(11)
    x = random.normal(size=(ROWS, FEATURES)).astype(np.float32)
    x[:, 3] = np.round(x[:, 3])
    y = x[:, 0] * 2 - np.abs(x[:, 1]) + x[:, 2] * x[:, 3] + random.normal(size=ROWS)
    if missing:
        x[random.random(x.shape) < 0.15] = np.nan
    return x, y.astype(np.float32)


def models() -> dict:
    """Name to parameters, rounds, whether values are missing."""
    logistic = {**COMMON, "objective": "binary:logistic", "eta": 0.2}
    square = {**COMMON, "objective": "reg:squarederror", "eta": 0.2}
    middle = {"quantile": ({**square, "objective": "reg:quantileerror", "quantile_alpha": 0.9,
                            "max_depth": 4}, 20, True)} if int(xgb.__version__[0]) >= 2 else {}
    return {
        **middle,
        "huber": ({**square, "objective": "reg:pseudohubererror", "max_depth": 4}, 20, True),
        "logistic_rows": ({**logistic, "objective": "reg:logistic", "max_depth": 4}, 20, True),
        "logistic": ({**logistic, "max_depth": 6}, 60, False),
        "logistic_missing": ({**logistic, "max_depth": 5}, 61, True),
        "logistic_rare": ({**logistic, "max_depth": 4, "base_score": 0.013}, 30, True),
        # Versions differ in what they make of a base score near the edge.
        "logistic_rarest": ({**logistic, "max_depth": 3, "base_score": 1e-7}, 10, True),
        "logistic_surest": ({**logistic, "max_depth": 3, "base_score": 0.9999995}, 10, True),
        "logistic_steps": ({**logistic, "max_depth": 6, "max_delta_step": 1,
                            "min_child_weight": 5, "eta": 0.06}, 40, True),
        "square": ({**square, "max_depth": 6}, 50, False),
        "square_based": ({**square, "max_depth": 3, "base_score": -2.25}, 50, True),
        "deep": ({**square, "max_depth": 14, "min_child_weight": 0}, 20, True),
        "lossguide": ({**square, "max_depth": 0, "grow_policy": "lossguide", "max_leaves": 60}, 20,
                      True),
        "stump": ({**logistic, "max_depth": 1}, 9, True),
        "pruned": ({**square, "tree_method": "exact", "max_depth": 6, "gamma": 5.0}, 20, False),
        "parallel": ({**square, "max_depth": 4, "num_parallel_tree": 3, "subsample": 0.5}, 5, True),
    }


def save(folder: Path, name: str, parameters: dict, rounds: int, missing: bool) -> None:
    x, y = rows(missing)
    label = (y > 0.5).astype(np.float32) if "logistic" in parameters["objective"] else y
    names = [f"feature {i}" for i in range(FEATURES)] if missing else None
    data = xgb.DMatrix(x, label, feature_names=names)
    booster = xgb.train(parameters, data, rounds)
    booster.save_model(folder / f"{name}.json")
    booster.save_model(folder / f"{name}.ubj")
    booster = xgb.Booster({"nthread": 1}, model_file=folder / f"{name}.json")
    some = xgb.DMatrix(x[:300], feature_names=names)
    np.savez(folder / f"{name}.npz", x=x,
             margin=booster.predict(data, output_margin=True).astype(np.float32),
             contributions=booster.predict(some, pred_contribs=True))


def refuse(folder: Path) -> None:
    x, y = rows(False)
    square = {**COMMON, "objective": "reg:squarederror", "max_depth": 3}
    data = xgb.DMatrix(x, y)

    def keep(name: str, parameters: dict, given: xgb.DMatrix) -> None:
        xgb.train(parameters, given, 3).save_model(folder / f"refused_{name}.json")

    keep("dart", {**square, "booster": "dart", "rate_drop": 0.1}, data)
    keep("gblinear", {"nthread": 1, "booster": "gblinear", "objective": "reg:squarederror"}, data)
    keep("softprob", {**square, "objective": "multi:softprob", "num_class": 3},
         xgb.DMatrix(x, np.arange(ROWS) % 3))
    ranked = xgb.DMatrix(x, (y > 0).astype(np.float32))
    ranked.set_group([100] * (ROWS // 100))
    keep("rank", {**square, "objective": "rank:pairwise"}, ranked)
    keep("poisson", {**square, "objective": "count:poisson"}, xgb.DMatrix(x, np.abs(y)))
    categories = x.copy()
    categories[:, 3] = np.arange(ROWS) % 5
    types = ["c" if i == 3 else "float" for i in range(FEATURES)]
    wanted = (np.arange(ROWS) % 5 == 2).astype(np.float32)
    keep("categorical", square, xgb.DMatrix(categories, wanted, feature_types=types,
                                            enable_categorical=True))
    keep("targets", {**square, "multi_strategy": "multi_output_tree"}
         if int(xgb.__version__[0]) >= 2 else square, xgb.DMatrix(x, np.stack([y, -y], 1)))


def main() -> None:
    folder = Path(sys.argv[1])
    for name, (parameters, rounds, missing) in models().items():
        save(folder, name, parameters, rounds, missing)
    refuse(folder)
    print(xgb.__version__)


if __name__ == "__main__":
    main()
