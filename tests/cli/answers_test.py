#!/usr/bin/env python3
"""The program's answers are true: stages, causes, waiting pods, the state of every round, traces.

Usage: tests/cli/answers_test.py PROGRAM [unittest arguments]   (from the project's root)
"""

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "web"))
from kit import Folder, Serving, wait_for

PROGRAM = ""
MEANT = ["AgentB:power_state:sleep", "AgentB:dvfs", "AgentB:memory_balloon", "AgentA:throttle", "AgentA:migrate",
         "AgentA:replicate", "AgentC:admission:queue", "AgentC:admission:deprioritize", "AgentC:resource_cap"]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def run_it(self, *words, check=True):
        done = self.folder.run(PROGRAM, *words, check=False)
        if check:
            self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def path(self, *names):
        return os.path.join(self.folder.path, *names)

    def state(self, run):
        with open(self.path(run, "state.json"), encoding="utf-8") as file:
            return json.load(file)

    def events(self, run):
        with open(self.path(run, "events.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def slow_to_move(self):
        """node-02 degrades and heals; pods of its workloads take minutes to start."""
        scenario = json.loads(self.run_it("scenario", "show", "failing-node", "-o", "json").stdout)
        scenario["script"] = [{"kind": "degrade_heal", "at": "60s", "target": "node-02", "lead": "6m"}]
        for each in scenario["workloads"]:
            if each["name"] in ("web", "cart"):
                each["replicas"] *= 3 if each["name"] == "web" else 4
                each["pod"]["startup_core_s"] = 200
        with open(self.path("slow.json"), "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        return "./slow.json"

    def serving(self, *words):
        server = Serving(PROGRAM, self.folder, *words)
        self.addCleanup(server.stop)
        return server


class Exercise(Case):
    """The documented command brings about what the nine phases intend."""

    def labels(self, scenario):
        self.run_it("simulate", "--scenario", scenario, "--profile", "prototype", "--rounds", "54",
                    "--event-dir", "run")
        with sqlite3.connect(self.path("run", "run.db")) as database:
            rows = database.execute("SELECT round, label FROM rounds").fetchall()
        return dict(rows)

    def test_prototype_gives_all_nine(self):
        labels = self.labels("exercise")
        self.assertEqual([labels[6 * phase + 6] for phase in range(9)], MEANT)

    def test_a_form_that_the_scenario_names_is_kept(self):
        shown = self.run_it("scenario", "show", "exercise").stdout
        self.assertIn("form: profile", shown)
        with open(self.path("mine.yaml"), "w", encoding="utf-8") as file:
            file.write(shown.replace("form: profile", "form: shortage"))
        labels = self.labels("./mine.yaml")
        self.assertNotEqual(labels[48], MEANT[7])


class Stages(Case):
    """All views agree about brains, a learned policy and tuning."""

    def stages(self, *flags):
        done = self.run_it("simulate", "--rounds", "3", "--event-dir", "run", "-o", "json", *flags)
        state = self.state("run")
        told = {each["name"]: (each["status"], each["detail"]) for each in state["stages"]}
        for each in json.loads(done.stdout)["stages"]:
            self.assertEqual((each["status"], each["detail"]), told[each["name"]])
        for name in ["brains", "ray_ppo", "optuna"]:
            messages = [event["message"] for event in self.events("run") if event["kind"] == "stage"]
            self.assertIn(f"{name} {told[name][0]}: {told[name][1]}", messages)
        self.assertEqual((state["ray"]["status"], state["optuna"]["status"]), (told["ray_ppo"][0], told["optuna"][0]))
        return told

    def test_nobody_asked(self):
        told = self.stages()
        self.assertEqual([told[name][0] for name in ["brains", "ray_ppo", "optuna"]], ["idle", "skipped", "idle"])

    def test_a_model_that_drives_is_complete(self):
        status, detail = self.stages("--predictor", "xgboost")["brains"]
        self.assertEqual(status, "complete")
        self.assertIn("drives decisions", detail)

    def test_what_was_named_is_a_choice(self):
        self.assertEqual(self.stages("--predictor", "formula")["brains"],
                         ("disabled", "by policy.predictor formula, which drives decisions"))

    def test_flags_are_named(self):
        self.run_it("demo", "--rounds", "3", "--pace", "0s", "--lines", "--listen", "off", "--event-dir", "run",
                    "--no-policy", "--no-tune")
        state = self.state("run")
        self.assertEqual((state["ray"]["status"], state["ray"]["detail"]), ("disabled", "by --no-policy"))
        self.assertEqual((state["optuna"]["status"], state["optuna"]["detail"]), ("disabled", "by --no-tune"))

    def test_trials_are_on_the_page_while_and_after(self):
        server = self.serving("demo", "--trials", "3", "--event-dir", "run", "--lines", "--pace", "100ms",
                              "--listen", "127.0.0.1:0")
        client = server.client()
        seen = {}

        def tuned():
            view = client.get("/api/runs/run/learning").json()
            seen.setdefault(view["optuna"]["state"], view)
            server.drain()
            return view["optuna"]["state"] in ("done", "failed")

        wait_for(tuned, 600)
        self.assertIn("running", seen, "it can be looked at while it is tuned")
        running = seen["running"]["optuna"]
        self.assertIn(" of 3 trials", running["detail"])
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["rounds"] > 1, 60)
        view = client.get("/api/runs/run/learning").json()
        self.assertEqual(view["optuna"]["state"], "done")
        self.assertEqual(len(view["optuna"]["trials"]), 3)
        self.assertIsNotNone(view["optuna"]["best"])
        self.assertIn("run/tuning/study.db", " ".join(view["artifacts"]))
        foot = {each["name"]: each for each in client.get("/api/runs/run/rounds/live").json()["stages"]}
        learning = {each["name"]: each for each in view["stages"]}
        self.assertEqual(foot, learning)
        self.assertEqual(learning["optuna"]["state"], "done")
        self.assertTrue(view["optuna"]["detail"].startswith(learning["optuna"]["detail"]))
        server.stop()
        self.assertEqual(self.state("run")["optuna"]["status"], "complete")
        later = self.serving("serve", "run", "--listen", "127.0.0.1:0").client()
        wait_for(lambda: later.get("/readyz").status == 200)
        self.assertEqual(len(later.get("/api/runs/run/learning").json()["optuna"]["trials"]), 3)


class Causes(Case):
    """why-not names the outermost cause first."""

    def ask(self, action, *flags, round_number=None, rounds=60, scenario="tour"):
        run = "run-" + str(abs(hash((scenario, rounds, flags))))
        if not os.path.exists(self.path(run)):
            self.run_it("simulate", "--scenario", scenario, "--rounds", str(rounds), "--event-dir", run, *flags)
        which = [] if round_number is None else ["--round", str(round_number)]
        return json.loads(self.run_it("why-not", run, action, "-o", "json", *which).stdout)

    def first(self, *words, **more):
        return self.ask(*words, **more)["obstacles"][0]

    def test_mode_observe(self):
        for action in ["migrate:node-07", "queue", "migrate:node-03"]:
            answer = self.ask(action, "--mode", "observe")
            self.assertEqual(answer["obstacles"][0]["who"], "mode", answer)
            self.assertEqual(answer["first_cause"],
                             "mode, observe: nothing is sent in this mode, whatever is decided")

    def test_an_agent_that_is_not_in_this_build(self):
        answer = self.ask("scale:shop/web")
        self.assertEqual(answer["first_cause"],
                         "agent, build: D scaling is not in this build, so that nobody can propose it")
        self.assertEqual([each["who"] for each in answer["obstacles"]], ["agent"])

    def test_a_record_without_nodes_does_not_say_that_there_were_none(self):
        self.run_it("simulate", "--rounds", "5", "--event-dir", "run", "--record", "decisions")
        for words in [("why-not", "run", "migrate:node-04"), ("why", "run", "--node", "node-04")]:
            done = self.run_it(*words, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("this record holds no observed nodes (it was made with --record decisions)", done.stderr)

    def test_a_margin_by_configuration(self):
        obstacle = self.first("migrate:node-07", "--set", "policy.stakes.margin=50", round_number=16)
        self.assertEqual(obstacle["rule"], "policy.stakes.margin")
        self.assertIn("x 50 by configuration (default x 1.1)", obstacle["because"])

    def test_a_setting_of_evidence_or_stakes(self):
        obstacle = self.first("migrate:node-07", "--set", "policy.stakes.migrate_efficacy=0.01")
        self.assertEqual(obstacle["rule"], "policy.stakes.migrate_efficacy")
        self.assertIn("0.01 by configuration (default 0.95): at the default risk 0.", obstacle["because"])
        names = [f"policy.evidence.{name}" for name in ("lease_slow", "pressure", "restarts")]
        obstacle = self.first("migrate:node-07", *[word for name in names for word in ("--set", f"{name}=0.001")])
        self.assertEqual(obstacle["who"], "configuration")
        self.assertLessEqual(set(obstacle["rule"].split(", ")), set(names))

    def test_without_a_round_it_is_asked_where_the_defaults_would_have_acted(self):
        slow = self.slow_to_move()
        for names, value in [(["policy.stakes.migrate_efficacy"], 0.01),
                             ([f"policy.evidence.{name}" for name in ("lease_slow", "pressure", "restarts")], 0.001)]:
            flags = [word for name in names for word in ("--set", f"{name}={value}")]
            obstacle = self.first("migrate:node-02", "--seed", "5", *flags, rounds=200, scenario=slow)
            self.assertEqual(obstacle["rule"], ", ".join(names))

    def test_a_namespace_filter(self):
        obstacle = self.first("queue", "--set", "policy.namespaces=[=nowhere]", round_number=16)
        self.assertEqual(obstacle["rule"], "policy.namespaces")
        self.assertIn("the filter leaves out ", obstacle["because"])

    def test_without_a_round_it_is_asked_where_the_filter_left_out_the_most(self):
        answer = self.ask("queue", "--seed", "404", "--set", "policy.namespaces=[=shop]", rounds=200,
                          scenario="batch-queue")
        self.assertEqual(answer["obstacles"][0]["rule"], "policy.namespaces", answer)
        self.assertLess(answer["round"], 200)

    def test_opt_in_is_a_rule_of_the_guard(self):
        self.run_it("simulate", "--scenario", "failing-node", "--rounds", "10", "--event-dir", "run",
                    "--set", "policy.allow=[{space: '*', kinds: [replicate]}]")
        for action in ["throttle:node-06", "queue"]:
            text = self.run_it("why-not", "run", action).stdout
            self.assertIn("First cause: configuration, opt-in: ", text)
            self.assertNotIn("Neither guard nor referee", text)

    def test_a_rejection_that_would_not_have_paid_yet(self):
        answer = self.ask("reject", "--seed", "404", rounds=60, scenario="batch-queue")
        first = answer["obstacles"][0]
        self.assertEqual((first["who"], first["rule"]), ("agent", "its rules"), answer)
        self.assertIn("it rejects only after 10m", first["because"])

    def test_what_the_guard_held_was_not_accepted(self):
        answer = self.ask("queue", "--profile", "prototype", rounds=54, scenario="exercise")
        self.assertFalse(answer["accepted"])
        self.assertEqual(answer["held_rounds"] + answer["accepted_rounds"], answer["proposed_rounds"])
        self.assertGreater(answer["held_rounds"], 0)

    def test_nobody_allowed_it(self):
        obstacle = self.first("migrate:node-07", "--set", "policy.allow=[{space: none, kinds: [migrate]}]",
                              round_number=30)
        self.assertEqual((obstacle["who"], obstacle["rule"]), ("configuration", "opt-in"))

    def test_a_limit_of_the_guard_by_configuration(self):
        obstacle = self.first("migrate:node-07", "--set", "policy.guard.warmup_rounds=5000")
        self.assertEqual((obstacle["who"], obstacle["rule"]), ("guard", "warm-up"))
        set_by = "policy.guard.warmup_rounds is 5000 by configuration (default 3)"
        self.assertTrue(obstacle["because"].endswith("; " + set_by), obstacle)
        run = next(name for name in os.listdir(self.folder.path) if name.startswith("run-"))
        refused = next(event["round"] for event in self.events(run) if "is refused, warm-up" in event["message"])
        self.assertIn(set_by, " ".join(self.run_it("why", run, "--round", str(refused)).stdout.split()))

    def test_the_text_begins_with_it(self):
        self.run_it("simulate", "--rounds", "30", "--event-dir", "run", "--mode", "observe")
        text = self.run_it("why-not", "run", "migrate:node-03").stdout
        self.assertEqual(text.splitlines()[1],
                         "First cause: mode, observe: nothing is sent in this mode, whatever is decided.")


class Waiting(Case):
    """Who waits for what, and what became of samples."""

    def test_pods_that_wait_for_a_selector(self):
        self.run_it("simulate", "--scenario", "exercise", "--profile", "prototype", "--rounds", "42",
                    "--event-dir", "run")
        round_text = self.run_it("why", "run", "--round", "42").stdout
        self.assertIn("Waiting: parley-exercise/admission-queue: 12 pods wait by a selector that no node matches",
                      " ".join(round_text.split()))
        history = " ".join(self.run_it("why", "run", "--workload", "parley-exercise/admission-queue").stdout.split())
        self.assertIn("12 pods wait by a selector that no node matches", history)

    def test_alarms_name_the_layer_they_suspect(self):
        self.run_it("simulate", "--scenario", "tour", "--rounds", "150", "--event-dir", "run")
        with sqlite3.connect(self.path("run", "run.db")) as database:
            number, layer = database.execute("SELECT round, layer FROM alarms").fetchone()
        text = " ".join(self.run_it("why", "run", "--round", str(number)).stdout.split())
        suspect = f"suspect layer {layer}, " if layer > 0 else "suspect the stimulus"
        self.assertIn(suspect, text[text.index("ALARM: "):])
        alarms = [event["message"] for event in self.events("run") if event["kind"] == "alarm"]
        self.assertTrue(any(suspect in each for each in alarms), alarms)

    def test_disagreements_are_events_and_name_their_layer(self):
        self.run_it("simulate", "--scenario", "contradict", "--rounds", "60", "--event-dir", "run")
        told = [event for event in self.events("run") if event["kind"] == "disagreement"]
        differ = next(event for event in told if event["data"]["kind"] == "sources_differ")
        self.assertEqual(differ["data"]["layer"], 1)
        self.assertTrue(differ["message"].startswith("metrics and prometheus differ"), differ)
        self.assertTrue(differ["message"].endswith("; suspect layer 1, observation"), differ)
        text = " ".join(self.run_it("why", "run", "--round", str(differ["round"])).stdout.split())
        self.assertIn("Shown and believed differ: " + differ["message"], text)
        with sqlite3.connect(self.path("run", "run.db")) as database:
            rows = database.execute("SELECT message FROM events WHERE kind = 'disagreement'").fetchall()
        self.assertEqual([row[0] for row in rows], [event["message"] for event in told])

    def test_a_wrong_name_is_answered_at_once(self):
        self.run_it("simulate", "--scenario", "tour", "--rounds", "600", "--event-dir", "run")
        begun = time.monotonic()
        done = self.run_it("why-not", "run", "migrate:node-O7", check=False)
        self.assertLess(time.monotonic() - begun, 2)
        self.assertEqual(done.returncode, 2)
        self.assertIn('no node called "node-O7"; did you mean node-07?', done.stderr)


class WholeRun(Case):
    """Plain why reports what matters in the whole run, whichever round it is about."""

    def stuck(self, rounds, *later):
        """A node degrades, and a budget lets one of two pods there go; its successor takes hours to start."""
        scenario = json.loads(self.run_it("scenario", "show", "calm", "-o", "json").stdout)
        scenario["script"] = [{"kind": "degrade_fail", "at": at, "target": node, "lead": "25m", "gamma": 0.1}
                              for node, at in [("node-02", "20s"), *later]]
        for each in scenario["workloads"] + scenario["jobs"]:
            each["pod"]["memory_request_mib"] = int(each["pod"]["memory_mib"])
        web = next(each for each in scenario["workloads"] if each["name"] == "web")
        web["replicas"] = 24
        web["pod"]["startup_core_s"] = 5000
        with open(self.path("shop.json"), "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        self.run_it("simulate", "--scenario", "./shop.json", "--seed", "7", "--rounds", str(rounds),
                    "--event-dir", "run")
        return json.loads(self.run_it("why", "run", "-o", "json").stdout)

    def test_an_action_that_is_held_is_said(self):
        answer = self.stuck(100)
        held = [line for line in answer["whole_run"] if "has been held for" in line]
        self.assertEqual(len(held), 1, answer["whole_run"])
        self.assertRegex(held[0], r"^migrate node-02 of round \d+ has been held for 1m\d\ds: shop/web has a disruption "
                                  r"budget that allows 0 now; suspect layer 5, execution$")
        self.assertEqual(answer["round"], int(held[0].split()[4]))

    def test_the_round_of_an_action_that_expired_goes_before_a_later_one(self):
        answer = self.stuck(280, ("node-05", "10m"))
        self.assertGreater(max(event["round"] for event in self.events("run") if event["kind"] == "decision"
                               and "uncontested" in event["message"]), answer["round"])
        text = " ".join(self.run_it("why", "run").stdout.split())
        self.assertIn("Agent A safety won: migrate node-02.", text)
        self.assertRegex(text, f"Over the whole run migrate node-02 of round {answer['round']} expired in round "
                               r"\d+: its time ran out: shop/web has .*; suspect layer 5, execution\.")

    def test_evictions_that_were_never_sent_are_told_of_their_workload(self):
        self.stuck(280)
        moments = [each["text"] for each in
                   json.loads(self.run_it("why", "run", "--workload", "shop/web", "-o", "json").stdout)["history"]]
        planned = next(text for text in moments if text.startswith("migrate node-02 plans evict web-"))
        unsent = next(text for text in moments if "is over; never sent: evict web-" in text)
        self.assertIn("(its time ran out: shop/web has a disruption budget that allows 0 now)", unsent)
        self.assertEqual((planned.count("evict"), unsent.count("evict")), (2, 2))

    def test_a_setting_by_which_nothing_passes_is_named(self):
        for settings, sentence in {
                "policy.stakes.margin=50": "policy.stakes.margin: x 50 by configuration (default x 1.1)",
                "policy.guard.warmup_rounds=5000": "policy.guard.warmup_rounds is 5000 by configuration (default 3)",
        }.items():
            with self.subTest(settings):
                run = "run-" + settings.split("=")[1]
                self.run_it("simulate", "--scenario", "failing-node", "--rounds", "60", "--event-dir", run,
                            "--set", settings)
                said = json.loads(self.run_it("why", run, "-o", "json").stdout)["whole_run"]
                line = next(line for line in said if line.startswith("A safety did nothing: "))
                self.assertIn(sentence, line)

    def test_later_alarms_are_said_of_an_early_round(self):
        self.run_it("simulate", "--scenario", "contradict", "--rounds", "60", "--event-dir", "run")
        raised = [event for event in self.events("run")
                  if event["kind"] == "alarm" and not event["message"].startswith("cleared")]
        count = "1 alarm" if len(raised) == 1 else f"{len(raised)} alarms"
        early = json.loads(self.run_it("why", "run", "--round", "2", "-o", "json").stdout)
        self.assertEqual(early["whole_run"],
                         [f"{count} since, the first in round {raised[0]['round']}: {raised[0]['message']}"])
        late = json.loads(self.run_it("why", "run", "--round", "60", "-o", "json").stdout)
        self.assertEqual(late["whole_run"], [])


class Every(Case):
    """state.json and events hold what was promised."""

    def test_the_state_is_replaced_in_every_round(self):
        process = subprocess.Popen([PROGRAM, "demo", "--lines", "--listen", "off", "--pace", "500ms",
                                    "--event-dir", "run"], cwd=self.folder.path, env=self.folder.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen = []

        def several():
            if os.path.exists(self.path("run", "state.json")):
                state = self.state("run")
                self.assertEqual((state["status"], state["rounds"]), ("running", state["decision"]["round"]))
                seen.append((time.monotonic(), state["rounds"]))
            return len({number for _, number in seen}) >= 8

        wait_for(several, 60)
        for (before, earlier), (now, later) in zip(seen, seen[1:]):
            most = 2 + int((now - before) / 0.5)  # A round every half second, as far as the machine keeps up.
            self.assertLess(later - earlier, most, "no round is left out")
        process.send_signal(signal.SIGINT)
        process.wait(20)
        self.assertEqual(self.state("run")["status"], "stopped")

    def test_what_is_open_in_a_run_that_goes_on_is_open_in_every_answer(self):
        process = subprocess.Popen([PROGRAM, "demo", "--scenario", "tour", "--lines", "--listen", "off",
                                    "--pace", "50ms", "--event-dir", "run"], cwd=self.folder.path,
                                   env=self.folder.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        found = []

        def migrating():
            if os.path.exists(self.path("run", "state.json")):
                found[:] = [each for each in self.state("run")["outcomes"]
                            if each["state"] == "open" and each["text"].startswith("due at ") and "migrate" in each["action"]]
            return found

        wait_for(migrating, 120)
        of_round, due = str(found[0]["round"]), found[0]["text"].split(";")[0]
        winner = json.loads(self.run_it("why", "run", "--round", of_round, "-o", "json").stdout)["winners"][0]
        self.assertEqual(winner["score"]["state"], "open")
        self.assertTrue(winner["outcome"].startswith(f"Still open: {due}; "), winner["outcome"])
        node = found[0]["action"].split()[1]
        history = json.loads(self.run_it("why", "run", "--node", node, "-o", "json").stdout)["history"]
        self.assertTrue(history[-1]["text"].startswith(f"score of migrate: still open in round {of_round}: {due}; "),
                        history[-1])
        process.kill()
        process.wait()
        cut = json.loads(self.run_it("why", "run", "--round", of_round, "-o", "json").stdout)["winners"][0]
        self.assertTrue(cut["outcome"].startswith("Censored: the record ends in round "), cut["outcome"])

    def test_the_last_event_of_an_action_says_what_was_sent_as_why_does(self):
        self.run_it("simulate", "--scenario", self.slow_to_move(), "--seed", "5", "--rounds", "300",
                    "--event-dir", "run")
        last, on_the_way = {}, 0
        for event in self.events("run"):
            if event["kind"] == "execution":
                last[event["data"]["round"]] = event["data"]
                on_the_way += " goes on: " in event["message"]
        for number, data in last.items():
            winner = json.loads(self.run_it("why", "run", "--round", str(number), "-o", "json").stdout)["winners"][0]
            self.assertEqual(data["steps"], winner["sent"], number)
        self.assertGreater(on_the_way, 1)

    def test_decisions_carry_payload_and_reason(self):
        self.run_it("simulate", "--scenario", "tour", "--rounds", "60", "--event-dir", "run")
        decisions = [event["data"] for event in self.events("run") if event["kind"] == "decision"]
        chosen = [each for each in decisions if each["action_label"] == "AgentC:admission:queue"]
        self.assertTrue(chosen)
        self.assertEqual((chosen[0]["payload"]["kind"], chosen[0]["payload"]["decision"]), ("admission", "queue"))
        for each in decisions:
            self.assertTrue(each["reason"])
            self.assertTrue(all("payload" in one and one["reason"] for one in each["proposals"]), each)
        lost = [one for each in decisions for one in each["proposals"] if one["fate"] == "overridden"]
        self.assertTrue(lost and all(one["lost"] for one in lost))


class Traces(Case):
    """Observed rounds can be decided again."""

    def digest(self, run):
        return json.loads(self.run_it("digest", run, "-o", "json").stdout)["digest"]

    def test_the_same_decisions(self):
        for number, scenario in enumerate(["failing-node", "exercise", "lying"]):
            profile = ["--profile", "prototype"] if scenario == "exercise" else []
            first, second, trace = f"a{number}", f"b{number}", f"seen{number}.jsonl"
            self.run_it("simulate", "--scenario", scenario, "--rounds", "120", "--event-dir", first,
                        "--trace-out", trace, *profile)
            self.run_it("simulate", "--from-trace", trace, "--event-dir", second)
            self.assertEqual(self.digest(first), self.digest(second), scenario)
            self.run_it("replay", second)

    def test_as_much_is_recorded_unless_it_is_set(self):
        self.run_it("simulate", "--scenario", "failing-node", "--rounds", "60", "--event-dir", "a",
                    "--record", "decisions", "--trace-out", "seen.jsonl")
        self.run_it("simulate", "--from-trace", "seen.jsonl", "--event-dir", "b")
        self.assertEqual(self.digest("a"), self.digest("b"))
        self.run_it("simulate", "--from-trace", "seen.jsonl", "--event-dir", "c", "--record", "full")
        self.run_it("replay", "c")
        self.run_it("simulate", "--rounds", "5", "--record", "none", "--trace-out", "unkept.jsonl")
        self.run_it("simulate", "--from-trace", "unkept.jsonl", "--event-dir", "d")
        self.run_it("replay", "d")

    def test_another_policy_on_the_same_observations(self):
        self.run_it("simulate", "--scenario", "failing-node", "--rounds", "60", "--event-dir", "a",
                    "--trace-out", "seen.jsonl")
        done = self.run_it("simulate", "--from-trace", "seen.jsonl", "--profile", "prototype", "--event-dir", "b",
                           "-o", "json")
        self.assertEqual(json.loads(done.stdout)["profile"], "prototype")
        self.assertNotEqual(self.digest("a"), self.digest("b"))

    def test_what_is_not_whole_is_refused(self):
        self.run_it("simulate", "--rounds", "5", "--event-dir", "a", "--trace-out", "seen.jsonl")
        with open(self.path("seen.jsonl"), encoding="utf-8") as file:
            lines = file.readlines()
        with open(self.path("cut.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(lines[:2] + lines[3:])
        done = self.run_it("simulate", "--from-trace", "cut.jsonl", "--event-dir", "b", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cut.jsonl:3: this line does not follow the one before it", done.stderr)
        done = self.run_it("simulate", "--from-trace", "seen.jsonl", "--seed", "9", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--from-trace brings its own seed", done.stderr)


class Which(Case):
    """Without a named run, none is guessed."""

    def setUp(self):
        super().setUp()
        for name in ["one", "my run"]:
            self.interrupt(name)

    def interrupt(self, run):
        """A run that was ended before its time: whoever goes on with it may be stopped beforehand."""
        with subprocess.Popen([PROGRAM, "demo", "--pace", "50ms", "--listen", "off", "--lines",
                               "--event-dir", run], cwd=self.folder.path, env=self.folder.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)

    def stopped(self, run):
        return os.path.exists(self.path(run, "stopped.json"))

    def test_one_dashboard_is_no_guess_for_a_link_but_for_a_stop(self):
        self.serving("serve", "one", "--listen", "127.0.0.1:0")
        self.assertIn("#token=", self.run_it("link").stdout)
        done = self.run_it("stop", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("parley stop " + os.path.realpath(self.path("one")), done.stderr)
        self.assertFalse(self.stopped("one"))

    def test_of_several_the_choices_are_named(self):
        self.serving("serve", "one", "--listen", "127.0.0.1:0")
        self.serving("serve", "my run", "--listen", "127.0.0.1:0")
        for command in ["stop", "link"]:
            done = self.run_it(command, check=False)
            self.assertEqual(done.returncode, 2, done.stdout)
            for name in ["one", "my run"]:
                self.assertIn(os.path.realpath(self.path(name)), done.stderr)
        self.assertFalse(self.stopped("one") or self.stopped("my run"))
        self.assertEqual(len(self.run_it("link", "--all").stdout.splitlines()), 2)
        self.run_it("stop", "--all")
        self.assertTrue(self.stopped("one") and self.stopped("my run"))

    def test_a_person_at_a_terminal_is_asked(self):
        self.serving("serve", "one", "--listen", "127.0.0.1:0")
        self.serving("serve", "my run", "--listen", "127.0.0.1:0")
        master, slave = pty.openpty()
        with subprocess.Popen([PROGRAM, "stop"], cwd=self.folder.path, env=self.folder.environment, stdin=slave,
                              stdout=slave, stderr=slave, close_fds=True) as process:
            os.close(slave)
            seen = b""
            while b"Which one?" not in seen and select.select([master], [], [], 20)[0]:
                seen += os.read(master, 4096)
            choices = [line.split()[0] for line in seen.decode().splitlines() if line.rstrip().endswith("/one")]
            os.write(master, choices[0].encode() + b"\n")
            process.wait(20)
        os.close(master)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(self.stopped("one"))
        self.assertFalse(self.stopped("my run"))

    def test_the_command_that_the_band_names_works_anywhere(self):
        self.run_it("stop", "my run")
        client = self.serving("serve", "my run", "--listen", "127.0.0.1:0").client()
        wait_for(lambda: client.get("/readyz").status == 200)
        lift = client.get("/api/runs").json()["runs"][0]["stopped"]["lift"]
        self.assertTrue(lift.startswith("parley stop '/"), lift)
        environment = dict(self.folder.environment)
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        # Typed at a terminal it asks for the reason.
        done = subprocess.run(["bash", "-c", lift + " --because tried"], cwd="/", env=environment, capture_output=True, text=True,
                              timeout=20, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(self.stopped("my run"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
