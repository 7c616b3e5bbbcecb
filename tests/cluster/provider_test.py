#!/usr/bin/env python3
"""Power through a provider on a real cluster: an idle node is emptied, put to sleep by a command of the operator's, shows
as asleep and not as failed, and is given back; a command that cannot be believed switches nothing.

The machines of the testbed have no power to switch, so this provider cuts a node off and brings it back.

Usage: tests/cluster/provider_test.py PROGRAM [unittest arguments]
"""

import os
import shlex
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from acting import ModeAct, is_quarantined, marks_on
from kit import TESTBED, deployment, long, source

PROGRAM = ""
# Nodes here do nothing; what little their kubelets take is far below this.
POLICY = """
policy:
  efficiency: {sleep_below: 0.5}
  allow:
    - {space: shop, kinds: [power_state]}
"""
PROVIDER = """
providers:
  - nodes: ["*"]
    power: [%s]
"""
COMMAND = """#!/bin/sh
export HOME={home} {xdg}
state={folder}/power.$2
echo "$@ $PARLEY_DECISION $PARLEY_STEP" >> {folder}/asked
[ -e {folder}/broken ] && {{ sleep 120; exit 0; }}
case $3 in
    read) cat $state 2>/dev/null || echo on ;;
    on) {testbed} node heal $2 --name {name} && rm -f $state || exit 75 ;;
    sleep) {testbed} node partition $2 --name {name} && echo sleep > $state || exit 75 ;;
    *) exit 3 ;;
esac
"""


class Providing(ModeAct):
    @classmethod
    def setUpClass(cls):
        cls.start(PROGRAM, "real", tag="power", spaces={"shop": ["act"]})
        xdg = " ".join(f"{name}={shlex.quote(os.environ[name])}" for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")
                       if name in os.environ)
        command = cls.write("node-power", COMMAND.format(
            home=shlex.quote(os.path.expanduser("~")), xdg=xdg, folder=shlex.quote(cls.folder),
            testbed=shlex.quote(TESTBED), name=cls.cluster.name))
        os.chmod(command, 0o755)
        cls.policy = cls.write("power.yaml", POLICY + PROVIDER % command)
        cls.alone = cls.write("alone.yaml", POLICY)
        cls.cluster.apply(deployment("web", 4, space="shop"))
        cls.cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")

    def setUp(self):
        super().setUp()
        self.write("asked", "")

    def asked(self):
        with open(os.path.join(self.folder, "asked"), encoding="utf-8") as file:
            return [line.split() for line in file]

    def node(self, name):
        return self.cluster.find("node", name)

    def told(self, live, holds, seconds, what):
        """As live.until(), and says why Parley did not do it."""
        try:
            return live.until(holds, seconds, what)
        except AssertionError as late:
            raise AssertionError(f"{late}\n{live.ask('why').stdout}\n{self.asked()[-5:]}") from None

    @long
    def test_an_idle_node_is_put_to_sleep_and_given_back(self):
        self.addCleanup(self.put_right, *self.nodes(), options=("--config", self.policy))
        live = self.live()
        seen = self.told(live, lambda s: any(n["power"] == "sleep" for n in s["nodes"]), 180, "a node that sleeps")
        sleeper = next(n["id"] for n in seen["nodes"] if n["power"] == "sleep")
        ordered = [words for words in self.asked() if words[:3] == ["power", sleeper, "sleep"]]
        self.assertEqual(len(ordered), 1, self.asked())
        marked = self.node(sleeper)
        self.assertEqual(ordered[0][3], marked["metadata"]["annotations"]["parley.dev/decision"])
        left = [p["metadata"]["name"] for p in self.cluster.get("pods")
                if p["metadata"]["namespace"] == "shop" and p["spec"].get("nodeName") == sleeper]
        self.assertEqual(left, [], "it was emptied before, also of pods that end")
        lost = self.told(live, lambda s: any(n["id"] == sleeper and n["ready"] != "yes" for n in s["nodes"]), 90,
                         "a node that is NotReady")
        later = live.until(lambda s: s["round"] > lost["round"] + 10, 60, "ten more rounds")
        row = next(n for n in later["nodes"] if n["id"] == sleeper)
        self.assertEqual(row["power"], "sleep")
        self.assertTrue(row["can_power"])
        self.assertEqual({n["power"] for n in later["nodes"] if n["id"] != sleeper}, {"on"}, "one at a time")
        self.assertEqual(live.stop()[0], 0)
        self.assertEqual(live.ask("replay").returncode, 0)
        why = live.answer("why", "--round", str(later["round"]))
        self.assertNotIn(f"migrate {sleeper}", why)
        # A successor that has not read anything yet takes it for asleep too, by its mark.
        after = self.live(mode="observe")
        after.until(lambda s: s["round"] > 3, 60, "rounds of a successor")
        rows = [n for s in after.snapshots() for n in s["nodes"] if n["id"] == sleeper]
        self.assertEqual({n["power"] for n in rows}, {"sleep"})
        self.assertEqual(after.stop()[0], 0)
        self.give_back(sleeper)

    def give_back(self, sleeper):
        alone = self.release("--all", "--dry-run")
        self.assertIn(f"left    Node {sleeper}: power is set by a provider, and none is named", alone.stdout)
        dry = self.release("--all", "--dry-run", "--config", self.policy)
        self.assertIn(f"would   Node {sleeper}: power on {sleeper}", dry.stdout, dry.stderr)
        done = self.release("--all", "--config", self.policy)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(["power", sleeper, "on"], [words[:3] for words in self.asked()])
        self.cluster.kubectl("wait", "--for=condition=Ready", f"node/{sleeper}", "--timeout=120s")
        node = self.node(sleeper)
        self.assertEqual(marks_on(node), [])
        self.assertFalse(is_quarantined(node))
        self.assertEqual(self.release("--all", "--config", self.policy).stdout, "", "nothing is left")

    def test_what_cannot_be_read_is_not_switched(self):
        broken = self.write("broken", "")
        self.addCleanup(lambda: os.path.exists(broken) and os.remove(broken))
        live = self.live(mode="dry-run")
        seen = live.until(lambda s: s["round"] > 5 and source(s, "api")["condition"] == "ok", 60, "six rounds")
        self.assertEqual({n["can_power"] for n in seen["nodes"]}, {False})
        begun = time.monotonic()
        self.assertEqual(live.stop()[0], 0)
        self.assertLess(time.monotonic() - begun, 15, "it waits for no command at its end")
        self.assertTrue(all(words[2] == "read" for words in self.asked()), self.asked())

    def test_what_is_read_is_shown_in_every_mode(self):
        live = self.live(mode="observe")
        live.until(lambda s: all(n["can_power"] and n["power"] == "on" and not n["can_clock"] for n in s["nodes"]), 60,
                   "nodes that a provider serves")
        self.assertEqual(live.stop()[0], 0)
        self.assertTrue(all(words[2] == "read" for words in self.asked()), self.asked())

    def test_check_and_live_say_whether_a_provider_is_there(self):
        def run(*words):
            return subprocess.run([PROGRAM, *words, "--mode", "act", "--kubeconfig", self.config], capture_output=True,
                                  text=True, timeout=60, cwd=self.folder)
        said = run("check", "--config", self.policy).stdout
        self.assertRegex(said, r"ok +power_state in shop\n")
        self.assertRegex(said, r"providers +ok +power of 3 nodes")
        self.assertRegex(run("check", "--config", self.alone).stdout,
                         r"refused +power_state in shop: no provider is named that can switch power")
        refused = run("live", "--rounds", "1", "--config", self.alone)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("no provider is named that can switch power", refused.stderr)
        path = self.write("relative.yaml", POLICY + PROVIDER % "node-power")
        self.assertIn("must be an absolute path", run("live", "--rounds", "1", "--config", path).stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
