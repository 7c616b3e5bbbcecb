#!/usr/bin/env python3
"""Wrong metrics of various kinds, and sources that contradict each other.

Usage: tests/live/samples_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kit
from fake_api import stamp
from kit import LiveTest, source


def gap(each, name, field="cpu_used_m"):
    return next(n for n in each["nodes"] if n["id"] == name)[field].get("gap")


class Samples(LiveTest):
    def spoil(self, name, change):
        """From now on the samples of one node are changed by `change`."""
        def metrics():
            out = []
            for item in self.api.plain_metrics():
                out += change(item) if item["metadata"]["name"] == name else [item]
            return out
        self.api.metrics = metrics

    def rejected(self, change, why):
        self.start()
        self.until_well()
        self.spoil("n-2", change)
        seen = self.until(lambda r: gap(r, "n-2") not in (None, "not_reported"), 90, why)
        self.assertEqual(gap(seen, "n-2"), why.replace(" ", "_"))
        metrics = source(seen, "metrics")
        self.assertEqual((metrics["covered"], metrics["expected"]), (2, 3))
        self.assertIn(f"1 sample rejected as {why}, such as n-2", metrics["reason"])
        self.assertIsNone(gap(seen, "n-1"))

    def test_a_node_sampled_twice(self):
        self.rejected(lambda s: [s, dict(s, usage={"cpu": "3", "memory": "3Gi"})], "sampled twice")

    def test_no_cpu_and_no_memory_at_once(self):
        self.rejected(lambda s: [dict(s, usage={"cpu": "0", "memory": "0"})], "empty sample")

    def test_an_old_sample(self):
        self.rejected(lambda s: [dict(s, timestamp=stamp(time.time() - 600))], "too old")

    def test_a_sample_from_the_future(self):
        self.rejected(lambda s: [dict(s, timestamp=stamp(time.time() + 600))], "from future")


class Contradict(LiveTest):
    def answer(self, expression):
        """Prometheus reports the true values."""
        cpu, memory = "node_cpu_usage_seconds_total", "node_memory_working_set_bytes"
        which = cpu if cpu in expression else memory if memory in expression else None
        if which is None:
            return []
        values = {cpu: 0.5, memory: 2 * (1 << 30)}
        value = time.time() if "timestamp" in expression else values[which]
        return [({"node": name}, value) for name in self.api.use]

    def test_metrics_off_by_a_factor_beside_a_clean_prometheus(self):
        self.api.prometheus = self.answer
        self.start("--prometheus-base-url", self.api.url)
        self.until_well()
        self.until(lambda r: source(r, "prometheus")["condition"] == "ok" and
                   source(r, "prometheus")["covered"] == 3, 60, "Prometheus")
        self.api.use = {name: ("1359m", "5565Mi") for name in self.api.use}
        end = time.monotonic() + 150
        while "metrics and prometheus differ" not in self.said() and time.monotonic() < end:
            time.sleep(1)
        said = self.end()
        self.assertRegex(said, r"alarm +metrics and prometheus differ: metrics says 2\.7 times as "
                               r"much CPU as prometheus, metrics says 2\.7 times as much memory as "
                               r"prometheus \(median of 3 nodes\)")
        with open(os.path.join(self.run_folder, "state.json"), encoding="utf-8") as file:
            self.assertIn("sources_differ", file.read())

    def test_both_sources_that_fail_for_minutes_are_an_alarm(self):
        self.api.refuse = lambda path: 503 if "metrics" in path else None
        self.start("--prometheus-base-url", self.api.url)
        end = time.monotonic() + 200
        while "nothing measured has come for" not in self.said() and time.monotonic() < end:
            time.sleep(1)
        self.assertRegex(self.end(), r"alarm +nothing measured has come for 2m0\ds: metrics failed: "
                                     r".*; prometheus failed: ")


class Simulated(LiveTest):
    def test_the_scenario_contradict_is_said_and_refused(self):
        done = self.ask("simulate", "--scenario", "contradict", "--rounds", "120", "--event-dir", "A")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = " ".join(self.ask("why", "A", "--round", "60").stdout.split())
        self.assertIn("prometheus says 2.7 times as much CPU as metrics", text)
        with open(os.path.join(self.folder, "A", "events.jsonl"), encoding="utf-8") as lines:
            alarms = [json.loads(line) for line in lines if '"kind":"alarm"' in line]
        self.assertTrue(any(a["data"]["kind"] == "sources_contradict" for a in alarms), alarms)
        refused = " ".join(self.ask("why-not", "A", "migrate:node-03", "--round", "60").stdout.split())
        self.assertRegex(refused, re.compile("contradict each other|wants nothing|does not want"))

    def test_lines_say_what_would_be_done_and_when_the_switch_is_pressed(self):
        done = self.ask("demo", "--scenario", "failing-node", "--mode", "observe", "--rounds", "60",
                        "--pace", "0s", "--lines", "--listen", "off", "--event-dir", "B")
        self.assertEqual(done.returncode, 0, done.stderr)
        decisions = [l for l in done.stdout.splitlines() if re.search(r"round \d+ +decision", l)]
        acted = [l for l in decisions if "Nothing" not in l]
        self.assertTrue(acted, done.stdout)
        for line in acted:
            self.assertIn("decision  would: ", line)

    def test_the_switch_is_told_when_it_is_pressed(self):
        self.start()
        self.until_well()
        pressed = self.ask("stop", self.run_folder)
        self.assertEqual(pressed.returncode, 0, pressed.stderr)
        end = time.monotonic() + 60
        while "the kill switch was pressed" not in self.said() and time.monotonic() < end:
            time.sleep(0.3)
        self.assertRegex(self.end(), r"round \d+ +switch +the kill switch was pressed: nothing is "
                                     r"sent any more")


if __name__ == "__main__":
    kit.main()
