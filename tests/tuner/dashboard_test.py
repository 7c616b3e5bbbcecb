"""optuna-dashboard opens our studies, in both formats.

Usage: dashboard_test.py TUNER_TOOL
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import kit


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return json.loads(answer.read())


def wait_for(port, server):
    for _ in range(300):
        assert server.poll() is None, server.stderr.read()
        try:
            return ask(port, "/api/studies")
        except OSError:
            time.sleep(0.1)
    raise AssertionError("optuna-dashboard does not answer")


def look(tool, storage):
    tool("run", "--trials=25", "--report=5", "--pruner=median")
    ours = tool.show()
    port = free_port()
    dashboard = Path(sys.executable).parent / "optuna-dashboard"
    server = subprocess.Popen([str(dashboard), storage, "--host", "127.0.0.1", "--port", str(port)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        studies = wait_for(port, server)["study_summaries"]
        assert [s["study_name"] for s in studies] == [tool.study], studies
        found = ask(port, f"/api/studies/{studies[0]['study_id']}")
        assert len(found["trials"]) == len(ours["trials"]) == 25
        values = [t.get("values", []) for t in found["trials"]]
        assert values == [t["values"] for t in ours["trials"]]
        best = [t["number"] for t in found["best_trials"]]
        assert best == [ours["best"]], (best, ours["best"])
        print(f"{tool.place.split(':')[0]}: the dashboard shows {len(values)} trials")
    finally:
        server.terminate()
        server.communicate(timeout=20)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        look(kit.Tool(sys.argv[1], f"journal:{folder}/study.log", "shown"), f"{folder}/study.log")
        look(kit.Tool(sys.argv[1], f"sqlite:{folder}/study.db", "shown"),
             f"sqlite:///{folder}/study.db")


if __name__ == "__main__":
    main()
