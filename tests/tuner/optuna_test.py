"""Studies go from us to Optuna and back, in both formats.

Usage: optuna_test.py TUNER_TOOL
"""

import re
import sqlite3
import sys
import tempfile
from pathlib import Path

import kit
import numpy as np
import optuna
from optuna.pruners import HyperbandPruner, MedianPruner
from optuna.trial import TrialState, create_trial


def ours_then_optuna(tool):
    """We begin with pruning and reports, Optuna loads and continues, we load and continue."""
    tool("run", "--trials=30", "--seed=1", "--report=9", "--pruner=median")
    study = optuna.load_study(storage=kit.storage(tool.place), study_name=tool.study)
    states = {t.state for t in study.trials}
    assert states == {TrialState.COMPLETE, TrialState.PRUNED}, states
    kit.compare(tool.show(), study)
    kit.compare_results(tool.show(), study)
    study.optimize(kit.objective, n_trials=15)
    kit.compare(tool.show(), study)
    told = tool("run", "--trials=15", "--seed=2").split("\n")[:-1]
    for line in told:
        number, value = line.split()
        trial = study.trials[int(number)]
        assert trial.value == float(value) and trial.user_attrs == {"by": "parley"}
        assert abs(kit.cost(trial.params) - trial.value) < 1e-9
    kit.compare(tool.show(), study)
    kit.compare_results(tool.show(), study)


def failing(trial):
    params = kit.suggest(trial)
    trial.report(float("nan"), 0)
    trial.report(float("inf"), 1)
    trial.report(params["x"], 2)
    trial.set_user_attr("é\n\"", {"list": [1, 2.5, None, float("nan")], "text": "\U0001F600"})
    trial.set_constraint("k", params["x"] - 1)
    if trial.number % 5 == 3:
        raise optuna.TrialPruned()
    if trial.number % 5 == 4:
        raise ArithmeticError("on purpose")
    if trial.number == 10:
        return float("inf")
    return -kit.cost(params)


def optuna_then_ours(tool):
    """Optuna begins with all its features; we load, take what waits, and continue."""
    study = optuna.create_study(storage=kit.storage(tool.place), study_name=tool.study,
                                direction="maximize")
    study.set_user_attr("prices", "a hash")
    study.enqueue_trial({"x": 1.25, "c": "b"})
    study.optimize(failing, n_trials=30, catch=ArithmeticError)
    kit.compare(tool.show(), study)
    study.enqueue_trial({"x": -2.5, "c": "c", "n": 7})
    kit.compare(tool.show(), study)
    waiting = study.trials[-1].number
    tool("run", "--trials=12", "--max=1")
    assert study.trials[waiting].params["x"] == -2.5 and study.trials[waiting].params["n"] == 7
    assert study.trials[waiting].state == TrialState.COMPLETE
    kit.compare(tool.show(), study)
    study.optimize(failing, n_trials=5, catch=ArithmeticError)
    kit.compare(tool.show(), study)
    clean = [t for t in study.trials if t.state == TrialState.COMPLETE]
    assert tool.show()["best"] == study.best_trial.number, (tool.show()["best"], len(clean))


def what_waits(tool):
    """We fix parameters of a waiting trial and Optuna takes it."""
    tool("enqueue", "x", "3.5")
    study = optuna.load_study(storage=kit.storage(tool.place), study_name=tool.study)
    kit.compare(tool.show(), study)
    study.optimize(kit.objective, n_trials=2)
    assert study.trials[0].params["x"] == 3.5 and len(study.trials) == 2
    kit.compare(tool.show(), study)


def same_judgements(tool, direction):
    """Both pruners, on trials of every length."""
    study = optuna.create_study(storage=kit.storage(tool.place), study_name=tool.study,
                                direction=direction)
    random = np.random.default_rng(7)
    for number in range(60):
        steps = int(random.integers(1, 30))
        running = number >= 20 and number % 2 == 0
        values = {s: float(random.normal()) for s in range(steps)}
        if number % 7 == 0:
            values[int(random.integers(steps))] = float("nan")
        if number == 22:
            values = {s: float("nan") for s in values}
        rungs = {}
        if number % 3 == 0:
            rungs = {f"completed_rung_{r}": float(random.normal())
                     for r in range(int(random.integers(0, 3)))}
        study.add_trial(create_trial(
            state=TrialState.RUNNING if running else TrialState.COMPLETE,
            value=None if running else float(random.normal()), intermediate_values=values,
            system_attrs=rungs))
    ours = dict((int(n), (m == "1", h == "1"))
                for n, m, h in (line.split() for line in tool("judge").splitlines()))
    hyperband, checked = HyperbandPruner(), [0, 0]
    for trial in study.trials:
        if trial.state != TrialState.RUNNING:
            continue
        median = MedianPruner().prune(study, trial)
        # Hyperband notes what a trial reached; on a copy, since we judged all of them at once.
        copy = optuna.create_study(study_name=tool.study, direction=direction)
        copy.add_trials(study.get_trials())
        banded = hyperband.prune(copy, copy.trials[trial.number])
        assert ours[trial.number] == (median, banded), (trial.number, ours[trial.number],
                                                        (median, banded))
        checked[0] += median
        checked[1] += banded
    assert len(ours) == 20 and all(0 < count < 20 for count in checked), checked


def same_tables(program, folder):
    """Every table and index is spelled as Optuna makes it, but for white space."""
    def tables(path):
        with sqlite3.connect(path) as database:
            rows = database.execute("SELECT name, sql FROM sqlite_master").fetchall()
            versions = [database.execute(f"SELECT * FROM {t}").fetchall()
                        for t in ("alembic_version", "version_info")]
        spelled = {n: re.sub(r"\s*([(),])\s*", r"\1", re.sub(r"\s+", " ", s or ""))
                   for n, s in rows}
        return spelled, versions

    mine, theirs = str(folder / "mine.db"), str(folder / "theirs.db")
    kit.Tool(program, f"sqlite:{mine}", "a")("run", "--trials=1")
    optuna.create_study(storage=f"sqlite:///{theirs}", study_name="a")
    assert tables(mine) == tables(theirs)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in (f"journal:{folder}/studies.log", f"sqlite:{folder}/studies.db"):
            ours_then_optuna(kit.Tool(program, place, "ours first"))
            optuna_then_ours(kit.Tool(program, place, "théirs \"first\""))
            what_waits(kit.Tool(program, place, "waiting"))
            same_judgements(kit.Tool(program, place, "judged up"), "maximize")
            same_judgements(kit.Tool(program, place, "judged down"), "minimize")
            print(f"{place.split(':')[0]}: there and back again")
        same_tables(program, folder)
        print("the tables are Optuna's")


if __name__ == "__main__":
    main()
