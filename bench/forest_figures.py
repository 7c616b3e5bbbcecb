"""Rows through our trees and XGBoost's, compared: one row, 1,000 rows, contributions.

Usage: forest_figures.py BUILD_FOLDER [--json]. Trains one model with Debian's library, checks that
all sides give the same answers, then times ours, the C API of Debian's and of the current release,
and Python, in turn, five times. Prints rows for bench/table.py, as JSON with --json.
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
DEBIAN = "libxgboost.so.0"
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}


def run(*command: object) -> str:
    words = [str(word) for word in command]
    if Path("/usr/bin/taskset").exists():  # On one core, as the sides take turns.
        words = ["taskset", "-c", "0", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=ONE_THREAD)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
    return done.stdout


def library_of(environment: Path) -> Path:
    found = sorted(environment.glob("lib/python*/site-packages/xgboost/lib/libxgboost.so"))
    if not found:
        raise SystemExit("the environment xgboost holds no libxgboost.so")
    return found[0]


def ratio(ours: list, peer: list, key: str) -> list:
    return [o[key] / p[key] for o, p in zip(ours, peer)]


def middle(results: list, key: str) -> float:
    return statistics.median(result[key] for result in results)


def spread(ratios: list) -> str:
    return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def single_row(ours: list, peer: list, name: str, most: float) -> dict:
    ratios = ratio(ours, peer, "p50_us")
    return {"figure": "one row, 200 trees of depth 6, 20 features, p50",
            "ours": f"{middle(ours, 'p50_us'):.2f} us, p99 {middle(ours, 'p99_us'):.2f}",
            "target": f"<= 1/{most:g}", "met": statistics.median(ratios) <= 1 / most,
            "peer": f"{name}: {middle(peer, 'p50_us'):.1f} us, p99 {middle(peer, 'p99_us'):.1f}",
            "ratio": spread(ratios)}


def library_rows(ours: list, peer: list) -> list:
    name = f"XGBoost {peer[0]['version']}, C API in place"
    batch = ratio(ours, peer, "batch_rows_per_s")
    parts = ratio(ours, peer, "parts_us")
    return [single_row(ours, peer, name, 2),
            {"figure": "1,000 rows of it", "ours": f"{middle(ours, 'batch_rows_per_s'):,.0f} rows/s",
             "target": ">= 2", "met": statistics.median(batch) >= 2,
             "peer": f"{name}: {middle(peer, 'batch_rows_per_s'):,.0f} rows/s",
             "ratio": spread(batch)},
            {"figure": "its contributions, a row", "ours": f"{middle(ours, 'parts_us'):.0f} us",
             "target": "<= 1/3", "met": statistics.median(parts) <= 1 / 3,
             "peer": f"XGBoost {peer[0]['version']}, C API, pred_contribs: "
                     f"{middle(peer, 'parts_us'):.0f} us", "ratio": spread(parts)}]


def check(answer: dict) -> None:
    same = answer["margin"] <= 1e-6 and answer["parts"] <= 1e-4
    if not same:
        raise SystemExit(f"the answers differ from XGBoost {answer['version']}: {answer}")


def main() -> None:
    program = Path(sys.argv[1]) / "bench" / "forest_rows"
    environment = Path(run(BENCH.parent / "tools" / "venv.sh", "xgboost").strip())
    libraries = [DEBIAN, library_of(environment)]
    python = environment / "bin" / "python"
    ours, peers, slow, agreed = [], [[], []], [], []
    with tempfile.TemporaryDirectory(prefix="parley-forest-") as folder:
        run(program, folder, "make", DEBIAN)
        run(program, folder, "margins")
        for library in libraries:
            agreed.append(json.loads(run(program, folder, "check", library)))
            check(agreed[-1])
        for _ in range(PAIRS):
            ours.append(json.loads(run(program, folder, "time", "ours")))
            for results, library in zip(peers, libraries):
                results.append(json.loads(run(program, folder, "time", library)))
            slow.append(json.loads(run(python, "-B", BENCH / "forest_peer.py", folder)))
    rows = library_rows(ours, peers[0]) + library_rows(ours, peers[1])
    rows.append(single_row(ours, slow, f"Python xgboost {slow[0]['version']} inplace_predict", 8))
    equal = min(answer["equal"] / answer["rows"] for answer in agreed)
    rows.append({"figure": "margins with the same bits, 100,000 rows",
                 "ours": f"{min(equal, slow[0]['equal_share']):.2%}",
                 "target": "100 %, else within 1e-6", "met": True,
                 "peer": "all three; contributions within "
                         f"{max(answer['parts'] for answer in agreed):.1g}", "ratio": ""})
    if "--json" in sys.argv:
        print(json.dumps(rows))
    else:
        for row in rows:
            print(" | ".join(str(row[key]) for key in ("figure", "ours", "peer", "ratio", "target",
                                                       "met")))


if __name__ == "__main__":
    main()
