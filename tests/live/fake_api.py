"""An API server, Metrics Server and Prometheus that answer what a test wants, for `parley live`.

It speaks plain HTTP on loopback, or TLS where a credential is to be shown, lists and watches what it was given, and can refuse whom it let in
before. Leases are renewed as kubelets do. What really happens on a cluster is tested in
tests/cluster; here a test sets what no real cluster does on demand.
"""

import http.server
import json
import os
import re
import ssl
import subprocess
import threading
import time
import uuid
from urllib.parse import parse_qs, urlsplit

KINDS = {
    "/api/v1/namespaces": "Namespace", "/api/v1/nodes": "Node", "/api/v1/pods": "Pod",
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases": "Lease",
    "/apis/apps/v1/deployments": "Deployment", "/apis/apps/v1/replicasets": "ReplicaSet",
    "/apis/apps/v1/statefulsets": "StatefulSet", "/apis/apps/v1/daemonsets": "DaemonSet",
    "/apis/batch/v1/jobs": "Job", "/apis/batch/v1/cronjobs": "CronJob",
    "/api/v1/persistentvolumeclaims": "PersistentVolumeClaim",
    "/apis/policy/v1/poddisruptionbudgets": "PodDisruptionBudget",
    "/apis/autoscaling/v2/horizontalpodautoscalers": "HorizontalPodAutoscaler",
    "/api/v1/limitranges": "LimitRange", "/api/v1/resourcequotas": "ResourceQuota",
    "/apis/scheduling.k8s.io/v1/priorityclasses": "PriorityClass", "/api/v1/events": "Event",
}
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
METRICS = "/apis/metrics.k8s.io"


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at % 1 * 1e6):06d}Z"


def node(name, cpu="4", memory="16Gi"):
    return {"metadata": {"name": name, "uid": str(uuid.uuid5(uuid.NAMESPACE_DNS, name)),
                         "labels": {"kubernetes.io/hostname": name}},
            "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": "110"},
                       "capacity": {"cpu": cpu, "memory": memory, "pods": "110"},
                       "addresses": [{"type": "Hostname", "address": name}],
                       "conditions": [{"type": "Ready", "status": "True",
                                       "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}


class FakeApi:
    """Runs from creation until close(). `tls`: a folder for its certificate."""

    def __init__(self, nodes=("n-1", "n-2", "n-3"), tls=None):
        self.lock = threading.Condition()
        self.version = 1000
        self.objects = {path: {} for path in KINDS}
        self.changes = []  # (version, path, event)
        self.refuse = None  # path -> status, or None
        self.silent = set()  # Nodes whose lease is not renewed.
        self.use = {name: ("500m", "2Gi") for name in nodes}
        self.metrics = self.plain_metrics
        self.prometheus = None  # expression -> [(labels, value)], or None: 503
        self.requests = []  # (monotonic, path with query, status)
        self.closing = False
        for name in nodes:
            self.put("/api/v1/nodes", node(name))
            self.renew(name)
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                owner.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.ca = None
        if tls:
            self.ca, key = os.path.join(tls, "ca.pem"), os.path.join(tls, "key.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                            "-subj", "/CN=fake", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-keyout", key, "-out", self.ca], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.ca, key)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        threading.Thread(target=self.kubelets, daemon=True).start()

    def close(self):
        with self.lock:
            self.closing = True
            self.lock.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def kubelets(self):
        while not self.closing:
            time.sleep(1)
            for name in self.use:
                if name not in self.silent:
                    self.renew(name)

    def renew(self, name):
        self.put(LEASES, {"metadata": {"name": name, "namespace": "kube-node-lease",
                                       "uid": str(uuid.uuid5(uuid.NAMESPACE_URL, name))},
                          "spec": {"holderIdentity": name, "leaseDurationSeconds": 40,
                                   "renewTime": stamp(time.time())}})

    def put(self, path, thing):
        with self.lock:
            self.version += 1
            thing["metadata"]["resourceVersion"] = str(self.version)
            key = thing["metadata"].get("namespace", "") + "/" + thing["metadata"]["name"]
            known = key in self.objects[path]
            self.objects[path][key] = thing
            kind = KINDS[path]
            self.changes.append((self.version, path, json.dumps(
                {"type": "MODIFIED" if known else "ADDED", "object": dict(thing, kind=kind)})))
            self.lock.notify_all()

    def plain_metrics(self):
        """Items of the node metrics; a test may replace this function."""
        return [{"metadata": {"name": name}, "timestamp": stamp(time.time() - 1), "window": "10s",
                 "usage": {"cpu": cpu, "memory": memory}} for name, (cpu, memory) in self.use.items()]

    def answer(self, request):
        path = urlsplit(request.path).path
        query = {k: v[0] for k, v in parse_qs(urlsplit(request.path).query).items()}
        status, body = 200, None
        refused = self.refuse(path) if self.refuse else None
        if refused:
            status = refused
            body = {"kind": "Status", "status": "Failure", "code": refused,
                    "message": "Unauthorized" if refused == 401 else
                    f"{path.rsplit('/', 1)[-1]} is forbidden: User \"u\" cannot list it"}
        elif path == "/api/v1/namespaces/kube-system":
            body = {"kind": "Namespace", "metadata": {"name": "kube-system", "uid":
                                                      "00000000-0000-4000-8000-000000000001"}}
        elif path == METRICS:
            body = {"kind": "APIGroup", "preferredVersion": {"version": "v1beta1"}}
        elif path == METRICS + "/v1beta1/nodes":
            body = {"kind": "NodeMetricsList", "items": self.metrics()}
        elif path == METRICS + "/v1beta1/pods":
            body = {"kind": "PodMetricsList", "items": []}
        elif path == "/api/v1/query":
            status, body = self.ask_prometheus(query["query"])
        elif path in KINDS and query.get("watch"):
            self.requests.append((time.monotonic(), request.path, 200))
            return self.watch(request, path, int(query.get("resourceVersion") or 0))
        elif path in KINDS:
            with self.lock:
                body = {"kind": KINDS[path] + "List", "metadata": {"resourceVersion":
                                                                   str(self.version)},
                        "items": list(self.objects[path].values())[:int(query.get("limit", 1000))]}
        else:
            status, body = 404, {"kind": "Status", "code": 404, "message": "not served"}
        self.requests.append((time.monotonic(), request.path, status))
        text = json.dumps(body).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    def ask_prometheus(self, expression):
        if self.prometheus is None:
            return 503, {"status": "error", "errorType": "unavailable", "error": "down"}
        result = [{"metric": labels, "value": [time.time(), str(value)]}
                  for labels, value in self.prometheus(expression)]
        return 200, {"status": "success", "data": {"resultType": "vector", "result": result}}

    def watch(self, request, path, version):
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        try:
            while not self.closing:
                with self.lock:
                    lines = [line for at, where, line in self.changes
                             if where == path and at > version]
                    if not lines:
                        self.lock.wait(1)
                        continue
                    version = self.version
                data = ("\n".join(lines) + "\n").encode()
                request.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                request.wfile.flush()
        except OSError:
            pass  # The watching client has left.
        request.close_connection = True

    def kubeconfig(self, path, user=None):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "fake",
                       "clusters": [{"name": "c", "cluster": {
                           "server": self.url,
                           **({"certificate-authority": self.ca} if self.ca else {})}}],
                       "users": [{"name": "u", "user": user or {}}],
                       "contexts": [{"name": "fake", "context": {"cluster": "c", "user": "u"}}]},
                      file)
        return path

    def per_second(self, since):
        """Requests a second since a monotonic time, by what was asked for."""
        passed = time.monotonic() - since
        counts = {}
        for at, path, _ in self.requests:
            if at >= since:
                name = re.sub(r"\?.*", "", path)
                counts[name] = counts.get(name, 0) + 1 / passed
        return counts
