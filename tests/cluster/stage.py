"""A bare API server on which Parley acts as fast as it can, for tests and benches that measure mode act: nodes and pods
are objects that kills_world.py keeps alive, and a Metrics Server of the test's own is behind the API server's
aggregation, so that nothing stands between Parley and the API server.
"""

import http.server
import json
import os
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time

import kills_world
from fault_proxy import certify
from kills_scene import settings_of
from kills_world import MERGE, Admin, Home, World, stamp
from kit import Cluster, observer, until
from rbac_test import kubeconfig_with

USER = "system:serviceaccount:parley-system:parley-observer"
# What the API server writes down: all of a change of ours, and that anything was asked by us.
AUDIT = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"], "rules": [
    {"level": "RequestResponse", "users": [USER], "verbs": ["create", "update", "patch", "delete"]},
    {"level": "Metadata", "users": [USER]}, {"level": "None"}]}
CHANGED = ("nodes", "pods", "deployments", "jobs", "resourcequotas")


def own_address():
    """An address of this machine that is no loopback's: the API server takes no such endpoints."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # Nothing is sent.
        return probe.getsockname()[0]


class MetricsServer:
    """Answers for the group metrics.k8s.io of a cluster, with what the homes say; `use` may change that."""

    def __init__(self, cluster, folder, homes):
        self.homes, self.use = homes, lambda items: items
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):  # pylint: disable=invalid-name
                body = json.dumps(outer.answer(self.path.split("?")[0])).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        address = own_address()
        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certify(cluster.facts["ca"], cluster.facts["ca_key"], folder, "metrics"))
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        port = self.server.server_address[1]
        where = {"namespace": "kube-system", "name": "metrics-server"}
        cluster.apply(
            {"apiVersion": "v1", "kind": "Service", "metadata": where,
             "spec": {"ports": [{"name": "https", "port": 443, "targetPort": port}]}},
            {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": {
                **where, "labels": {"kubernetes.io/service-name": "metrics-server"}}, "addressType": "IPv4",
             "ports": [{"name": "https", "port": port, "protocol": "TCP"}],
             "endpoints": [{"addresses": [address], "conditions": {"ready": True}}]},
            {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
             "metadata": {"name": "v1beta1.metrics.k8s.io"},
             "spec": {"group": "metrics.k8s.io", "version": "v1beta1", "insecureSkipTLSVerify": True,
                      "groupPriorityMinimum": 100, "versionPriority": 100, "service": where}})
        cluster.kubectl("wait", "--for=condition=Available", "apiservice/v1beta1.metrics.k8s.io", "--timeout=60s")

    def answer(self, path):
        known = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1", "resources": [
            {"name": name, "singularName": "", "namespaced": name == "pods", "kind": kind, "verbs": ["get", "list"]}
            for name, kind in (("nodes", "NodeMetrics"), ("pods", "PodMetrics"))]}
        if not path.endswith(("/nodes", "/pods")):
            return known
        nodes = path.endswith("/nodes")
        items = [item for home in self.homes for item in (home.node_use() if nodes else home.pod_use())]
        return {"kind": "NodeMetricsList" if nodes else "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1",
                "metadata": {}, "items": self.use([{**i, "timestamp": stamp(), "window": "10s"} for i in items])}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Run:
    """One `parley live --mode act`."""

    def __init__(self, stage, *options, folder=None, mode="act"):
        self.program, self.stage = stage.program, stage
        self.folder = folder or tempfile.mkdtemp(prefix="run-", dir=stage.folder)
        self.run, self.said = os.path.join(self.folder, "run"), os.path.join(self.folder, "said")
        with open(self.said, "a", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                [stage.program, "live", "--mode", mode, "--config", stage.policy, "--kubeconfig", stage.config,
                 "--event-dir", self.run, "--interval", stage.interval, "--lines", *options], stdout=said, stderr=said)

    def state(self):
        """What state.json says; nothing yet: empty."""
        try:
            with open(os.path.join(self.run, "state.json"), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def name(self):
        """By which the dashboard knows it."""
        return os.path.basename(self.run)

    def leads(self):
        return (self.state().get("leading") or {}).get("leads", False)

    def words(self):
        with open(self.said, encoding="utf-8", errors="replace") as said:
            return said.read()[-3000:]

    def end(self, how=signal.SIGKILL, seconds=60):
        """The exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Stage:
    """A cluster, a home in it, and the rights, policy and kubeconfig of a Parley that may act there."""

    def __init__(self, program, folder, kind="throttle", pods=100, busy=1, nodes=12, interval="1s", tag="stage"):
        self.program, self.folder, self.interval = program, folder, interval
        self.undo = []
        kills_world.REPLICAS, kills_world.BUSY, kills_world.NODES = pods, busy, nodes
        try:
            self.open(kind, tag)
        except BaseException:
            self.close()
            raise

    def open(self, kind, tag):
        policy = self.write("audit.json", AUDIT)
        self.cluster = Cluster("api", "--apiserver-flag", "audit-policy-file=" + policy, tag=tag)
        self.undo.append(self.cluster.down)
        self.home = Home(0)
        self.home.space, self.home.name = "shop", "parley-system"
        for name in ("shop", "kube-system"):
            self.cluster.kubectl("create", "namespace", name, check=False)
        self.token = observer(self.cluster, "observe-metrics.yaml", "act.yaml")
        self.config = kubeconfig_with(self.cluster, self.token, os.path.join(self.folder, "act.kubeconfig"))
        self.admin = Admin(self.cluster)
        self.undo.append(self.admin.close)
        self.world = World(self.cluster, [self.home])
        self.undo.append(self.world.close)
        self.metrics = MetricsServer(self.cluster, self.folder, [self.home])
        self.undo.append(self.metrics.close)
        self.home.victim = self.home.nodes[0]
        self.settings = settings_of(kind, "shop", "", self.home.victim)
        self.settings["policy"]["stakes"]["throttle_cost"] = 0.0001  # A node with many pods of one workload.
        self.policy = self.write("policy.yaml", self.settings)
        self.settle()

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    def close(self):
        for each in reversed(self.undo):
            each()

    def settle(self):
        """Until there are as many pods as are wanted, all of them running."""
        def running():
            pods = self.world.pods(self.home)
            return len(pods) == kills_world.REPLICAS and all(p["status"].get("phase") == "Running" for p in pods)
        until(running, 120, f"a world that has settled ({self.world.failed})")

    def live(self, *options, **more):
        return Run(self, *options, **more)

    def free_lease(self):
        """Takes the holder's name off, as a process that ends by itself does: nobody waits for it."""
        self.admin.send("PATCH", "/apis/coordination.k8s.io/v1/namespaces/parley-system/leases/parley-leader",
                        {"spec": {"holderIdentity": None, "leaseDurationSeconds": None, "acquireTime": None}}, MERGE)

    def reset(self):
        """As it was before anybody acted."""
        self.world.press(self.home.victim, False)
        self.free_lease()
        done = self.release()
        if done.returncode != 0:
            raise AssertionError(f"release ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
        for name in ("parley-ledger", "parley-stop"):
            self.admin.send("DELETE", "/api/v1/namespaces/parley-system/configmaps/" + name)
        self.settle()

    def release(self, *options):
        """What marks say is given back, by the command."""
        return subprocess.run([self.program, "release", "--all", "--kubeconfig", self.config, *options],
                              capture_output=True, text=True, timeout=180, check=False)

    # What the API server says.

    def log_size(self):
        return os.path.getsize(self.cluster.facts["audit_log"])

    def asked(self, since):
        """All requests of ours in the log from this place on."""
        with open(self.cluster.facts["audit_log"], "rb") as file:
            file.seek(since)
            lines = [line for line in file.read().split(b"\n")[:-1] if line.startswith(b"{")]
        return [json.loads(line) for line in lines]

    def changes(self, since):
        """Of these, what changes the cluster in earnest and gives nothing back. A mark that is renewed changes nothing."""
        return [e for e in self.asked(since) if e["verb"] in ("create", "update", "patch", "delete")
                and "dryRun" not in e["requestURI"] and e["objectRef"]["resource"] in CHANGED
                and "-undo-" not in e["auditID"] and not e["auditID"].endswith("-renew")]


def at(event):
    """When a request arrived, in seconds since 1970."""
    text = event["requestReceivedTimestamp"]
    whole, part = text.rstrip("Z").split(".")
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) - time.timezone + float("0." + part)
