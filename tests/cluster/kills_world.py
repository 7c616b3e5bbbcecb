"""What kubelets and controllers would do, done by the test, for kills_test.py: on a bare API server nodes stay alive,
pods that are evicted come back elsewhere, Deployments get as many pods as they want, and a pod is as large as it asks.

Each home is a part of the cluster that one Parley may act on: a namespace with a Deployment, and nodes that only its
pods are on.
"""

import datetime
import http.client
import json
import ssl
import threading
import time
import urllib.parse

BUSY = 6  # Nodes of each home with pods.
NODES = 12  # With those that are empty, so that one that fails is a small part.
REPLICAS = 12
HUNGRY = 4  # Pods that find no room, where Jobs are to be held back.
NEW = {"power": "on", "clock": "1000000"}  # What can be switched of a node.
JSON, MERGE = "application/json", "application/merge-patch+json"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
# Kinds that are listed for all namespaces: a home sees its own.
SPACED = ("/api/v1/pods", "/api/v1/resourcequotas", "/apis/apps/v1/deployments", "/apis/apps/v1/statefulsets",
          "/apis/batch/v1/jobs")


def stamp():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def micro():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Admin:
    """The administrator's requests, by a connection that is kept; any thread may send."""

    def __init__(self, cluster):
        self.server = urllib.parse.urlsplit(cluster.facts["server"])
        self.trust = ssl.create_default_context(cafile=cluster.facts["ca"])
        self.trust.load_cert_chain(cluster.facts["client_certificate"], cluster.facts["client_key"])
        self.line, self.lock = None, threading.Lock()

    def send(self, method, path, body=None, kind=JSON):
        """The status and the answer, decoded. While the API server is away it is waited for."""
        end = time.monotonic() + 120
        while True:
            try:
                with self.lock:
                    status, said = self._send(method, path, body, kind)
                if status < 500 and status != 429 or time.monotonic() > end:
                    return status, said
            except (OSError, http.client.HTTPException, ValueError):
                if time.monotonic() > end:
                    raise
            time.sleep(0.1)

    def _send(self, method, path, body, kind):
        try:
            if self.line is None:
                self.line = http.client.HTTPSConnection(self.server.hostname, self.server.port, timeout=60,
                                                        context=self.trust)
            self.line.request(method, path, None if body is None else json.dumps(body),
                              {"Content-Type": kind, "Accept": JSON})
            answer = self.line.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException):
            self._hang_up()
            raise

    def _hang_up(self):
        if self.line is not None:
            self.line.close()
        self.line = None

    def close(self):
        with self.lock:
            self._hang_up()

    def must(self, *request):
        """What was sent twice because nobody answered the first time may be there already."""
        status, said = self.send(*request)
        if status >= 300 and (request[0], status) != ("POST", 409):
            raise AssertionError(f"{request[:2]}: {status} {said.get('message')}")
        return said


class Home:
    """A namespace, its nodes and where its Parley has lease and ledger."""

    def __init__(self, number):
        self.space = f"shop-{number}"
        self.name = f"home-{number}"
        self.nodes = [f"n{number}-{i}" for i in range(NODES)]
        self.victim = self.nodes[0]
        self.made = 0
        self.pods = []  # Names of those of its Deployment.
        self.calm()
        self.machine = dict(NEW)
        self.switched = []  # Every time that one of these became another: (ability, to, decision, step).

    def calm(self):
        """Every node uses a fifth of four cores, and pods what they ask for."""
        self.cpu, self.victim_cpu, self.memory, self.pod_memory = "800m", "800m", "1Gi", "60Mi"

    def node_use(self):
        for name in self.nodes:
            own = name == self.victim
            yield {"metadata": {"name": name}, "usage": {"cpu": self.victim_cpu if own else self.cpu,
                                                         "memory": self.memory if own else "1Gi"}}

    def pod_use(self):
        for name in list(self.pods):
            yield {"metadata": {"name": name, "namespace": self.space},
                   "containers": [{"name": "main", "usage": {"cpu": "100m", "memory": self.pod_memory}}]}

    def switch(self, ability, wish, decision, step):
        if self.machine[ability] != wish:
            self.machine[ability] = wish
            self.switched.append((ability, wish, decision, step))

    def seen(self, path):
        """What to ask instead of this, so that nothing of another home is seen."""
        where, _, asked = path.partition("?")
        if where == "/api/v1/nodes":
            return f"{where}?{asked}{'&' if asked else ''}labelSelector=home%3D{self.name}"
        if where in SPACED:
            head, kind = where.rsplit("/", 1)
            return f"{head}/namespaces/{self.space}/{kind}?{asked}"
        return path


def node_status(pressed):
    conditions = [{"type": "Ready", "status": "True"}, {"type": "MemoryPressure", "status": str(pressed)},
                  {"type": "DiskPressure", "status": "False"}, {"type": "PIDPressure", "status": "False"}]
    size = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    return {"allocatable": size, "capacity": size, "conditions": [
        {**each, "reason": "Test", "message": "", "lastHeartbeatTime": stamp(), "lastTransitionTime": stamp()}
        for each in conditions]}


def deployment(space, name="web", replicas=REPLICAS):
    asked = {"requests": {"cpu": "200m", "memory": "64Mi"}, "limits": {"cpu": "400m", "memory": "128Mi"}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": space},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
                     "template": {"metadata": {"labels": {"app": name}}, "spec": {
                         "terminationGracePeriodSeconds": 0, "automountServiceAccountToken": False,
                         "containers": [{"name": "main", "image": "none", "resources": asked}]}}}}


TEMPLATE = deployment("x")["spec"]["template"]["spec"]["containers"][0]["resources"]


def running(asked, started=None):
    return {"phase": "Running", "startTime": started or stamp(),
            "conditions": [{"type": kind, "status": "True", "lastTransitionTime": stamp()}
                           for kind in ("PodScheduled", "Initialized", "ContainersReady", "Ready")],
            "containerStatuses": [{"name": "main", "image": "none", "imageID": "none", "ready": True, "started": True,
                                   "restartCount": 0, "state": {"running": {"startedAt": stamp()}},
                                   "resources": asked, "allocatedResources": asked["requests"]}]}


class World:
    """Keeps all homes alive, in threads of its own."""

    def __init__(self, cluster, homes):
        self.homes = homes
        self.admin, self.beat = Admin(cluster), Admin(cluster)
        self.nodes = [name for home in homes for name in home.nodes]
        self.owners = {}  # (namespace, name of a Deployment) -> uid of its ReplicaSet.
        self.failed = None
        self.over = threading.Event()
        for home, name in [(home, name) for home in homes for name in home.nodes]:
            self.admin.must("POST", "/api/v1/nodes", {"metadata": {"name": name, "labels": {
                "kubernetes.io/hostname": name, "home": home.name}}})
            # Every new node is tainted as not ready; the controller that takes this away is not here.
            self.admin.must("PATCH", f"/api/v1/nodes/{name}", {"spec": {"taints": None}}, MERGE)
            self.press(name, False)
            self.admin.must("POST", LEASES, {"metadata": {"name": name}, "spec": {
                "holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": micro()}})
        for home in homes:
            self.found(home, "web", REPLICAS)
        self.threads = [threading.Thread(target=self._run, args=each, daemon=True)
                        for each in ((self._breathe, 5), (self._reconcile, 0.25))]
        for thread in self.threads:
            thread.start()

    def found(self, home, name, replicas):
        """A Deployment and, as the controller would make it, its ReplicaSet."""
        apps = f"/apis/apps/v1/namespaces/{home.space}"
        made = self.admin.must("POST", apps + "/deployments", deployment(home.space, name, replicas))
        behind = deployment(home.space, name, replicas)
        behind["kind"] = "ReplicaSet"
        labels = {"app": name, "pod-template-hash": "5d59d67564"}
        behind["metadata"] = {"name": name + "-5d59d67564", "labels": labels, "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "Deployment", "name": name, "uid": made["metadata"]["uid"],
             "controller": True}]}
        behind["spec"]["selector"]["matchLabels"] = behind["spec"]["template"]["metadata"]["labels"] = labels
        self.owners[home.space, name] = self.admin.must("POST", apps + "/replicasets", behind)["metadata"]["uid"]

    def press(self, node, pressed):
        """Whether a node says that it runs out of memory."""
        self.admin.must("PATCH", f"/api/v1/nodes/{node}/status", {"status": node_status(pressed)}, MERGE)

    def starve(self, home):
        """Pods that find no room where they must run, and a Job that runs."""
        self.found(home, "hungry", HUNGRY)
        for _ in range(HUNGRY):
            pod = self.create(home, "hungry", None, {
                "nodeSelector": {"kubernetes.io/hostname": home.victim},
                "containers": [{"name": "main", "image": "none", "resources": {"requests": {"cpu": "3800m"}}}]})
            self.admin.must("PATCH", pod + "/status", {"status": {"conditions": [
                {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": stamp(),
                 "message": f"0/{NODES} nodes are available: {NODES} Insufficient cpu."}]}}, MERGE)
        job = self.admin.must("POST", f"/apis/batch/v1/namespaces/{home.space}/jobs", job_named("early"))
        spec = {**job_named("early")["spec"]["template"]["spec"], "nodeName": home.nodes[BUSY]}
        self.admin.must("POST", f"/api/v1/namespaces/{home.space}/pods", {
            "metadata": {"name": "early-x", "labels": {"job-name": "early"}, "ownerReferences": [
                {"apiVersion": "batch/v1", "kind": "Job", "name": "early", "controller": True,
                 "uid": job["metadata"]["uid"]}]}, "spec": spec})
        self.admin.must("PATCH", f"/api/v1/namespaces/{home.space}/pods/early-x/status",
                        {"status": running(TEMPLATE)}, MERGE)

    def feed(self, home):
        """No pod waits any more."""
        self.admin.must("DELETE", f"/api/v1/namespaces/{home.space}/pods?labelSelector=app%3Dhungry",
                        {"gracePeriodSeconds": 0})

    def clear(self, home):
        """Takes away what starve() made, and all Jobs."""
        self.feed(home)
        for path in (f"/apis/apps/v1/namespaces/{home.space}/deployments/hungry",
                     f"/apis/apps/v1/namespaces/{home.space}/replicasets/hungry-5d59d67564",
                     f"/api/v1/namespaces/{home.space}/pods/early-x",
                     f"/apis/batch/v1/namespaces/{home.space}/jobs"):
            self.admin.send("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})

    def _run(self, work, pause):
        while not self.over.wait(pause):
            try:
                work()
            except Exception as error:  # pylint: disable=broad-except
                self.failed = self.failed or error

    def _breathe(self):
        for name in self.nodes:
            self.beat.send("PATCH", f"{LEASES}/{name}", {"spec": {"renewTime": micro()}}, MERGE)

    def pods(self, home):
        return self.admin.must("GET", f"/api/v1/namespaces/{home.space}/pods?labelSelector=app%3Dweb")["items"]

    def _reconcile(self):
        for home in self.homes:
            self.settle(home)

    def settle(self, home):
        """One look at a home. Who shrinks loses the pods with the lowest deletion cost, as with the real controller."""
        base = f"/apis/apps/v1/namespaces/{home.space}/deployments/web"
        web = self.admin.must("GET", base)
        pods = self.pods(home)
        wanted = web["spec"]["replicas"]
        cost = "controller.kubernetes.io/pod-deletion-cost"
        pods.sort(key=lambda p: int(p["metadata"].get("annotations", {}).get(cost, 0)))
        for pod in pods[:max(0, len(pods) - wanted)]:
            path = f"/api/v1/namespaces/{home.space}/pods/{pod['metadata']['name']}"
            self.admin.send("DELETE", path + "?gracePeriodSeconds=0")
        pods = pods[max(0, len(pods) - wanted):]
        home.pods = [pod["metadata"]["name"] for pod in pods]
        there = [pod["spec"].get("nodeName") for pod in pods]
        for _ in range(wanted - len(pods)):
            there.append(self.place(home, there))
            self.create(home, "web", there[-1])
        for pod in pods:
            self.run_pod(home, pod)
        ready = sum(1 for pod in pods if pod["spec"].get("nodeName"))
        if web.get("status", {}).get("availableReplicas", 0) != ready or web["status"].get("replicas", 0) != len(pods):
            self.admin.send("PATCH", base + "/status", {"status": {
                "replicas": len(pods), "readyReplicas": ready, "availableReplicas": ready, "updatedReplicas": len(pods),
                "observedGeneration": web["metadata"]["generation"]}}, MERGE)

    def place(self, home, there):
        """The emptiest node that is not tainted or cordoned."""
        free = [n["metadata"]["name"] for n in self.admin.must("GET", home.seen("/api/v1/nodes"))["items"]
                if n["metadata"]["name"] in home.nodes[:BUSY] and not n["spec"].get("unschedulable")
                and not any(t["effect"] == "NoSchedule" for t in n["spec"].get("taints", []))]
        return min(free, key=there.count) if free else None

    def create(self, home, name, node, more=None):
        """A pod of a Deployment; returns its path."""
        home.made += 1
        behind = name + "-5d59d67564"
        spec = {**deployment(home.space)["spec"]["template"]["spec"], **(more or {})}
        if node is not None:
            spec["nodeName"] = node
        pods = f"/api/v1/namespaces/{home.space}/pods"
        self.admin.must("POST", pods, {
            "metadata": {"name": f"{behind}-{home.made:05d}", "generateName": behind + "-",
                         "labels": {"app": name, "pod-template-hash": "5d59d67564"}, "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": behind, "controller": True,
                 "uid": self.owners[home.space, name]}]}, "spec": spec})
        return f"{pods}/{behind}-{home.made:05d}"

    def run_pod(self, home, pod):
        """Bound, running, and as large as it asks to be."""
        path = f"/api/v1/namespaces/{home.space}/pods/{pod['metadata']['name']}"
        if not pod["spec"].get("nodeName"):
            node = self.place(home, [])
            if node is not None:
                self.admin.send("POST", path + "/binding", {"target": {"kind": "Node", "name": node}})
            return
        asked = pod["spec"]["containers"][0]["resources"]
        now = (pod["status"].get("containerStatuses") or [{}])[0].get("resources")
        if now != asked:
            status = running(asked, pod["status"].get("startTime"))
            self.admin.send("PATCH", path + "/status", {"status": status}, MERGE)

    def close(self):
        self.over.set()
        for thread in self.threads:
            thread.join(60)
        self.admin.close()
        self.beat.close()


def job_named(name):
    pod = deployment("x")["spec"]["template"]["spec"]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
            "spec": {"template": {"spec": {**pod, "restartPolicy": "Never"}}}}
