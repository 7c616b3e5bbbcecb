"""The tuner compared with Optuna and Rustuna: time of sampler and storage per trial, and what they find.

Usage: tuner_figures.py BUILD_FOLDER [--json] [--seeds=N]. Makes the environment of
tools/venv/optuna.txt, then times ours, Optuna, Rustuna in turn, five times. --seeds also compares
the best values of N seeds (100 for the bar; minutes). Prints rows for bench/table.py.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
PAIRS = 5
DIMENSIONS = "10 dimensions"


def output(*command: object, folder: str = ".") -> list:
    words = [str(word) for word in command]
    if Path("/usr/bin/taskset").exists():  # On one core, as the sides take turns.
        words = ["taskset", "-c", "0", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, "PARLEY_BENCH_DIR": folder, "OMP_NUM_THREADS": "1"})
    if done.returncode != 0:
        raise SystemExit(f"{words[-1]}: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def row(figure: str, ours: list, peer: list, name: str, most: float) -> dict:
    ratios = [o / p for o, p in zip(ours, peer)]
    middle = statistics.median(ratios)
    return {"figure": figure, "ours": f"{1e3 * statistics.median(ours):.3f} ms a trial",
            "peer": f"{name}: {1e3 * statistics.median(peer):.3f} ms",
            "ratio": f"{middle:.4f} ({min(ratios):.4f} to {max(ratios):.4f})",
            "target": f"<= 1/{most:g}", "met": middle <= 1 / most}


def sampler_rows(program: Path, python: list, versions: dict) -> list:
    seconds = lambda *command: output(*command)[0]["seconds_per_trial"]
    ours, optuna, rustuna = [], [], []
    for _ in range(PAIRS):
        ours.append(seconds(program, "sampler", 300))
        optuna.append(seconds(*python, "optuna", "sampler", 300))
        rustuna.append(seconds(*python, "rustuna", "sampler", 300))
    figure = f"sampler, ask and tell, 300 trials in {DIMENSIONS}"
    return [row(figure, ours, optuna, f"Optuna {versions['optuna']}", 50),
            row(figure, ours, rustuna, f"Rustuna {versions['rustuna']}", 2)]


def storage_rows(program: Path, python: list, versions: dict, folder: str) -> list:
    rows = []
    for sync, most in (("normal", 50), ("full", 2)):
        ours, peer = [], []
        for _ in range(PAIRS):
            ours += output(program, "storage", sync, 100, folder=folder)
            peer += output(*python, "optuna", "storage", sync, 20, folder=folder)
        times = [[r["seconds_per_trial"] for r in side] for side in (ours, peer)]
        rows.append(row(f"SQLite, WAL, synchronous={sync.upper()}, {DIMENSIONS}", *times,
                        f"Optuna {versions['optuna']}, the same pragmas", most))
    return rows


def outcome_rows(program: Path, python: list, versions: dict, seeds: int) -> list:
    """P(ours is worse) by Mann-Whitney, with its 95 % interval."""
    rows = []
    for problem in ("rastrigin", "rosenbrock"):
        ours = [output(program, "outcome", problem, s)[0]["best"] for s in range(1, seeds + 1)]
        peer = [r["best"] for r in output(*python, "optuna", "outcome", problem,
                                          *range(1, seeds + 1))]
        worse = sum((o > p) + 0.5 * (o == p) for o in ours for p in peer) / (seeds * seeds)
        error = 1.96 * ((2 * seeds + 1) / (12 * seeds * seeds)) ** 0.5
        rows.append({"figure": f"best of 100 trials, {problem}-10, {seeds} seeds each",
                     "ours": f"median {statistics.median(ours):.1f}",
                     "peer": f"Optuna {versions['optuna']}: median {statistics.median(peer):.1f}",
                     "ratio": f"P(ours worse) {worse:.2f} ({worse - error:.2f} to "
                              f"{worse + error:.2f})",
                     "target": "interval not above 0.5", "met": worse - error <= 0.5})
    return rows


def main() -> None:
    build = Path(sys.argv[1]).resolve()
    program = build / "bench" / "tuner_trials"
    venv = Path(subprocess.run([str(BENCH.parent / "tools" / "venv.sh"), "optuna"], check=True,
                               capture_output=True, text=True).stdout.strip())
    lines = (BENCH.parent / "tools" / "venv" / "optuna.txt").read_text().splitlines()
    versions = dict(line.split("==") for line in lines if "==" in line)
    python = [venv / "bin" / "python", "-B", BENCH / "tuner_peer.py"]
    seeds = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--seeds=")), 10)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        rows = sampler_rows(program, python, versions)
        rows += storage_rows(program, python, versions, folder)
        rows += outcome_rows(program, python, versions, seeds)
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    for found in rows:
        print(" | ".join(str(value) for value in found.values()))


if __name__ == "__main__":
    main()
