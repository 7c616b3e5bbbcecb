"""Parts of one cluster, each of which a Parley of its own may act on and takes for the whole, for doubt_test.py and
hostile_test.py: a namespace, nodes that only its pods are on, a user with the rights of deploy/rbac, and a proxy that
shows nothing else, measures and may do everything wrong."""

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import kills_world
from fault_proxy import Exchange, FaultProxy
from kills_audit import Log
from kills_proxy import AimedExchange
from kills_scene import settings_of
from kills_world import MERGE, Admin, Home, World
from kit import ROOT, Cluster, kubeconfig, observer, require_machine, until
from stage import AUDIT

ROUND_S = 1


class HomeExchange(Exchange):
    """One home, as if it were the whole cluster, and its Metrics Server."""

    measure = AimedExchange.measure

    async def handle(self, head, body, path):
        if head.startswith(b"GET "):
            path = self.proxy.home.seen(path)
            head = re.sub(rb"^GET \S+", b"GET " + path.encode(), head)
        fault = self.proxy.fault
        wrong = fault is not None and fault.path.search(path)
        if wrong and fault.only_changes and head.startswith((b"GET ", b"PUT /apis/coordination")):
            wrong = False  # Whoever cannot renew a lease does not act at all.
        if path.startswith("/apis/metrics.k8s.io") and not wrong:
            return await self.measure(path)
        return await (super().handle if wrong else self.forward)(head, body, path)


class HomeProxy(FaultProxy):
    exchange = HomeExchange

    def __init__(self, cluster, folder, home):
        self.home = home
        super().__init__(cluster, folder)


class TrialHome(Home):
    """Its samples may be wrong: `distort` has the last word on each."""

    def __init__(self, number):
        super().__init__(number)
        self.distort = lambda item: item

    def node_use(self):
        return [each for each in map(self.distort, super().node_use()) if each is not None]

    def pod_use(self):
        return [each for each in map(self.distort, super().pod_use()) if each is not None]


class Trial:
    """One doubt: a home, a proxy and a Parley of its own."""

    what, words = "", ""  # What it is, and a part of what `why` must say.
    again = True  # It acts as soon as it is over.
    late = False  # It has begun before the first round.

    def __init__(self, test, number):
        self.test, self.home, self.live = test, TrialHome(number), None
        self.folder = os.path.join(test.folder, self.home.name)
        os.mkdir(self.folder)
        self.clock = None  # The file by which its clock is set.

    def open(self):
        self.proxy = HomeProxy(self.test.cluster, self.folder, self.home)
        self.config = kubeconfig(os.path.join(self.folder, "kubeconfig"), self.proxy.port,
                                 self.test.cluster.facts["ca"], self.test.token(self.home))
        self.policy = os.path.join(self.folder, "policy.yaml")
        with open(self.policy, "w", encoding="utf-8") as file:
            json.dump(self.settings(), file)
        self.run, self.said = os.path.join(self.folder, "run"), os.path.join(self.folder, "said")
        self.clock = os.path.join(self.folder, "clock")
        self.set_clock(0)
        with open(self.said, "w", encoding="utf-8") as said:
            self.live = subprocess.Popen(
                [self.test.program, "live", "--mode", "act", "--config", self.policy, "--kubeconfig", self.config, "--home",
                 self.home.name, "--event-dir", self.run, "--interval", f"{ROUND_S}s", "--lines", "--listen", "off",
                 "--namespace", self.home.space], stdout=said, stderr=said,
                env={**os.environ, "LD_PRELOAD": self.test.shim, "SET_CLOCK": self.clock})

    def settings(self):
        """What its configuration says."""
        return settings_of("migrate", self.home.space, "", self.home.victim)

    def set_clock(self, seconds):
        with open(self.clock + ".new", "w", encoding="utf-8") as file:
            file.write(str(seconds))
        os.rename(self.clock + ".new", self.clock)

    def state(self):
        try:
            with open(os.path.join(self.run, "state.json"), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def rounds(self):
        return self.state().get("rounds", 0) > 6

    def ready(self):
        return (self.state().get("leading") or {}).get("leads") and self.rounds()

    def ask(self, *words):
        done = subprocess.run([self.test.program, words[0], self.run, *words[1:]], capture_output=True, text=True, timeout=120,
                              check=False)
        return " ".join((done.stdout + done.stderr).split())

    def explain(self):
        self.answers = self.ask("why"), self.ask("why-not", f"migrate:{self.home.victim}")

    def begin(self):
        """The doubt begins, and some seconds later the node is in trouble."""

    def lasts(self):
        """Called again and again while it lasts."""

    def end(self):
        self.proxy.set(None)

    def close(self):
        if self.live is not None and self.live.poll() is None:
            self.live.send_signal(signal.SIGTERM)
            try:
                self.live.wait(30)
            except subprocess.TimeoutExpired:
                self.live.kill()
                self.live.wait()
        self.proxy.close()


class Homes(unittest.TestCase):
    """One cluster for all trials; each has a home, a user and a Parley of its own."""

    quiet_at_first = True

    @classmethod
    def start(cls, program, trials, tag):
        require_machine()
        cls.program = program
        kills_world.REPLICAS, kills_world.BUSY, kills_world.NODES = 12, 6, 12
        cls.folder = tempfile.mkdtemp(prefix=f"parley-{tag}-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        policy = os.path.join(cls.folder, "audit.json")
        with open(policy, "w", encoding="utf-8") as file:
            rule = {**AUDIT["rules"][0], "userGroups": ["system:serviceaccounts:parley-system"]}
            del rule["users"]
            json.dump({**AUDIT, "rules": [rule, {"level": "None"}]}, file)
        cls.shim = os.path.join(cls.folder, "set_clock.so")
        subprocess.run([os.environ.get("CC", "clang-19"), "-shared", "-fPIC", "-O1", "-o", cls.shim,
                        os.path.join(ROOT, "tests", "live", "set_clock.c")], check=True)
        cls.cluster = Cluster("api", "--apiserver-flag", "audit-policy-file=" + policy, tag=tag)
        cls.addClassCleanup(cls.cluster.down)
        observer(cls.cluster, "observe-metrics.yaml", "act.yaml")
        wanted = os.environ.get("PARLEY_TRIALS", "")
        cls.trials = [each(cls, i) for i, each in enumerate(trials) if wanted in each.what]
        cls.admin = Admin(cls.cluster)
        cls.addClassCleanup(cls.admin.close)
        cls.grant()
        cls.world = World(cls.cluster, [trial.home for trial in cls.trials])
        cls.addClassCleanup(cls.world.close)
        for trial in cls.trials:
            trial.home.victim = trial.home.nodes[0]
            trial.open()
            cls.addClassCleanup(trial.close)
        cls.log = Log(cls.cluster.facts["audit_log"])

    @classmethod
    def user(cls, home):
        return "parley-" + home.name

    @classmethod
    def token(cls, home):
        return cls.cluster.kubectl("create", "token", cls.user(home), "-n", "parley-system").strip()

    @classmethod
    def grant(cls):
        """To each home's own user the rights of deploy/rbac: to read as all of them have, to act for itself."""
        everyone = [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group",
                     "name": "system:serviceaccounts:parley-system"}]
        rights = "/apis/rbac.authorization.k8s.io/v1"
        for path in ("/clusterrolebindings/parley-observe", "/clusterrolebindings/parley-observe-metrics",
                     "/namespaces/kube-node-lease/rolebindings/parley-observe"):
            cls.admin.must("PATCH", rights + path, {"subjects": everyone}, MERGE)
        roles = [json.loads(cls.cluster.kubectl("get", kind, "parley-act", "-n", "parley-system", "-o", "json"))
                 for kind in ("role", "rolebinding")]
        made = []
        for home in (trial.home for trial in cls.trials):
            made += [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                     for name in (home.space, home.name)]
            made.append({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {
                "name": cls.user(home), "namespace": "parley-system"}})
            for each in copy.deepcopy(roles):
                each["metadata"] = {"name": "parley-act", "namespace": home.name}
                if "subjects" in each:
                    each["subjects"] = cls.subjects(home)
                made.append(each)
        cls.cluster.apply(*made)
        for trial in cls.trials:
            cls.bind(trial.home, True)

    @classmethod
    def subjects(cls, home):
        return [{"kind": "ServiceAccount", "name": cls.user(home), "namespace": "parley-system"}]

    @classmethod
    def bind(cls, home, yes):
        """Grants the rights to act, or takes them away."""
        name = "parley-act-" + home.name
        path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"
        if not yes:
            cls.admin.must("DELETE", f"{path}/{name}")
            return
        cls.admin.must("POST", path, {"metadata": {"name": name}, "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "parley-act"},
            "subjects": cls.subjects(home)})

    def wait_for_all(self):
        """Until each leads, or has at least made rounds if it cannot."""
        for trial in self.trials:
            try:
                until(trial.rounds if trial.late else trial.ready, 120, trial.what)
            except AssertionError as late:
                with open(trial.said, encoding="utf-8") as said:
                    raise AssertionError(f"{late}: {said.read()[-2000:]}") from None
        if self.quiet_at_first:
            self.assertEqual([e["requestURI"] for e in self.log.more()], [], "nothing is wrong yet")

    def of(self, trial, events):
        """What its Parley asked for."""
        who = f"system:serviceaccount:parley-system:{self.user(trial.home)}"
        return [e for e in events if e["user"]["username"] == who]

    def changes(self, trial, events):
        """What of these changes a node, a pod or a workload, in words."""
        return [f"{e['verb']} {e['requestURI']} {e['responseStatus']['code']}" for e in self.of(trial, events)
                if e["objectRef"]["resource"] in ("nodes", "pods", "deployments")]
