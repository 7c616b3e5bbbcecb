"""What the tests against Optuna share: our program, storages, an objective, comparisons."""

import json
import math
import subprocess
import warnings
from pathlib import Path

import optuna
from optuna.storages import JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend, JournalFileSymlinkLock

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
SECONDS_MAX = 120


class Tool:
    """tuner_tool on one study."""

    def __init__(self, program, place, study):
        self.program, self.place, self.study = program, place, study

    def command(self, what, *options):
        return [self.program, what, self.place, self.study, *options]

    def __call__(self, what, *options):
        done = subprocess.run(self.command(what, *options), capture_output=True, text=True,
                              timeout=SECONDS_MAX, check=False)
        assert done.returncode == 0, f"{what}: {done.stderr}"
        return done.stdout

    def show(self):
        return json.loads(self("show"))

    def start(self, what, *options):
        return subprocess.Popen(self.command(what, *options), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)


def file_of(place):
    return place.split(":", 1)[1]


def storage(place, grace=30):
    """The same study as Optuna addresses it."""
    path = file_of(place)
    if place.startswith("journal:"):
        lock = JournalFileSymlinkLock(str(Path(path).resolve()), grace_period=grace)
        return JournalStorage(JournalFileBackend(path, lock_obj=lock))
    return RDBStorage(f"sqlite:///{path}", engine_kwargs={"connect_args": {"timeout": 60}})


def suggest(trial):
    """The space of tuner_tool."""
    return {"x": trial.suggest_float("x", -5, 5),
            "y": trial.suggest_float("y", 1e-3, 1, log=True),
            "s": trial.suggest_float("s", 0, 1, step=0.1),
            "n": trial.suggest_int("n", 1, 10),
            "m": trial.suggest_int("m", 1, 100, log=True),
            "c": trial.suggest_categorical("c", ["a", "b", "c"])}


def cost(p):
    """The objective of tuner_tool."""
    return (p["x"] ** 2 + abs(math.log10(p["y"]) + 1) + p["s"] + 0.1 * abs(p["n"] - 3)
            + 0.01 * p["m"] + 0.5 * "abc".index(p["c"]))


def objective(trial):
    return cost(suggest(trial))


def same_number(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def compare(ours, study):
    """Compares our view of a study with Optuna's, trial by trial."""
    theirs = study.get_trials(deepcopy=False)
    assert len(ours["trials"]) == len(theirs), (len(ours["trials"]), len(theirs))
    assert ours["directions"] == [int(d) for d in study.directions]
    for mine, trial in zip(ours["trials"], theirs):
        where = f"trial {trial.number}"
        assert mine["number"] == trial.number, where
        assert mine["state"] == int(trial.state), where
        assert mine["values"] == (trial.values or []), where
        assert mine["params"] == trial.params, (where, mine["params"], trial.params)
        assert list(mine["params"]) == list(trial.params), where
        dists = {n: optuna.distributions.json_to_distribution(d)
                 for n, d in mine["distributions"].items()}
        assert dists == trial.distributions, where
        assert mine["user"] == trial.user_attrs, where
        assert json.dumps(mine["system"], sort_keys=True) == \
            json.dumps(trial.system_attrs, sort_keys=True), where
        steps = {int(k): v for k, v in mine["intermediate"].items()}
        assert steps.keys() == trial.intermediate_values.keys(), where
        assert all(same_number(steps[k], v) for k, v in trial.intermediate_values.items()), where
        for name, moment in (("start", trial.datetime_start), ("complete", trial.datetime_complete)):
            mine_s = mine[name] / 1e6
            theirs_s = moment.timestamp() if moment else 0
            assert abs(mine_s - theirs_s) < 1e-5, (where, name, mine_s, theirs_s)


def compare_results(ours, study):
    """Compares best trial and importances."""
    assert ours["best"] == study.best_trial.number, (ours["best"], study.best_trial.number)
    theirs = optuna.importance.get_param_importances(study)
    assert ours["importances"].keys() == theirs.keys()
    for name, share in theirs.items():
        assert abs(ours["importances"][name] - share) < 1e-9, (name, share, ours["importances"])
