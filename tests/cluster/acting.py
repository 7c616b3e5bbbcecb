"""A cluster that is prepared for mode act as an operator would, and what the tests of that mode ask of it."""

import os
import subprocess
import unittest

from kit import ROOT, Cluster, Live, observer, require_machine, source, until
from rbac_test import kubeconfig_with

MARKS = ("parley.dev/decision", "parley.dev/expires", "parley.dev/kind", "parley.dev/changes")


def marks_on(item):
    """The annotations of ours on an object."""
    return sorted(key for key in item["metadata"].get("annotations", {}) if key.startswith("parley.dev/"))


def is_quarantined(node):
    return "parley.dev/quarantine" in [taint["key"] for taint in node["spec"].get("taints", [])]


class ModeAct(unittest.TestCase):
    """One cluster for all tests of a class, with roles, labels and the fence."""

    @classmethod
    def start(cls, program, profile, *options, tag, spaces, roles=("observe-metrics.yaml", "act.yaml")):
        """`spaces` says what of each namespace is allowed by a label on it: "act", "admission"."""
        require_machine()
        cls.program = program
        cls.cluster = Cluster(profile, *options, tag=tag)
        cls.addClassCleanup(cls.cluster.down)
        for space, allowed in spaces.items():
            cls.cluster.kubectl("create", "namespace", space)
            for what in allowed:
                cls.cluster.kubectl("label", "namespace", space, f"parley.dev/{what}=allowed")
        cls.token = observer(cls.cluster, *roles)
        cls.cluster.kubectl("apply", "-f", os.path.join(ROOT, "deploy", "fence", "fence.yaml"))
        cls.folder = os.path.dirname(cls.cluster.kubeconfig)
        cls.config = kubeconfig_with(cls.cluster, cls.token, os.path.join(cls.folder, "act.kubeconfig"))

    @classmethod
    def write(cls, name, text):
        """A file that goes with the cluster; returns its path."""
        path = os.path.join(cls.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def setUp(self):
        self.begun = len(self.cluster.audited())

    def live(self, *options, mode="act", policy=None, kubeconfig=None):
        live = Live(self.program, self.cluster, "--mode", mode, "--config", policy or self.policy, *options,
                    kubeconfig=kubeconfig or self.config)
        self.addCleanup(live.close)
        return live

    def settle(self, live):
        """Waits until it could act at once: it sees all that its rules ask for, and leads."""
        def sees(snapshot):
            used = [node[what]["value"] for node in snapshot["nodes"] for what in ("cpu_used_m", "memory_used")]
            return snapshot["round"] > 5 and source(snapshot, "api")["condition"] == "ok" and None not in used

        live.until(sees, 120, "six rounds with both sources")
        until(lambda: live.state()["leading"]["leads"], 60, "a leader")

    def comes(self, live, holds, what, seconds=90):
        """As until(), and says why Parley did not do it."""
        try:
            return until(holds, seconds, what)
        except AssertionError as late:
            said = [live.ask("why", *more).stdout for more in ((), ("--round", "20"))]
            raise AssertionError("\n".join([str(late), *said, live.said()])) from None

    def release(self, *options):
        return subprocess.run([self.program, "release", "--kubeconfig", self.config, *options],
                              capture_output=True, text=True, timeout=180)

    def nodes(self):
        return {n["metadata"]["name"]: n for n in self.cluster.get("nodes")}

    def pods_on(self, node):
        return [p for p in self.cluster.get("pods")
                if p["metadata"]["namespace"] == "shop" and p["spec"].get("nodeName") == node
                and "deletionTimestamp" not in p["metadata"]]

    def our_changes(self):
        """What we asked the API server to change in earnest since the test began, by its own log."""
        return [e for e in self.cluster.audited()[self.begun:]
                if e["verb"] in ("create", "update", "patch", "delete") and e["stage"] == "ResponseComplete"
                and "dryRun" not in e["requestURI"]
                and e["objectRef"]["resource"] not in ("leases", "configmaps", "events")]

    def evicted(self):
        """The pods whose eviction was granted, once for each time."""
        return [e["objectRef"]["name"] for e in self.our_changes()
                if e["objectRef"].get("subresource") == "eviction" and e["responseStatus"]["code"] == 201]

    def cut_off(self, live, victim=None):
        """Cuts the network of a node, if not given of that with the most pods of shop; all is put right afterwards."""
        victim = victim or max(self.nodes(), key=lambda name: len(self.pods_on(name)))
        self.assertGreater(len(self.pods_on(victim)), 1)
        self.addCleanup(self.put_right, victim)
        self.addCleanup(live.close)  # Before that: nobody acts meanwhile.
        self.cluster.command("node", "partition", victim)
        return victim

    def empties(self, live, victim):
        """Waits until it has emptied a node that is cut off. Kubernetes gives it and its pods up after 20 s, and a
        plan waits for as many ready pods as before: so the network is back once the plan has begun."""
        self.comes(live, self.evicted, "a first eviction")
        self.cluster.command("node", "heal", victim)
        self.comes(live, lambda: not self.pods_on(victim), "a node without pods of shop")

    def assert_scored(self, live, action, role):
        """The scoreboard has figures of this run, costs of an action's agent among them, and says what they leave out
        and why; the action itself has what it cost so far."""
        state = live.state()
        rewards = state["rewards"]
        last = rewards["last"]
        self.assertEqual(rewards["not_known_because"], "", rewards)
        self.assertGreaterEqual(rewards["coverage"], 0.8)
        self.assertGreater(rewards["cost_pod_minutes"], 0)
        for agent in ("safety", "efficiency", "admission", "scaling"):
            self.assertIsInstance(last[agent], (int, float), last)
        self.assertLess(last["efficiency"], 0, "nodes that run cost something in every round")
        self.assertLess(min(reward[role] or 0 for reward in state["last_rewards"]), 0, f"{role} cost something once")
        left_out = "\n".join(rewards["left_out"])
        self.assertRegex(left_out, "lost requests.*: no source tells how many requests fail")
        self.assertRegex(left_out, "energy.*: no source measures the power of nodes")
        self.assertNotRegex(left_out, "disruptions|node-hours|waiting pods|core-hours")
        self.assertIn("without lost requests", last["text"])
        mine = [each for each in state["outcomes"] if each["action"] == action]
        self.assertTrue(mine, state["outcomes"])
        self.assertRegex(mine[-1]["text"], r"so far it cost \S+ pod-minutes over \d+ readings?")
        if role == "safety":
            self.assertIn("without lost requests", mine[-1]["text"])

    def put_right(self, *names, options=()):
        """Heals these nodes and gives everything back, for the next test."""
        for name in names:
            self.cluster.command("node", "heal", name)
        done = self.release("--all", *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=120s")
        self.cluster.kubectl("delete", "configmap", "parley-ledger", "-n", "parley-system", "--ignore-not-found")
