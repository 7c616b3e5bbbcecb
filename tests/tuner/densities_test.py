"""Our densities against Optuna's: log l(x) and log g(x) of 200 fixed histories.

Usage: densities_test.py TUNER_TOOL [--write]. --write also makes the small table from which
src/tuner/parzen_test.cc reads, so that it needs no Python: tests/golden/tuner_densities.{log,jsonl}.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import optuna
from optuna.distributions import (CategoricalDistribution, FloatDistribution, IntDistribution,
                                  distribution_to_json)
from optuna.samplers._tpe import parzen_estimator
from optuna.samplers._tpe.sampler import TPESampler, _split_trials, default_gamma
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState, create_trial

HISTORIES = 200
TABLE = 12  # How many of the smaller ones are checked in.
POINTS = 12
CLOSE = 1e-9
GOLDEN = Path(__file__).resolve().parent.parent / "golden"

KINDS = {
    "float": lambda r: FloatDistribution(-5.0, float(r.integers(1, 100))),
    "log": lambda r: FloatDistribution(1e-5, 10.0 ** int(r.integers(-2, 3)), log=True),
    "step": lambda r: FloatDistribution(-1.0, 1.0, step=float(r.choice([0.1, 0.25, 0.5]))),
    "int": lambda r: IntDistribution(-3, int(r.integers(1, 200))),
    "int_step": lambda r: IntDistribution(0, 40, step=int(r.integers(2, 6))),
    "int_log": lambda r: IntDistribution(1, int(r.integers(2, 1000)), log=True),
    "choice": lambda r: CategoricalDistribution(["a", None, True, 3, 2.5][:r.integers(2, 6)]),
}


class StableSort:
    """NumPy as Optuna's estimator sees it, with ties in the order of the trials.

    Equal observations get different widths by their place among each other, and NumPy leaves that
    place to the instructions of the CPU.
    """

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def argsort(values):
        return np.argsort(values, kind="stable")


class PlainFile(JournalFileBackend):
    """Without locking and fsync, which would take minutes here."""

    def append_logs(self, logs):
        with open(self._file_path, "a", encoding="utf-8") as file:
            for log in logs:
                file.write(json.dumps(log, separators=(",", ":")) + "\n")


def draw(dist, random):
    """A value of the distribution in Optuna's internal representation."""
    if isinstance(dist, CategoricalDistribution):
        return float(random.integers(len(dist.choices)))
    if dist.log:
        value = float(np.exp(random.uniform(np.log(dist.low), np.log(dist.high))))
    else:
        value = float(random.uniform(dist.low, dist.high))
    if dist.step:
        value = dist.low + round((value - dist.low) / dist.step) * dist.step
    return float(min(max(value, dist.low), dist.high))


def make_trial(space, random, kind):
    params = {name: dist.to_external_repr(draw(dist, random)) for name, dist in space.items()}
    reported = {int(step): float(random.normal()) for step in range(int(random.integers(0, 4)))}
    if reported and random.random() < 0.1:
        reported[max(reported)] = float("nan")
    attributes = {}
    if kind.get("constrained") and random.random() < 0.7:
        attributes["constraints:k"] = float(random.normal())
    if kind.get("old_constrained"):
        attributes["constraints"] = [float(random.normal()), -1.0]
    chance = random.random()
    state = TrialState.COMPLETE
    if chance < kind.get("pruned", 0):
        state = TrialState.PRUNED
    elif chance < kind.get("pruned", 0) + kind.get("running", 0):
        state = TrialState.RUNNING
    elif chance > 0.97:
        state = TrialState.FAIL
    shown, dists = params, space
    if state == TrialState.RUNNING and random.random() < 0.5:
        # Only the value that it will use is known yet.
        text = json.dumps(params)
        for i in range(0, len(text), 2045):
            attributes[f"tpe:relative_params:{i // 2045}"] = text[i:i + 2045]
        shown, dists = {}, {}
    elif random.random() < kind.get("partial", 0) and len(space) > 1:
        left = list(space)[1:]
        shown, dists = {n: params[n] for n in left}, {n: space[n] for n in left}
    value = float(np.round(random.normal(), 1))
    if random.random() < 0.02:
        value = float("inf")
    return create_trial(state=state, value=value if state == TrialState.COMPLETE else None,
                        params=shown, distributions=dists, system_attrs=attributes,
                        intermediate_values=reported)


def make_study(i, storage):
    random = np.random.default_rng(1000 + i)
    names = list(KINDS) if i % 10 == 0 else list(random.choice(list(KINDS), random.integers(1, 6)))
    space = {f"p{j}_{kind}": KINDS[kind](random) for j, kind in enumerate(names)}
    trials = int(random.choice([0, 1, 2, 5, 9, 10, 11, 24, 25, 26, 27, 40, 60, 110]))
    kind = [{}, {"pruned": 0.3}, {"running": 0.1}, {"constrained": True}, {"old_constrained": True},
            {"pruned": 0.2, "running": 0.1, "constrained": True, "partial": 0.1}][i % 6]
    direction = "maximize" if i % 3 == 0 else "minimize"
    study = optuna.create_study(storage=storage, study_name=f"history {i}", direction=direction)
    for _ in range(trials):
        study.add_trial(make_trial(space, random, kind))
    points = {name: [draw(dist, random) for _ in range(POINTS)] for name, dist in space.items()}
    return study, space, points


def expected(study, space, points):
    sampler = TPESampler()
    states = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.RUNNING)
    trials = study.get_trials(deepcopy=False, states=states)
    finished = sum(t.state != TrialState.RUNNING for t in trials)
    below, above = _split_trials(study, trials, default_gamma(finished))
    at = {name: np.array(values) for name, values in points.items()}
    return [sampler._build_parzen_estimator(study, space, side, handle_below=good).log_pdf(at)
            for side, good in ((below, True), (above, False))]


def make(path, which):
    storage = JournalStorage(PlainFile(str(path)))
    answers = []
    for i in which:
        study, space, points = make_study(i, storage)
        good, other = expected(study, space, points)
        answers.append({"study": study.study_name, "number": len(study.trials),
                        "space": {n: distribution_to_json(d) for n, d in space.items()},
                        "points": list(points.values()), "good": list(good),
                        "other": list(other)})
    return answers


def write_table(folder):
    sizes = {i: len(make_study(i, None)[0].trials) for i in range(60)}
    small = [i for i in sizes if 0 < sizes[i] <= 27][:TABLE]
    journal = GOLDEN / "tuner_densities.log"
    journal.unlink(missing_ok=True)
    answers = make(journal, small)
    (GOLDEN / "tuner_densities.jsonl").write_text(
        "".join(json.dumps(answer) + "\n" for answer in answers))


def main():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    if "--plain-sort" not in sys.argv:
        parzen_estimator.np = StableSort()
    with tempfile.TemporaryDirectory() as folder:
        if "--write" in sys.argv:
            write_table(folder)
        journal = Path(folder) / "histories.log"
        queries = Path(folder) / "queries.jsonl"
        answers = make(journal, range(HISTORIES))
        queries.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
        done = subprocess.run([sys.argv[1], "densities", f"journal:{journal}", str(queries)],
                              capture_output=True, text=True, check=True)
        ours = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(ours) == HISTORIES, len(ours)
        worst = 0.0
        for mine, theirs in zip(ours, answers):
            for side in ("good", "other"):
                off = np.abs(np.array(mine[side]) - np.array(theirs[side]))
                same = np.array(mine[side]) == np.array(theirs[side])  # Both -inf.
                most = float(np.max(np.where(same, 0, off)))
                worst = max(worst, most)
                if not most <= CLOSE:
                    print(f"{theirs['study']}, {side}: off by {most}; {theirs['space']}")
        assert worst <= CLOSE, worst
        print(f"{HISTORIES} histories, {HISTORIES * POINTS * 2} densities, "
              f"at most {worst:.2g} apart")


if __name__ == "__main__":
    main()
