"""Optuna, Rustuna and we at once on one study, eight workers.

Usage: together_test.py TUNER_TOOL; as a worker: together_test.py optuna|rustuna PLACE STUDY TRIALS.
A worker prints "number value" for each trial that it was told is stored.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import kit

TRIALS = 12  # Of each worker.


def work_with_optuna(place, study_name, trials):
    import optuna
    study = optuna.load_study(storage=kit.storage(place), study_name=study_name)
    for _ in range(trials):
        trial = study.ask()
        value = kit.objective(trial)
        study.tell(trial, value)
        print(trial.number, repr(value), flush=True)


def work_with_rustuna(place, study_name, trials):
    import rustuna
    kind = rustuna.storages.JournalFileStorage if place.startswith("journal:") else \
        rustuna.storages.SQLite3Storage
    study = rustuna.load_study(storage=kind(kit.file_of(place)), study_name=study_name)
    for _ in range(trials):
        trial = study.ask()
        value = kit.objective(trial)
        study.tell(trial.number, value)
        print(trial.number, repr(value), flush=True)


def start(kind, tool):
    if kind == "ours":
        return tool.start("run", f"--trials={TRIALS}", "--seed=5")
    return subprocess.Popen([sys.executable, "-B", __file__, kind, tool.place, tool.study,
                             str(TRIALS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def run_together(tool, kinds):
    import optuna
    optuna.create_study(storage=kit.storage(tool.place), study_name=tool.study)
    workers = [(kind, start(kind, tool)) for kind in kinds]
    told = []
    for kind, worker in workers:
        out, err = worker.communicate(timeout=kit.SECONDS_MAX)
        assert worker.returncode == 0, f"{kind}: {err[-2000:]}"
        lines = out.split("\n")[:-1]
        assert len(lines) == TRIALS, (kind, len(lines))
        told += [(int(number), float(value)) for number, value in map(str.split, lines)]
    assert len({number for number, _ in told}) == len(told), "a number was given twice"
    study = optuna.load_study(storage=kit.storage(tool.place), study_name=tool.study)
    trials = study.get_trials(deepcopy=False)
    assert [t.number for t in trials] == list(range(len(told)))
    for number, value in told:
        assert trials[number].value == value, (number, value, trials[number])
        assert abs(kit.cost(trials[number].params) - value) < 1e-9
    by = {kind: kinds.count(kind) * TRIALS for kind in kinds}
    assert sum(t.user_attrs.get("by") == "parley" for t in trials) == by["ours"]
    # Ours share a seed: they differ because they ask one after the other. Workers of
    # others may begin with the same generator.
    ours = [tuple(t.params.values()) for t in trials if t.user_attrs.get("by") == "parley"]
    assert len(set(ours)) == len(ours), "two workers of ours made the same suggestion"
    ours = tool.show()
    assert [t["values"] for t in ours["trials"]] == [t.values for t in trials]
    assert [t["params"] for t in ours["trials"]] == [t.params for t in trials]
    assert ours["best"] == study.best_trial.number
    print(f"{tool.place.split(':')[0]}: {len(trials)} trials by {by}")


def main():
    if sys.argv[1] in ("optuna", "rustuna"):
        work = work_with_optuna if sys.argv[1] == "optuna" else work_with_rustuna
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    kinds = ["ours", "optuna", "rustuna", "ours", "optuna", "rustuna", "ours", "optuna"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_together(kit.Tool(sys.argv[1], f"journal:{folder}/together.log", "all"), kinds)
        run_together(kit.Tool(sys.argv[1], f"sqlite:{folder}/together.db", "all"), kinds)


if __name__ == "__main__":
    main()
