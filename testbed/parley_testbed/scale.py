"""The `scale` profile: nodes and pods that exist only in the API server, moved along by kwok."""

import glob
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor

from . import build, control, parts, process, state
from .api import Api
from .errors import TestbedError

NAMESPACE = "scale"
WORKERS = 16
PODS_PER_DEPLOYMENT = 100
READY_TIMEOUT_S = 120
PODS_PER_SECOND_MIN = 20  # Slower than this, a machine cannot be worked with.


def start(cluster, node_count, pod_count, say):
    """Starts kwok, creates nodes and pods and waits until the pods run."""
    kwok = start_kwok(cluster)
    create_nodes(cluster, node_count, pod_count)
    wait_nodes(cluster, node_count, kwok)
    say(f"{node_count} nodes are ready")
    if pod_count:
        create_pods(cluster, pod_count)
        wait_pods(cluster, pod_count, say)


def start_kwok(cluster):
    config = control.identity(cluster, "kwok", groups=["system:masters"])
    stages = sorted(glob.glob(os.path.join(build.stages_folder(), "*.yaml")))
    # It waits for the API server most of the time; by default it asks four things at once.
    options = {name: WORKERS for name in ("podPlayStageParallelism", "nodePlayStageParallelism",
                                          "nodeLeaseParallelism", "podsOnNodeSyncParallelism")}
    settings = cluster.path("kwok.json")
    state.write_json(settings, {"apiVersion": "config.kwok.x-k8s.io/v1alpha1",
                                "kind": "KwokConfiguration", "options": options})
    command = [parts.find("kwok"), f"--kubeconfig={config}",
               "--manage-all-nodes=false",
               "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
               "--node-lease-duration-seconds=40", "--v=WARN",
               f"--server-address=127.0.0.1:{cluster.port('kwok')}"]
    files = [f"--config={file}" for file in [settings, *stages]]
    return process.start(cluster, "kwok", command + files)


def node_object(number, pods_per_node):
    name = f"kwok-{number:05}"
    room = {"cpu": "64", "memory": "256Gi", "ephemeral-storage": "1Ti", "pods": str(pods_per_node)}
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "annotations": {"kwok.x-k8s.io/node": "fake"},
                         "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux",
                                    "kubernetes.io/arch": "amd64", "type": "kwok",
                                    "node.kubernetes.io/instance-type": "kwok",
                                    "topology.kubernetes.io/zone": f"zone-{number % 3}"}},
            "status": {"capacity": room, "allocatable": room,
                       "nodeInfo": {"kubeletVersion": "fake", "architecture": "amd64",
                                    "operatingSystem": "linux", "bootID": "", "machineID": "",
                                    "containerRuntimeVersion": "", "kernelVersion": "",
                                    "kubeProxyVersion": "", "osImage": "", "systemUUID": ""}}}


def deployment_object(number, replicas):
    labels = {"app.kubernetes.io/name": f"load-{number:04}"}
    requests = {"cpu": "100m", "memory": "128Mi"}
    container = {"name": "load", "image": "testbed.local/busybox:1",
                 "resources": {"requests": requests}}
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": f"load-{number:04}", "labels": labels},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"containers": [container]}}}}


def sizes(pod_count):
    """How many pods each Deployment has."""
    whole, rest = divmod(pod_count, PODS_PER_DEPLOYMENT)
    return [PODS_PER_DEPLOYMENT] * whole + ([rest] if rest else [])


def create_all(cluster, path, objects):
    """Creates the objects over a few connections at once."""
    def some(part):
        api = Api(cluster)
        for value in part:
            api.ensure(path, value)
        api.close()

    workers = 4
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(some, [objects[n::workers] for n in range(workers)]):
            pass


def create_nodes(cluster, node_count, pod_count):
    # Room for half as many pods again, so that tests can move and add some.
    room = max(110, math.ceil(1.5 * pod_count / node_count))
    create_all(cluster, "/api/v1/nodes", [node_object(n, room) for n in range(1, node_count + 1)])


def is_ready(node):
    conditions = node.get("status", {}).get("conditions", [])
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def is_usable(node):
    """Ready, and known to be: a new node has a taint until the controller manager has seen it."""
    return is_ready(node) and not node["spec"].get("taints")


def wait_nodes(cluster, count, kwok):
    api = Api(cluster)
    ready = lambda: sum(map(is_usable, api.get("/api/v1/nodes")["items"])) >= count
    process.wait_until(ready, READY_TIMEOUT_S + count / 20, f"the set of {count} nodes",
                       cluster.log("kwok"), kwok, pause_max_s=max(0.25, count / 500))
    api.close()


def create_pods(cluster, count):
    api = Api(cluster)
    api.ensure("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    account = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default"
    process.wait_until(lambda: api.get(account, accept=(404,)), READY_TIMEOUT_S,
                       f"the service account of namespace {NAMESPACE}",
                       cluster.log("controller-manager"))
    api.close()
    create_all(cluster, f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments",
               [deployment_object(n, size) for n, size in enumerate(sizes(count), 1)])


def waiting_pods(api):
    """What a person needs to know of pods that do not run."""
    items = api.get(f"/api/v1/namespaces/{NAMESPACE}/pods"
                    "?fieldSelector=status.phase!=Running&limit=500")["items"]
    if not items:
        return "all that there are run, so some were not created or are not ready"
    texts = []
    for pod in items[:2]:
        reasons = [c.get("message") or c["type"] for c in pod["status"].get("conditions", [])
                   if c["status"] != "True"]
        texts.append(f"{pod['metadata']['name']} on {pod['spec'].get('nodeName', 'no node')}: "
                     f"{pod['status'].get('phase')}, {'; '.join(reasons) or 'no reason given'}")
    return f"{len(items)} wait, such as {' and '.join(texts)}"


def wait_pods(cluster, count, say):
    api, begin, told = Api(cluster), time.monotonic(), time.monotonic()
    limit = READY_TIMEOUT_S + count / PODS_PER_SECOND_MIN
    while True:
        items = api.get(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments")["items"]
        running = sum(d.get("status", {}).get("availableReplicas", 0) for d in items)
        if running >= count:
            break
        now = time.monotonic()
        if now - begin > limit:
            raise TestbedError(f"only {running} of {count} pods run after {limit:.0f} s; "
                               f"{waiting_pods(api)}; look at the logs of controller-manager, "
                               f"scheduler and kwok in {cluster.path('logs')}")
        if now - told > 10:
            say(f"{running} of {count} pods run")
            told = now
        time.sleep(0.3)
    api.close()
    say(f"{count} pods run, {time.monotonic() - begin:.1f} s after they were asked for")
