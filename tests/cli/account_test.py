#!/usr/bin/env python3
"""What a run cost, what was sent and what came of it, as the commands and files of a run report it.

Usage: tests/cli/account_test.py PROGRAM [unittest arguments]
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-account-")
        self.addCleanup(shutil.rmtree, self.folder)

    def ask(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def simulate(self, run, *arguments):
        return json.loads(self.ask("simulate", "--event-dir", run, "-o", "json", *arguments))

    def state(self, run):
        with open(self.path(run, "state.json"), encoding="utf-8") as file:
            return json.load(file)

    def events(self, run):
        with open(self.path(run, "events.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def rows(self, run, sql):
        connection = sqlite3.connect(self.path(run, "run.db"))
        self.addCleanup(connection.close)
        return connection.execute(sql).fetchall()

    def scenario(self, name, change):
        """A built-in scenario, changed; returns the file's name."""
        return self.write(name + ".yaml", change(self.ask("scenario", "show", name)))


def sources_off(text):
    return re.sub(r"(- source: \w+\n    on: )true", r"\1false", text)


def metrics_fail(text, begin, lasts):
    """All metrics fail for a while."""
    fault = f"faults: [{{kind: outage, from: {begin}, lasts: {lasts}}}]"
    return text.replace("faults: []", fault)


class Account(Runs):
    """Missing is not zero."""

    def missing(self, run, summary, most):
        for key in ("cost_pod_minutes", "score"):
            self.assertIsNone(summary[key], key)
        self.assertLess(summary["coverage"], most)
        self.assertRegex(summary["not_known_because"], r"only \d+% of its readings were there")
        rewards = self.state(run)["rewards"]
        self.assertIsNone(rewards["cost_pod_minutes"])
        self.assertIsNone(rewards["average_total"])
        self.assertEqual(rewards["coverage"], summary["coverage"])
        self.assertEqual(rewards["not_known_because"], summary["not_known_because"])
        self.assertIsNone(rewards["last"]["total"])
        meta = dict(self.rows(run, "SELECT key, value FROM meta"))
        self.assertNotIn("cost_pod_minutes", meta)
        self.assertEqual(meta["not_known_because"], summary["not_known_because"])

    def test_without_metrics_nothing_is_known_of_the_cost(self):
        file = self.scenario("calm", sources_off)
        summary = self.simulate("A", "--scenario", file, "--rounds", "40")
        self.missing("A", summary, 0.01)
        self.assertEqual(self.rows("A", "SELECT count(*) FROM rounds WHERE score IS NOT NULL "
                                        "OR cost IS NOT NULL"), [(0,)])
        text = self.ask("simulate", "--scenario", file, "--rounds", "40", "--event-dir", "B")
        self.assertIn("cost       not known: only 0% of its readings were there, 80% are needed",
                      text)

    def test_what_is_not_seen_of_a_failure_is_not_cheap(self):
        for name in ("blind", "stale"):
            with self.subTest(name):
                summary = self.simulate(name, "--scenario", name, "--rounds", "300")
                self.missing(name, summary, 0.8)

    def test_what_an_action_cost_so_far_is_known_only_where_it_was_read(self):
        self.simulate("A", "--scenario", "stale", "--rounds", "200")
        scores = {event["data"]["round"]: event for event in self.events("A") if event["kind"] == "score"}
        outcomes = {each["round"]: each["text"] for each in self.state("A")["outcomes"]}
        few = 0
        for number, event in scores.items():
            samples, gaps = event["data"]["samples"], event["data"]["gaps"]
            said = [event["message"], outcomes[number], self.ask("why", "A", "--round", str(number))]
            known = 100 * samples >= 80 * (samples + gaps)
            few += not known and samples > 0
            for text in said:
                self.assertEqual("so far it cost" in " ".join(text.split()), known, text)
            if not known and samples > 0:
                share = 100 * samples // (samples + gaps)
                self.assertIn(f"what it cost so far is not known: only {share}% of its readings were there, 80% are "
                              "needed", " ".join(said[2].split()))
            self.assertEqual(self.rows("A", f"SELECT observed IS NOT NULL FROM scores WHERE round = {number}"),
                             [(int(known),)])
        self.assertGreater(few, 3)

    def test_counters_that_come_back_carry_what_the_gap_cost(self):
        whole = self.simulate("A", "--scenario", "calm", "--mode", "observe", "--rounds", "200")
        file = self.scenario("calm", lambda text: metrics_fail(text, "2m", "4m"))
        gap = self.simulate("B", "--scenario", file, "--mode", "observe", "--rounds", "200")
        self.assertEqual(whole["coverage"], 1)
        self.assertEqual(gap["coverage"], 1)
        self.assertAlmostEqual(gap["cost_pod_minutes"], whole["cost_pod_minutes"], 6)
        self.assertAlmostEqual(gap["score"], whole["score"], 6)
        inside = self.rows("B", "SELECT count(*), count(cost) FROM rounds WHERE missing > 0")[0]
        self.assertGreater(inside[0], 70)
        self.assertEqual(inside[1], 0, "a round that was not read has no cost")
        self.assertEqual(self.rows("B", "SELECT count(*) FROM rounds WHERE settled > 0"), [(1,)])
        # While it lasts, nothing is known.
        within = self.simulate("C", "--scenario", file, "--mode", "observe", "--rounds", "100")
        self.missing("C", within, 0.8)

    def test_a_run_that_is_gone_on_with_counts_the_same(self):
        file = self.scenario("calm", lambda text: metrics_fail(text, "2m", "4m"))
        whole = self.simulate("A", "--scenario", file, "--rounds", "200")
        self.simulate("B", "--scenario", file, "--rounds", "100")
        rest = self.simulate("B", "--scenario", file, "--rounds", "200", "--resume")
        self.assertAlmostEqual(rest["coverage"], whole["coverage"], 9)
        self.assertAlmostEqual(rest["cost_pod_minutes"], whole["cost_pod_minutes"], 6)

    def test_pairs_that_could_not_be_read_are_left_out_and_counted(self):
        report = json.loads(self.ask("compare", "--arms", "evidence,never", "--scenario",
                                     "blind", "--pairs", "2", "--length", "30m", "-o", "json"))
        for arm in report["arms"]:
            self.assertEqual((arm["runs"], arm["left_out"]), (0, 2))
            self.assertIsNone(arm["cost"])
        self.assertRegex(report["comparisons"][0]["not_known_because"],
                         "2 of 2 seeds were left out: only .* readings were there")

    def test_nothing_is_tuned_on_what_cannot_be_read(self):
        done = subprocess.run([PROGRAM, "tune", "--scenario", "blind", "--trials", "1", "--pairs",
                               "1", "--length", "30m"], cwd=self.folder, capture_output=True,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("is not known, so nothing can be tuned on it", done.stderr)


def held_by_budget(text):
    """Three copies of web on every node, slow to start: a budget holds all but the first, until
    the node is gone."""
    parts = re.split(r"(?m)^(?=  - space: )", text)
    for i, part in enumerate(parts):
        if re.search(r"(?m)^    name: web$", part):
            part = part.replace("replicas: 12", "replicas: 36", 1)
            parts[i] = re.sub(r"startup_core_s: [\d.]+", "startup_core_s: 200", part)
    return "".join(parts).replace("lead: 8m", "lead: 2m").replace("at: 3s", "at: 60s")


class Sent(Runs):
    """The views agree on what was sent."""

    def test_what_a_budget_held_and_the_nodes_death_made_moot_was_not_sent(self):
        file = self.scenario("failing-node", held_by_budget)
        self.simulate("A", "--scenario", file, "--seed", "3", "--rounds", "400")
        held = [event for event in self.events("A") if event["kind"] == "execution"
                and event["data"]["action"] == "migrate" and "is held" in event["message"]]
        self.assertTrue(held, "a budget holds an eviction")
        decided = held[0]["data"]["round"]
        answer = json.loads(self.ask("why", "A", "--round", str(decided), "-o", "json"))
        steps = answer["winners"][0]["sent"]
        moot = [step for step in steps if step["fate"] == "moot"]
        self.assertTrue(moot, steps)
        for step in moot:
            self.assertEqual(step["answer"], "moot: its pod was gone or going before it was sent")
            self.assertFalse(step["sent"])
            self.assertFalse(step["ok"])
        for step in steps:
            if step["answer"] == "ok":
                self.assertEqual((step["fate"], step["sent"]), ("applied", True))
        text = " ".join(self.ask("why", "A", "--round", str(decided)).split())
        sent = text[text.index("Sent: "):text.index("What came of it")]
        self.assertIn("moot: its pod was gone or going before it was sent", sent)
        self.assertNotIn(moot[0]["request"], sent[:sent.index(" Not carried out")])
        # All views say the same about every step.
        last = [event["data"] for event in self.events("A") if event["kind"] == "execution"
                and event["data"]["id"] == held[0]["data"]["id"]][-1]
        said = {step["request"]: step for step in last["steps"]}
        rows = self.rows("A", "SELECT data FROM events WHERE kind = 'execution'")
        stored = [json.loads(data) for (data,) in rows]
        stored = [data for data in stored if data["id"] == last["id"]][-1]
        for step in steps:
            self.assertEqual(said[step["request"]]["fate"], step["fate"])
            self.assertEqual(said[step["request"]]["answer"], step["answer"])
        self.assertEqual(stored["steps"], last["steps"])


class Outcomes(Runs):
    """Every action has an outcome."""

    def test_the_end_of_a_run_closes_it_as_censored_with_what_was_seen(self):
        self.simulate("A", "--scenario", "failing-node", "--rounds", "100")
        answer = json.loads(self.ask("why", "A", "--round", "11", "-o", "json"))
        winner = answer["winners"][0]
        self.assertEqual(winner["row"]["wanted"], "migrate node-02")
        self.assertEqual(winner["score"]["state"], "censored")
        self.assertGreater(winner["score"]["samples"], 100)
        self.assertGreater(sum(winner["score"]["observed"].values()), 0)
        self.assertRegex(winner["outcome"], r"^Censored: the run ended in round 100, [\dms]+ before "
                                            r"its score was due; so far it cost [\d.]+ pod-minutes")
        self.assertIn("node-02 emptied in round", winner["since"])
        self.assertIn("What came of it: Censored: the run ended in round 100",
                      self.ask("why", "A", "--round", "11"))
        outcomes = {each["round"]: each for each in self.state("A")["outcomes"]}
        self.assertEqual(outcomes[11]["state"], "censored")
        self.assertIn("the run ended in round 100", outcomes[11]["text"])
        self.assertIn("node-02 emptied in round", outcomes[11]["since"])
        row = self.rows("A", "SELECT state, advantage, samples, because FROM scores "
                             "WHERE round = 11")
        self.assertEqual(row[0][:2], ("censored", None))
        self.assertEqual(row[0][2], winner["score"]["samples"])
        self.assertEqual([event["round"] for event in self.events("A")
                          if event["kind"] == "score" and event["data"]["round"] == 11], [100])

    def test_what_befell_the_target_since_is_told(self):
        self.simulate("A", "--scenario", "failing-node", "--rounds", "300")
        winner = json.loads(self.ask("why", "A", "--round", "11", "-o", "json"))["winners"][0]
        self.assertRegex(winner["since"], r"node-02 emptied in round \d+, failed in round \d+")

    def test_when_a_run_goes_on_its_scores_are_open_again_and_close(self):
        self.simulate("A", "--scenario", "failing-node", "--rounds", "100")
        self.simulate("A", "--scenario", "failing-node", "--rounds", "700", "--resume")
        score = json.loads(self.ask("why", "A", "--round", "11", "-o", "json"))["winners"][0]["score"]
        self.assertIn(score["state"], ("measured", "missing"), "twins may not outlive a process")

    def test_a_run_that_was_killed_says_where_its_record_ends(self):
        process = subprocess.Popen([PROGRAM, "simulate", "--scenario", "failing-node", "--rounds",
                                    "100000", "--event-dir", "A"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            time.sleep(0.2)
            done = subprocess.run([PROGRAM, "why", "A", "--round", "11", "-o", "json"],
                                  cwd=self.folder, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                process.send_signal(signal.SIGKILL)
                break
        process.wait()
        answer = json.loads(self.ask("why", "A", "--round", "11", "-o", "json"))
        score = answer["winners"][0]["score"]
        if score["state"] == "censored":  # It may have got further than its window.
            self.assertRegex(answer["winners"][0]["outcome"],
                             r"Censored: the record ends in round \d+")
        last = json.loads(self.ask("why", "A", "-o", "json"))
        for winner in last["winners"]:
            self.assertIn(winner["score"]["state"], ("censored", "measured", "missing"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
