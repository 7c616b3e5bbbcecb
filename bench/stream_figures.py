#!/usr/bin/env python3
"""The dashboard's stream compared with Node's ws: the same messages, the same clients, in turn.

Usage: stream_figures.py BUILD_FOLDER [--clients=500] [--stalled=50] [--messages=1500] [--pairs=5]
                         [--json]

Clients are one program for both: raw sockets that count bytes. Server CPU is the process's own; CPU
is what counts on a busy machine, messages a second depend on what else runs. --json prints rows.
"""

import http.client
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
from table import Row, as_table, spread  # pylint: disable=wrong-import-position

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)")
WEBSOCKET = ("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
             "Sec-WebSocket-Version: 13\r\n\r\n")
STREAM = ("GET /api/runs/bench/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
          "Sec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\nLast-Event-ID: 2\r\n\r\n")


class Missing(Exception):
    """Why nothing can be measured."""


def option(name, otherwise):
    for word in sys.argv[2:]:
        if word.startswith(f"--{name}="):
            return int(word.split("=", 1)[1])
    return otherwise


def node_folder():
    """A folder with ws in it."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise Missing("the peer needs node and npm")
    folder = BENCH.parent / "build" / "bench_ws"
    if not (folder / "node_modules" / "ws").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix",
                        str(folder), "ws@8.18.3"], check=True, timeout=300)
    shutil.copy(BENCH / "stream_peer.mjs", folder)
    return folder


def follow(build, port, clients, stalled, request, frame, messages):
    with tempfile.NamedTemporaryFile("w", suffix=".http") as head:
        head.write(request)
        head.flush()
        done = subprocess.run(
            [str(build / "bench" / "stream_clients"), str(port), str(clients), str(stalled),
             head.name, str(frame), str(messages)],
            capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)


def login(port, token):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/api/session", json.dumps({"token": token}),
                       {"Content-Type": "application/json",
                        "Origin": f"http://127.0.0.1:{port}"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 204, answer.status
    return answer.headers["Set-Cookie"].split(";")[0]


def ours(build, clients, stalled, messages):
    """Messages a second, CPU microseconds a message, bytes that memory grew, length of a message."""
    server = subprocess.Popen([str(build / "bench" / "stream_fanout"), str(clients + stalled),
                               str(messages)], stdout=subprocess.PIPE, text=True)
    port, token = LINK.search(server.stdout.readline()).groups()
    frame = int(server.stdout.readline())
    request = STREAM.format(port=port, cookie=login(int(port), token))
    got = follow(build, int(port), clients, stalled, request, frame, messages)
    said = json.loads(server.stdout.readline())
    server.wait(60)
    count = clients * messages
    return count / got["seconds"], said["cpu"] / count * 1e6, said["grown"], frame


def peer(folder, build, clients, messages, size):
    server = subprocess.Popen(["node", "stream_peer.mjs", str(clients), str(messages), str(size)],
                              cwd=folder, stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    frame = size + (4 if size > 125 else 2)
    got = follow(build, port, clients, 0, WEBSOCKET.format(port=port), frame, messages)
    said = json.loads(server.stdout.readline())
    server.wait(60)
    count = clients * messages
    return count / got["seconds"], said["cpu"] / count * 1e6


def rounds_with(build, viewers, stalled=0, rounds=1500):
    """The 99th percentile of a round in CPU microseconds of the loop, with this many viewers."""
    server = subprocess.Popen([str(build / "bench" / "viewers_round"), str(rounds), "5000",
                               str(viewers + stalled)], stdout=subprocess.PIPE, text=True)
    port, token = LINK.search(server.stdout.readline()).groups()
    clients = None
    if viewers > 0:
        request = STREAM.format(port=port, cookie=login(int(port), token)).replace(
            "Last-Event-ID: 2\r\n", "")
        with tempfile.NamedTemporaryFile("w", suffix=".http", delete=False) as head:
            head.write(request)
        clients = subprocess.Popen(
            [str(build / "bench" / "stream_clients"), port, str(viewers), str(stalled), head.name,
             "1000000000", "1000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    said = json.loads(server.stdout.readline())
    server.wait(60)
    if clients is not None:
        clients.wait(60)  # It is disconnected when the server ends.
    return said["cpu_p99"]


def measure():
    build = Path(sys.argv[1]).resolve()
    for program in ("stream_fanout", "stream_clients", "viewers_round"):
        if not (build / "bench" / program).exists():
            raise Missing(f"{program} was not built")
    clients, stalled = option("clients", 500), option("stalled", 50)
    messages, pairs = option("messages", 1500), option("pairs", 5)
    folder = node_folder()
    mine, theirs, burdened, grown = [], [], [], []
    for _ in range(pairs):
        mine.append(ours(build, clients, 0, messages))
        theirs.append(peer(folder, build, clients, messages, mine[-1][3]))
        burdened.append(ours(build, clients, stalled, messages))
        grown.append(burdened[-1][2])
    alone, watched, held = [], [], []
    for _ in range(pairs):
        alone.append(rounds_with(build, 0))
        watched.append(rounds_with(build, 200))
        held.append(rounds_with(build, 200, stalled))
    more = [a / b for a, b in zip(watched, alone)]
    hold = [a / b for a, b in zip(held, watched)]
    rates = [a[0] / b[0] for a, b in zip(mine, theirs)]
    costs = [a[1] / b[1] for a, b in zip(mine, theirs)]
    slower = [a[1] / b[1] for a, b in zip(burdened, mine)]
    median = statistics.median
    mib = max(grown) / 2**20
    return [
        Row(f"stream to {clients} viewers, messages a second",
            f"{median(a[0] for a in mine) / 1000:.0f} k/s, {mine[0][3]} bytes", "2.5 x ws",
            median(rates) >= 2.5, f"{median(b[0] for b in theirs) / 1000:.0f} k/s", spread(rates)),
        Row("its CPU a message", f"{median(a[1] for a in mine):.2f} us", "half of ws",
            median(costs) <= 0.5, f"{median(b[1] for b in theirs):.2f} us", spread(costs)),
        Row(f"{stalled} viewers that read nothing beside {clients}: memory, CPU of the server",
            f"{mib:.1f} MiB more", "64 MiB", mib <= 64, "the same without them", spread(slower)),
        Row(f"a round with {stalled} such beside 200 viewers, 99th percentile, CPU of the loop",
            f"{median(held):.0f} us", "1.05 x without", median(hold) <= 1.05,
            f"{median(watched):.0f} us without", spread(hold)),
        Row("a round with 200 viewers, 99th percentile, CPU of the loop",
            f"{median(watched):.0f} us", "1.05 x none", median(more) <= 1.05,
            f"{median(alone):.0f} us with none", spread(more)),
    ]


def main():
    try:
        rows = measure()
    except Missing as why:
        sys.exit(f"stream_figures: {why}")
    if "--json" in sys.argv:
        print(json.dumps([asdict(row) for row in rows]))
    else:
        print(as_table(rows))


if __name__ == "__main__":
    main()
