"""The peer of pod_decode: the same page through Python's json, the same fields taken out.

Usage: pod_decode --page | pod_decode_peer.py [--seconds=S]. Prints one line of JSON. Seconds are CPU
time, as on the other side.
"""

import json
import platform
import sys
import time


def millicores(text: str) -> int:
    return int(text[:-1]) if text.endswith("m") else int(text) * 1000


def size(text: str) -> int:
    for suffix, factor in (("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30)):
        if text.endswith(suffix):
            return int(text[:-2]) * factor
    return int(text)


def taken_out(pod: dict) -> tuple:
    meta, spec, status = pod["metadata"], pod["spec"], pod["status"]
    requests = [container["resources"]["requests"] for container in spec["containers"]]
    owner = next(o for o in meta["ownerReferences"] if o.get("controller"))
    return (meta["uid"], meta["namespace"], meta["name"], int(meta["resourceVersion"]),
            meta["creationTimestamp"], owner["uid"], spec["nodeName"], status["phase"],
            any(c["type"] == "Ready" and c["status"] == "True" for c in status["conditions"]),
            sum(c["restartCount"] for c in status["containerStatuses"]),
            sum(millicores(r["cpu"]) for r in requests), sum(size(r["memory"]) for r in requests))


def main() -> None:
    options = dict(argument.lstrip("-").split("=", 1) for argument in sys.argv[1:])
    page = sys.stdin.buffer.read()
    done = 0
    start = time.process_time()
    while (took := time.process_time() - start) < float(options.get("seconds", "1")):
        pods = [taken_out(pod) for pod in json.loads(page)["items"]]
        assert pods[7][10] == 250
        done += len(pods)
    print(json.dumps({"pods_per_s": done / took, "peer": f"Python {platform.python_version()} json"}))


if __name__ == "__main__":
    main()
