"""The peers of tuner_trials: the same trials by Optuna or Rustuna at their defaults.

Usage: tuner_peer.py optuna|rustuna sampler [TRIALS]
       tuner_peer.py optuna storage normal|full [TRIALS]
       tuner_peer.py optuna|rustuna outcome rastrigin|rosenbrock SEED... [--trials=N]
Prints one line of JSON for each figure. Runs in the environment of tools/venv/optuna.txt.
"""

import json
import math
import os
import sys
import time

DIMENSIONS = 10


def rastrigin(x):
    return 10 * len(x) + sum(v * v - 10 * math.cos(2 * math.pi * v) for v in x)


def rosenbrock(x):
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def run(study, trials, objective):
    """Seconds of asking and telling, and the best value."""
    took, best = 0.0, math.inf
    for _ in range(trials):
        begin = time.perf_counter()
        trial = study.ask()
        x = [trial.suggest_float(f"x{i}", -5.12, 5.12) for i in range(DIMENSIONS)]
        took += time.perf_counter() - begin
        value = objective(x)
        begin = time.perf_counter()
        study.tell(trial.number, value)
        took += time.perf_counter() - begin
        best = min(best, value)
    return took, best


def make_study(peer, seed):
    if peer == "optuna":
        import optuna
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        return optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    import rustuna
    return rustuna.create_study(sampler=rustuna.samplers.TPESampler(seed=seed))


def make_stored(path, sync):
    """Optuna with the same pragmas as ours, and a sampler that takes no time."""
    import optuna
    import sqlalchemy
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = optuna.storages.RDBStorage(f"sqlite:///{path}")

    @sqlalchemy.event.listens_for(storage.engine, "connect")
    def set_pragmas(connection, _):
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={sync}")

    storage.engine.dispose()
    return optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler(seed=1))


def main():
    peer, what, *rest = sys.argv[1:]
    if what == "sampler":
        trials = int(rest[0]) if rest else 300
        took, _ = run(make_study(peer, 1), trials, rastrigin)
        print(json.dumps({"seconds_per_trial": took / trials}))
    elif what == "storage":
        trials = int(rest[1]) if len(rest) > 1 else 50
        path = os.path.join(os.environ.get("PARLEY_BENCH_DIR", "."), "tuner_peer.db")
        try:
            took, _ = run(make_stored(path, rest[0].upper()), trials, lambda x: 1.0)
        finally:
            for tail in ("", "-wal", "-shm"):
                if os.path.exists(path + tail):
                    os.remove(path + tail)
        print(json.dumps({"seconds_per_trial": took / trials}))
    else:
        objective = {"rastrigin": rastrigin, "rosenbrock": rosenbrock}[rest[0]]
        trials = next((int(r.split("=")[1]) for r in rest if r.startswith("--trials=")), 100)
        for seed in (int(r) for r in rest[1:] if not r.startswith("--")):
            print(json.dumps({"best": run(make_study(peer, seed), trials, objective)[1]}),
                  flush=True)


if __name__ == "__main__":
    main()
