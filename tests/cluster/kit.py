"""A real cluster and a `parley live` beside it, for the tests of this folder."""

import datetime
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTBED = os.path.join(ROOT, "testbed", "testbed")

# `make test` has a short one of each; `make check-all` sets this and has them all.
ALL = os.environ.get("PARLEY_FAULTS") == "all"
long = unittest.skipUnless(ALL, "it takes long: make check-all has it")

# Which Kubernetes to try instead of the testbed's default: 1.34 to 1.36.
VERSION = os.environ.get("PARLEY_KUBERNETES", "")

# Kubernetes 1.34 and 1.35 have the kind of deploy/admission/queue-beta.yaml, but not by default; from
# 1.36 on it is there, and these change nothing.
MUTATING = ("--apiserver-flag", "feature-gates=MutatingAdmissionPolicy=true",
            "--apiserver-flag", "runtime-config=admissionregistration.k8s.io/v1beta1=true")


def until(holds, seconds, what):
    """The first true answer."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come in {seconds} s")
        time.sleep(0.2)
    return found


def from_now(seconds):
    """RFC 3339, so many seconds from now or, if negative, before."""
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%SZ")


def lateness(taken, interval):
    """How far the end of a series of rounds is from its true period, in seconds: the least of the
    last three, since a machine may be busy for a moment, but what adds up is in all of them."""
    late = [abs(at - taken[0] - i * interval) for i, at in enumerate(taken)]
    return min(late[-3:])


def require_machine():
    """Skips the tier if it cannot run; in CI that is a failure."""
    missing = None
    if os.geteuid() != 0:
        missing = "not root, so no cluster can be started"
    elif shutil.which("go") is None and not os.path.exists("/usr/local/go/bin/go"):
        missing = "there is no Go, so the test cluster cannot be built"
    if missing is None:
        return
    if os.environ.get("CI") == "true":
        raise AssertionError("the cluster tests did not run: " + missing)
    raise unittest.SkipTest(missing)


class Cluster:
    """One cluster, up while this lives."""

    def __init__(self, profile, *options, tag=""):
        if VERSION and "--kubernetes" not in options:
            options += ("--kubernetes", VERSION)
        self.name = f"t{os.getpid()}{profile[0]}{tag}"
        done = subprocess.run(
            [TESTBED, "up", "--profile", profile, "--name", self.name, "-o", "json", *options],
            capture_output=True, text=True, timeout=1800)
        if done.returncode != 0:
            raise AssertionError(f"testbed up: {done.stderr[-2000:]}")
        self.facts = json.loads(done.stdout)
        self.kubeconfig = self.facts["kubeconfig"]

    def down(self):
        subprocess.run([TESTBED, "down", "--name", self.name], check=True, capture_output=True,
                       timeout=120)

    def command(self, *words):
        """A command of the testbed about this cluster, such as ("apiserver", "kill")."""
        subprocess.run([TESTBED, *words, "--name", self.name], check=True, capture_output=True,
                       timeout=120)

    def surroundings(self):
        """Of kubectl, which remembers by its address what a server serves: another version may have been there."""
        return {**os.environ, "KUBECACHEDIR": os.path.join(os.path.dirname(self.kubeconfig), "kubectl-cache")}

    def kubectl(self, *words, text=None, check=True):
        done = subprocess.run(
            [self.facts["kubectl"], "--kubeconfig", self.kubeconfig, *words], input=text, env=self.surroundings(),
            capture_output=True, text=True, timeout=150)
        if check and done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(words)}: {done.stderr[-1000:]}")
        return done.stdout

    def get(self, kind):
        return json.loads(self.kubectl("get", kind, "-A", "-o", "json"))["items"]

    def find(self, kind, name, space="default"):
        """One object, or None."""
        text = self.kubectl("get", kind, name, "-n", space, "--ignore-not-found", "-o", "json")
        return json.loads(text) if text.strip() else None

    def apply(self, *objects):
        self.kubectl("apply", "-f", "-", text="\n---\n".join(json.dumps(o) for o in objects))

    def audited(self, agent="parley/"):
        """The requests of a client, by its user agent: a list of audit events."""
        with open(self.facts["audit_log"], encoding="utf-8") as log:
            events = [json.loads(line) for line in log if line.endswith("}\n")]  # Complete ones.
        return [e for e in events if e.get("userAgent", "").startswith(agent)]

    def requested(self):
        """Requests per node in millicores and bytes, as `kubectl describe node` sums them."""
        sums = {}
        for text in self.kubectl("describe", "nodes").split("\nName:"):
            name = re.search(r"^(?:Name:)?\s*(\S+)", text).group(1)
            table = text[text.index("Allocated resources:"):]
            cpu = re.search(r"^\s+cpu\s+(\S+)", table, re.M).group(1)
            memory = re.search(r"^\s+memory\s+(\S+)", table, re.M).group(1)
            sums[name] = (milli(cpu), amount(memory))
        return sums


def milli(text):
    return int(text[:-1]) if text.endswith("m") else round(float(text) * 1000)


def amount(text):
    units = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "k": 10**3, "M": 10**6, "G": 10**9}
    for unit, factor in units.items():
        if text.endswith(unit):
            return int(text[:-len(unit)]) * factor
    return int(text)


class Live:
    """`parley live` in the background, with its trace."""

    def __init__(self, program, cluster, *options, kubeconfig=None, interval="1s"):
        self.folder = tempfile.mkdtemp(prefix="parley-live-")
        self.run = os.path.join(self.folder, "run")
        self.trace = os.path.join(self.folder, "trace.jsonl")
        self.errors = open(os.path.join(self.folder, "stderr"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "live", "--kubeconfig", kubeconfig or cluster.kubeconfig, "--event-dir",
             self.run, "--trace-out", self.trace, "--interval", interval, "--lines", *options],
            stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.program = program

    def snapshots(self):
        if not os.path.exists(self.trace):
            return []
        with open(self.trace, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.endswith("\n")]

    def newest(self):
        """The last complete line of the trace, read from its end: a trace may be long."""
        if not os.path.exists(self.trace):
            return None
        with open(self.trace, "rb") as file:
            start, read = file.seek(0, os.SEEK_END), b""
            while start > 0 and read.count(b"\n") < 2:
                start, end = max(0, start - (1 << 20)), start
                file.seek(start)
                read = file.read(end - start) + read
        lines = read.split(b"\n")[:-1]
        return json.loads(lines[-1]) if lines else None

    def state(self):
        """What the run's state.json says."""
        with open(os.path.join(self.run, "state.json"), encoding="utf-8") as file:
            return json.load(file)

    def until(self, holds, seconds=60, what="what was waited for"):
        """The first snapshot from now on for which this is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            newest = self.newest()
            if newest is not None and holds(newest):
                return newest
            if self.process.poll() is not None:
                raise AssertionError("parley live ended: " + self.said())
            time.sleep(0.2)
        raise AssertionError(f"{what} did not come in {seconds} s; newest: "
                             f"{json.dumps(self.newest())[:3000]}\n{self.said()}")

    def said(self):
        self.errors.flush()
        self.errors.seek(0)
        return self.errors.read()[-2000:]

    def stop(self, how=signal.SIGINT):
        """Ends it; returns exit status, output and duration."""
        begun = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=30)
        return self.process.returncode, output, time.monotonic() - begun

    def ask(self, *words):
        return subprocess.run([self.program, words[0], self.run, *words[1:]], capture_output=True,
                              text=True, timeout=120)

    def answer(self, *words):
        """What is printed, in one line however it is wrapped."""
        return " ".join(self.ask(*words).stdout.split())

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Client:
    """Requests as a program with this token sends them, each by a connection of its own."""

    def __init__(self, cluster, token):
        self.server, self.token = urllib.parse.urlsplit(cluster.facts["server"]), token
        self.trust = ssl.create_default_context(cafile=cluster.facts["ca"])

    def send(self, method, path, body=None, kind="application/json"):
        """The status and what the API server answers, decoded."""
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": kind, "Accept": "application/json",
                   "User-Agent": "parley/test"}
        connection = http.client.HTTPSConnection(self.server.hostname, self.server.port, timeout=30,
                                                 context=self.trust)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        try:
            return answer.status, json.loads(text or b"{}")
        except ValueError:
            return answer.status, {"message": text.decode(errors="replace")}


def observer(cluster, *more):
    """Creates the observer of deploy/rbac and returns a token for it."""
    # Without a controller manager nothing else creates this one.
    cluster.kubectl("create", "namespace", "kube-node-lease", check=False)
    for name in ("observe.yaml", *more):
        cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "rbac", name))
    return cluster.kubectl("create", "token", "parley-observer", "-n", "parley-system").strip()


def kubeconfig(path, port, ca, token):
    """Writes one that goes through a proxy at this port, and returns its path."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "faults",
            "clusters": [{"name": "c", "cluster": {"server": f"https://127.0.0.1:{port}",
                                                   "certificate-authority": ca}}],
            "users": [{"name": "u", "user": {"token": token}}],
            "contexts": [{"name": "faults", "context": {"cluster": "c", "user": "u"}}]}, file)
    return path


def source(snapshot, name):
    for each in snapshot["sources"]:
        if each["source"] == name:
            return each
    return None


def pods_shown(snapshot):
    """uid -> (namespace/name, phase, node) in the snapshot."""
    return {pod["uid"]: (f"{pod['space']}/{pod['name']}", pod["phase"], pod["node"])
            for pod in snapshot["pods"]}


def pods_listed(items):
    """The same from `kubectl get pods -A -o json`."""
    return {pod["metadata"]["uid"]: (
        f"{pod['metadata']['namespace']}/{pod['metadata']['name']}",
        pod["status"].get("phase", "Unknown").lower(), pod["spec"].get("nodeName"))
        for pod in items}


def bare_pod(name):
    """A pod without an owner."""
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"},
            "spec": {"terminationGracePeriodSeconds": 0, "automountServiceAccountToken": False,
                     "containers": [{"name": "a", "image": "none"}]}}


def job(name, space, pod=None, meta=None, **spec):
    """A Job whose pods would never start, unless another pod is given."""
    pod = pod or {"containers": [{"name": "a", "image": "none"}]}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": space, **(meta or {})},
            "spec": {"template": {"spec": {**pod, "restartPolicy": "Never"}}, **spec}}


def deployment(name, replicas, cpu="50m", memory="32Mi", space="default", **pod):
    return {
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": name, "namespace": space},
        "spec": {
            "replicas": replicas, "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"terminationGracePeriodSeconds": 1, **pod,
                         "containers": [{"name": "pause", "image": pause_image(),
                                         "imagePullPolicy": "Never",
                                         "resources": {"requests": {"cpu": cpu,
                                                                    "memory": memory}}}]}}}}


def pause_image():
    return "testbed.local/pause:1"
