"""The peer of journal_rows: the same rows into SQLite, WAL, synchronous=FULL, 100 to a commit.

Usage: journal_peer.py [--check=N] [--seconds=S]. Prints the digest of the rows read back, or one
line of JSON with rows per second. PARLEY_BENCH_DIR names the folder, by default the current one.
"""

import hashlib
import json
import os
import platform
import sqlite3
import sys
import time

BATCH = 100


def row(i: int) -> bytes:
    return (f"{i:010d}" * 25).encode()


def remove(path: str) -> None:
    for tail in ("", "-wal", "-shm"):
        if os.path.exists(path + tail):
            os.remove(path + tail)


def open_database(path: str) -> sqlite3.Connection:
    remove(path)
    database = sqlite3.connect(path, isolation_level=None)
    mode = database.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    assert mode == "wal", mode
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, payload BLOB)")
    return database


def append(database: sqlite3.Connection, rows: list) -> None:
    database.execute("BEGIN")
    database.executemany("INSERT INTO events (payload) VALUES (?)", rows)
    database.execute("COMMIT")


def check(path: str, count: int) -> None:
    database = open_database(path)
    for first in range(0, count, BATCH):
        append(database, [(row(first + i),) for i in range(BATCH)])
    digest = hashlib.sha256()
    for (payload,) in database.execute("SELECT payload FROM events ORDER BY id"):
        digest.update(payload)
    print(digest.hexdigest())
    database.close()


def measure(path: str, seconds: float) -> None:
    database = open_database(path)
    batches = [[(row(n * BATCH + i),) for i in range(BATCH)] for n in range(64)]
    for n in range(16):  # Warm up.
        append(database, batches[n])
    done = 0
    start = time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        append(database, batches[done % len(batches)])
        done += 1
    database.close()
    peer = f"Python {platform.python_version()} sqlite3, SQLite {sqlite3.sqlite_version}"
    print(json.dumps({"rows_per_s": done * BATCH / took, "peer": peer}))


def main() -> None:
    path = os.path.join(os.environ.get("PARLEY_BENCH_DIR", "."), "journal_peer.tmp")
    options = dict(argument.lstrip("-").split("=", 1) for argument in sys.argv[1:])
    try:
        if "check" in options:
            check(path, int(options["check"]))
        else:
            measure(path, float(options.get("seconds", "1")))
    finally:
        remove(path)


if __name__ == "__main__":
    main()
