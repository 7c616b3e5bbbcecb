#!/usr/bin/env python3
"""Runs the program as a person would: exit status, messages, formats, wrong use.

Usage: tests/cli/cli_test.py PROGRAM [unittest arguments]
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
                              **options)

    def wrong(self, *arguments, status=2):
        """The first line of an error; the rest of it must not be a crash."""
        done = self.run_it(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        return done.stderr.splitlines()[0]

    def write(self, name, text):
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(os.path.join(self.folder, name), mode) as file:
            file.write(text)
        return name

    def run_folder(self, *arguments):
        done = self.run_it("simulate", "--scenario", "failing-node", "--rounds", "40",
                           "--event-dir", "A", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class FirstRun(Cli):
    """The first example in the help of `simulate`."""

    def test_two_runs_are_one_and_why_tells_how_safety_beat_efficiency(self):
        for name in "AB":
            done = self.run_it("simulate", "--scenario", "failing-node", "--seed", "7",
                               "--rounds", "300", "--event-dir", name)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("contested  1 round\n", done.stdout)
        digests = [self.run_it("digest", name).stdout.split()[0] for name in "AB"]
        self.assertEqual(digests[0], digests[1])
        self.assertIn("every decision the same", self.run_it("replay", "A").stdout)
        why = " ".join(self.run_it("why", "A", "--round", "11").stdout.split())
        for part in ("Agent A safety won: migrate node-02.",
                     "Risk that it fails within 10 min: 0.15",
                     "B efficiency memory_balloon node-02 0.89 danger-blocks-efficiency: node-02 "
                     "is over its own limit: risk 0.15, acts above 0.08"):
            self.assertIn(part, why)


class Resume(Cli):
    def going_on(self, name, rounds):
        return self.run_it("simulate", "--scenario", "failing-node", "--rounds", str(rounds),
                           "--event-dir", name, "--resume", "-o", "json")

    def test_the_summary_is_that_of_the_whole_run(self):
        self.run_folder()
        whole = self.run_it("simulate", "--scenario", "failing-node", "--rounds", "60",
                            "--event-dir", "B", "-o", "json")
        expected = json.loads(whole.stdout)
        for _ in range(2):  # The second time nothing is left to do.
            summary = json.loads(self.going_on("A", 60).stdout)
            for key in ("rounds", "agents", "contested", "with_alarm", "last"):
                self.assertEqual(summary[key], expected[key], key)
            for key in ("score", "cost_pod_minutes"):
                self.assertAlmostEqual(summary[key], expected[key], 6, key)

    def test_a_cluster_that_cannot_be_rebuilt_is_not_gone_on_with(self):
        self.run_folder()
        path = os.path.join(self.folder, "A", "cluster.log")
        with open(path, "rb") as file:
            log = file.read()
        self.assertGreater(len(log), 200, "something was done in it")
        middle = len(log) // 2
        damages = {"gone": None, "empty": b"", "cut": log[:middle],
                   "flipped": log[:middle] + bytes([log[middle] ^ 4]) + log[middle + 1:],
                   "first bytes": b"\0\0\0\0" + log[4:]}
        for name, bytes_left in damages.items():
            with self.subTest(name):
                shutil.rmtree(os.path.join(self.folder, "B"), ignore_errors=True)
                shutil.copytree(os.path.join(self.folder, "A"), os.path.join(self.folder, "B"))
                damaged = os.path.join(self.folder, "B", "cluster.log")
                os.remove(damaged)
                if bytes_left is not None:
                    self.write("B/cluster.log", bytes_left)
                done = self.going_on("B", 60)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn("the simulated cluster cannot be rebuilt", done.stderr)
                self.assertEqual(self.run_it("replay", "B").returncode, 0)
        self.assertEqual(self.going_on("A", 60).returncode, 0)


class Output(Cli):
    def test_what_cannot_be_written_is_a_failure(self):
        for command in (["scenario", "show", "tour"], ["config", "print"], ["--help"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn("could not be written", done.stderr)

    def test_an_output_that_is_closed_does_not_end_in_a_file(self):
        done = subprocess.run(["sh", "-c", f"'{PROGRAM}' simulate --rounds 3 --event-dir A >&-"],
                              cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written", done.stderr)
        self.assertEqual(self.run_it("replay", "A").returncode, 0)

    def test_whoever_reads_no_further_is_no_failure(self):
        done = subprocess.run(["bash", "-c", f"set -o pipefail; '{PROGRAM}' scenario show tour "
                               "| head -n 1 >/dev/null"], check=False, timeout=60,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_names_cannot_hold_what_a_terminal_obeys(self):
        self.write("e.yaml", 'name: e\nnodes:\n  - {name: "n\\e[31m", count: 3}\n')
        self.assertIn("e.yaml:3", self.wrong("scenario", "show", "./e.yaml"))


class Help(Cli):
    def test_every_command_has_help_with_examples(self):
        commands = [[], ["compare"], ["dataset"], ["dataset", "risk"], ["model"], ["model", "list"],
                    ["model", "show"], ["model", "use"], ["model", "compare"], ["model", "export"],
                    ["tune"], ["train"], ["train", "risk"], ["train", "demand"], ["demo"], ["simulate"], ["why"], ["why-not"], ["replay"], ["digest"], ["repair"],
                    ["scenario"], ["scenario", "list"], ["scenario", "show"],
                    ["scenario", "schema"], ["config"], ["config", "print"], ["version"]]
        for command in commands:
            done = self.run_it(*command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertIn("Examples:\n  parley ", done.stdout, command)
            self.assertEqual(done.stderr, "")

    def test_live_is_not_said_to_read_only(self):
        for shown in (self.run_it("--help").stdout, self.run_it("live", "--help").stdout):
            self.assertNotIn("only reads", shown)
            self.assertRegex(shown, r"Follow a real cluster; it is only read, unless --mode act")

    def test_it_says_how_many_rounds_are_made_and_where_the_run_is_put(self):
        said = self.run_it("simulate", "--help").stdout
        self.assertIn("Stop after this many rounds (default 300)", said)
        self.assertIn("(default runs/NAME-SEED, or the first of -2, -3, ... that is free)", said)
        self.assertIn("(default none: until stopped)", self.run_it("demo", "--help").stdout)
        self.assertRegex(self.run_it("config", "print").stdout,
                         r"rounds: null +# default: 300 in simulate, elsewhere until stopped\n")

    def test_what_is_required_is_shown_so(self):
        self.assertIn("Usage: parley why [OPTIONS] RUN\n", self.run_it("why", "--help").stdout)
        self.assertIn("Usage: parley why-not [OPTIONS] RUN ACTION\n",
                      self.run_it("why-not", "--help").stdout)
        for command in ("why", "why-not"):
            json.loads(self.run_it(command, "--schema").stdout)
        self.assertEqual(self.wrong("why-not", "A"), "error: ACTION is required")

    def test_nothing_is_offered_that_is_refused_or_would_destroy(self):
        self.assertNotIn("; off", self.run_it("serve", "--help").stdout)
        self.assertNotIn("docs/", self.run_it("compare", "--help").stdout)

    def test_version_in_both_formats(self):
        self.assertIn("rules ", self.run_it("version").stdout)
        self.assertEqual(self.run_it("--version").stdout,
                         self.run_it("version").stdout.splitlines(keepends=True)[0])
        facts = json.loads(self.run_it("version", "-o", "json").stdout)
        self.assertEqual(set(facts), {"program", "rules_version", "format_version", "build"})


class Live(Cli):
    """What is refused before a cluster is asked."""

    def setUp(self):
        super().setUp()
        self.write("config", "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                   "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"
                   "users: [{name: u, user: {}}]\n"
                   "contexts: [{name: c, context: {cluster: c, user: u}}]\n")

    def test_what_is_refused_leaves_no_folder_behind(self):
        text = self.wrong("live", "--kubeconfig", "config", "--event-dir", "A",
                          "--prometheus-base-url", "http://169.254.169.254")
        self.assertIn("clouds hand out credentials", text)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "A")))

    def test_a_folder_in_use_is_refused(self):
        os.mkdir(os.path.join(self.folder, "A"))
        self.write("A/something", "of somebody")
        self.assertIn("A", self.wrong("live", "--kubeconfig", "config", "--event-dir", "A"))


class WrongUse(Cli):
    def test_unknown_words_get_the_nearest_right_one(self):
        self.assertEqual(self.wrong("simulat"),
                         'error: there is no command "simulat"; did you mean simulate?')
        self.assertEqual(self.wrong("simulate", "--sead", "3"),
                         "error: there is no option --sead of parley simulate; did you mean --seed?")
        self.assertEqual(self.wrong("demo", "--senario", "tour"),
                         "error: there is no option --senario of parley demo; "
                         "did you mean --scenario?")
        self.assertIn("did you mean tour?", self.wrong("simulate", "--scenario", "toor"))
        self.assertIn("did you mean prototype?", self.wrong("demo", "--profile", "protoype"))

    def test_missing_words_are_named(self):
        self.assertTrue(self.wrong().startswith("error: parley needs a command: demo, live, check"))
        self.assertEqual(self.wrong("config"), "error: parley config needs a command: print")
        self.assertIn("RUN", self.wrong("why"))
        self.assertIn("RUN", self.wrong("digest"))
        self.assertEqual(self.wrong("simulate", "--seed"), "error: --seed needs a value")

    def test_values_out_of_range(self):
        self.assertIn("run.seed must be a whole number", self.wrong("simulate", "--seed", "-1"))
        self.assertIn("run.rounds", self.wrong("simulate", "--rounds", "0"))
        self.assertIn("run.interval must be a time from 100ms to 1h",
                      self.wrong("simulate", "--interval", "99ms"))
        self.assertIn('"xml" is not one of', self.wrong("simulate", "-o", "xml"))

    def test_choices_are_named_as_help_has_them(self):
        self.assertEqual(self.wrong("simulate", "--mode", "bogus"),
                         'error: --mode: run.mode cannot be "bogus"; it is one of observe, dry-run '
                         "or act")
        self.assertEqual(self.wrong("train"), "error: parley train needs a command: risk or demand")
        self.assertTrue(self.wrong("simulate", "--rounds", "0").endswith(
            'must be a whole number from 1 to 1,000,000,000, not "0"'))
        offered = self.wrong()
        listed = self.run_it("--help").stdout
        for hidden in ("load", "openapi"):
            self.assertNotIn(f"  {hidden} ", listed)
            self.assertNotIn(f" {hidden},", offered)

    def test_010_is_ten_for_every_command_and_minus_one_is_refused(self):
        shown = [self.run_it("scenario", "show", "mixed", "--seed", seed).stdout
                 for seed in ("010", "10", "8")]
        self.assertEqual(shown[0], shown[1])
        self.assertNotEqual(shown[0], shown[2])
        for text in ("-1", "0x10", " 5", "+3", ""):
            for command in (["scenario", "show", "mixed", "--seed"], ["simulate", "--seed"],
                            ["why", "A", "--round"], ["why-not", "A", "queue", "--round"],
                            ["tune", "--trials"], ["tune", "--seed"], ["compare", "--pairs"],
                            ["compare", "--threads"], ["train", "risk", "--depth"],
                            ["train", "demand", "--seed"], ["demo", "--trials"],
                            ["exercise", "--phases"], ["live", "--exercise-seed"]):
                said = self.wrong(*command, text)
                self.assertIn("must be a whole number ", said, command)
                self.assertTrue(said.endswith(f'not "{text}"'), said)

    def test_nothing_is_left_behind(self):
        self.wrong("simulate", "--scenario", "toor")
        self.wrong("simulate", "--config", "none.yaml")
        self.assertEqual(os.listdir(self.folder), [])


class Configuration(Cli):
    def test_print_reads_back_as_the_same(self):
        first = self.run_it("config", "print", "--seed", "3", "--set", "policy.guard.headroom=0.25")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertRegex(first.stdout, r"seed: 3 +# --seed")
        self.assertRegex(first.stdout, r"headroom: 0.25 +# --set policy.guard.headroom")
        self.assertRegex(first.stdout, r"interval: 3s +# default")
        self.write("mine.yaml", first.stdout)
        second = self.run_it("config", "print", "--config", "mine.yaml")
        self.assertRegex(second.stdout, r"seed: 3 +# mine.yaml:\d+")
        bare = lambda text: [line.split(" #")[0].rstrip() for line in text.splitlines()]
        self.assertEqual(bare(first.stdout), bare(second.stdout))

    def test_numbers_have_no_exponent(self):
        shown = self.run_it("config", "print").stdout
        self.assertRegex(shown, r" base: 0\.0005 +#")
        self.assertNotRegex(shown, r": [\d.]+e[-+]\d")

    def test_json_reads_back_and_the_schema_is_json(self):
        done = self.run_it("config", "print", "-o", "json", "--seed", "3")
        shown = json.loads(done.stdout)
        self.assertEqual(shown["from"], {"run.seed": "--seed"})
        self.write("mine.json", json.dumps(shown["settings"]))
        again = self.run_it("config", "print", "--config", "mine.json", "-o", "json")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(again.stdout)["settings"], shown["settings"])
        schema = json.loads(self.run_it("config", "print", "--schema").stdout)
        self.assertIn("Settings", schema["$defs"])

    def test_a_wrong_key_is_shown_as_the_interface_says(self):
        self.write("prod.yaml", "run:\n  seed: 3\n  intervall: 3s\n")
        done = self.run_it("demo", "--config", "prod.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, 'error: prod.yaml:3:3: no setting is called "intervall"\n'
                                      "    3 |   intervall: 3s\n"
                                      "      |   ^^^^^^^^^ did you mean interval?\n"
                                      "Nothing was started. All settings: "
                                      "parley config print --schema\n")

    def test_files_that_are_none(self):
        bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"a{i}: &a{i} [{','.join([f'*a{i-1}'] * 10)}]\n" for i in range(1, 20))
        os.mkdir(os.path.join(self.folder, "dir"))
        cases = [("none.yaml", "there is no such file"), ("dir", "this is a folder"),
                 (self.write("empty", ""), "it is empty"),
                 (self.write("binary", b"\x7fELF\x00\x01"), "this is not UTF-8 text"),
                 (self.write("huge", "a: " + "x" * 2_000_000), "1048576 are allowed"),
                 (self.write("bomb", bomb), "more than 100,000 values"),
                 (self.write("deep", "[" * 70 + "]" * 70), "nested more than 64 deep"),
                 (self.write("tab", "run:\n\tseed: 1\n"), "a tab indents a line"),
                 (self.write("twice", "run: {seed: 1, seed: 2}\n"), '"seed" is set twice'),
                 (self.write("two", "run: {}\n---\nrun: {}\n"), "a second document begins")]
        for path, text in cases:
            self.assertIn(text, self.wrong("simulate", "--config", path))
            if not path.endswith(".yaml"):
                path = "./" + path
            self.assertIn(text, self.wrong("simulate", "--scenario", path))


class Scenarios(Cli):
    def test_list_show_and_schema(self):
        names = [line.split()[0] for line in self.run_it("scenario", "list").stdout.splitlines()]
        self.assertIn("tour", names)
        listed = json.loads(self.run_it("scenario", "list", "-o", "json").stdout)
        self.assertEqual([each["name"] for each in listed], names)
        for name in names:
            shown = self.run_it("scenario", "show", name)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.write("mine.yaml", shown.stdout)
            again = self.run_it("scenario", "show", "mine.yaml")
            self.assertEqual(again.stdout, shown.stdout, name)
        schema = json.loads(self.run_it("scenario", "schema").stdout)
        self.assertIn("Scenario", schema["$defs"])


    def test_a_scenario_with_a_csv_series_is_shown_as_a_file_that_is_read(self):
        self.write("load.csv", "0,10\n60,20.5\n")
        self.write("mine.yaml", "nodes: [{count: 3}]\nworkloads: [{service: {rate: {file: load.csv}}}]\n")
        for form in ("yaml", "json"):
            shown = self.run_it("scenario", "show", "./mine.yaml", "-o", form).stdout
            self.write("shown." + form, shown)
            again = self.run_it("scenario", "show", "./shown." + form, "-o", form)
            self.assertEqual((again.stderr, again.stdout), ("", shown))

    def test_the_example_of_the_documentation_runs(self):
        with open("docs/howto/write-a-scenario.md", encoding="utf-8") as page:
            example = page.read().split("```yaml\n")[1].split("```")[0]
        self.write("mine.yaml", example)
        done = self.run_it("simulate", "--scenario", "mine.yaml", "--rounds", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("wrong.yaml", example.replace("cpu_m: 4000m", "cpu: 4"))
        self.assertIn("did you mean cpu_m?", self.run_it("scenario", "show", "wrong.yaml").stderr)

    def test_a_huge_count_is_refused_at_once_where_a_script_names_a_node(self):
        self.write("h.yaml", "nodes: [{name: node, count: 2147483647}]\n"
                   "script: [{kind: fail, at: 5s, target: node-02}]\n")
        begun = time.monotonic()
        self.assertIn("must be from 1 to 20000", self.wrong("scenario", "show", "./h.yaml"))
        self.assertLess(time.monotonic() - begun, 10)


class Runs(Cli):
    def test_the_same_seed_gives_the_same_run(self):
        done = self.run_folder("-o", "json")
        summary = json.loads(done.stdout)
        self.assertEqual((summary["rounds"], summary["status"]), (40, "complete"))
        digest = json.loads(self.run_it("digest", "A", "-o", "json").stdout)
        self.run_it("simulate", "--scenario", "failing-node", "--rounds", "40", "--event-dir", "B")
        again = self.run_it("digest", "B")
        self.assertEqual(again.stdout, digest["digest"] + "  B\n")
        replay = self.run_it("replay", "A")
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn("every decision the same", replay.stdout)
        other = self.run_it("replay", "A", "--with", "prototype")
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertIn("would have been decided otherwise", other.stdout)
        self.assertIn("did you mean prototype?", self.wrong("replay", "A", "--with", "prototyp"))

    def test_why_and_why_not(self):
        self.run_folder()
        why = self.run_it("why", "A")
        self.assertEqual(why.returncode, 0, why.stderr)
        self.assertTrue(why.stdout.startswith("Round "), why.stdout)
        answer = json.loads(self.run_it("why", "A", "--round", "20", "-o", "json").stdout)
        self.assertEqual(answer["round"], 20)
        json.loads(self.run_it("why", "--schema").stdout)
        self.wrong("why", "A", "--round", "9999")
        self.wrong("why", "A", "--node", "node-99")
        not_done = self.run_it("why-not", "A", "migrate:node-03")
        self.assertEqual(not_done.returncode, 0, not_done.stderr)
        json.loads(self.run_it("why-not", "A", "migrate:node-03", "-o", "json").stdout)
        self.wrong("why-not", "A", "dance:node-03")

    def test_a_folder_that_is_no_run(self):
        os.mkdir(os.path.join(self.folder, "empty"))
        for command in ("why", "replay", "digest"):
            self.wrong(command, "none")
            self.wrong(command, "empty")

    def test_a_run_is_never_overwritten(self):
        self.run_folder()
        before = self.run_it("digest", "A").stdout
        self.wrong("simulate", "--scenario", "calm", "--event-dir", "A")
        self.assertEqual(self.run_it("digest", "A").stdout, before)

    def test_a_run_goes_on_only_as_it_began(self):
        self.run_folder()
        self.wrong("simulate", "--scenario", "calm", "--event-dir", "A", "--resume")
        self.wrong("simulate", "--resume")
        done = self.run_it("simulate", "--scenario", "failing-node", "--event-dir", "A", "--resume",
                           "--rounds", "50", "-o", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["rounds"], 50)
        self.assertEqual(self.run_it("replay", "A").returncode, 0)

    def test_nothing_is_recorded_if_so_wished(self):
        done = self.run_it("simulate", "--scenario", "calm", "--rounds", "5", "--record", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Nothing was recorded.", done.stdout)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_closed_pipe_is_no_crash(self):
        with subprocess.Popen([PROGRAM, "scenario", "show", "tour"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.close()
            process.wait(timeout=60)
            self.assertGreaterEqual(process.returncode, 0)  # Not by a signal.


class WhatIsSaidAtTheEnd(Cli):
    """What a run says of itself is true, and what it names can be done."""

    def ended(self, how, pace, until):
        """What a demo said that was ended by a signal once a file of its run folder A was there."""
        with subprocess.Popen([PROGRAM, "demo", "--lines", "--listen", "off", "--event-dir", "A",
                               "--pace", pace], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            end = time.monotonic() + 120
            while not os.path.exists(os.path.join(self.folder, "A", until)) and time.monotonic() < end:
                time.sleep(0.02)
            process.send_signal(how)
            return process.communicate(timeout=60)[0]

    def test_no_command_is_named_that_must_fail(self):
        said = self.run_folder("--record", "decisions").stdout
        named = [line.split()[1:] for line in said.splitlines() if line.startswith("  parley ")]
        self.assertEqual([each[0] for each in named], ["why", "digest"])
        for each in named:
            self.assertEqual(self.run_it(*each).returncode, 0, each)

    def test_a_run_without_a_round_has_nothing_to_ask_to_replay_or_to_sum(self):
        said = self.ended(signal.SIGINT, "1h", "journal/header")
        self.assertIn("0 rounds, stopped.\nIt has no round yet, so there is nothing to ask it.\n", said)
        self.assertNotIn("  parley ", said)
        for command in (["replay", "A"], ["replay", "A", "-o", "json"], ["digest", "A"],
                        ["replay", "A", "--with", "prototype"], ["digest", "A", "-o", "json"]):
            self.assertIn("A has no round yet", self.wrong(*command))

    def test_a_run_that_has_its_rounds_says_that_none_was_made(self):
        self.run_folder()
        again = ("simulate", "--scenario", "failing-node", "--event-dir", "A", "--resume", "--rounds")
        self.assertEqual(self.run_it(*again, "3").stderr,
                         "note: no round was made: the run has 40 rounds already, and --rounds 3 counts "
                         "from its first. To go on: --rounds 43\n")
        self.assertNotIn("no round was made", self.run_it(*again, "43").stderr)

    def test_a_cost_is_known_or_says_since_when_nothing_was_read(self):
        def cost(rounds):
            said = self.run_it("simulate", "--rounds", str(rounds), "--record", "none").stdout
            return next(line for line in said.splitlines() if line.startswith("cost "))
        # Prometheus is silent in rounds 7 to 39 of the tour; the account is read from it.
        self.assertRegex(cost(5), r"^cost +[\d.]+ pod-minutes, score -[\d.]+$")
        self.assertRegex(cost(10), r"not known: only 60% of its readings were there, 80% are needed; the "
                                   r"last came in round 6, and what is late counts when it comes$")
        self.assertRegex(cost(40), r"^cost +[\d.]+ pod-minutes, score -[\d.]+$")

    def test_a_finished_run_has_nothing_to_stop(self):
        self.run_folder()
        done = self.run_it("stop", "A")
        self.assertEqual((done.returncode, done.stdout), (0, "Nothing of A was to be stopped: it is over, "
                                                             "complete with 40 rounds.\n"))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "A", "stopped.json")))
        self.assertEqual(self.run_it("stop", "A", "--clear", "--because", "well").stdout, "A was not stopped.\n")

    def test_a_run_that_was_killed_is_stopped_for_whoever_goes_on_with_it(self):
        self.ended(signal.SIGKILL, "50ms", "state.json")
        self.assertEqual(self.run_it("stop", "A").stdout,
                         "No process runs A; whoever goes on with it sends nothing. Lift it: parley stop A "
                         "--clear\n")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "A", "stopped.json")))
        for words in (["--clear"], ["--clear", "--because", " "], ["--because", "well"]):
            done = self.run_it("stop", "A", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertRegex(done.stderr, r"--because.*\nNothing was changed\.\n$")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "A", "stopped.json")), "nobody said why")
        self.assertEqual(self.run_it("stop", "A", "--clear", "--because", "the node is back").stdout,
                         "No process runs A; whoever goes on with it may act again.\n")
        with open(os.path.join(self.folder, "A", "people.jsonl"), encoding="utf-8") as file:
            note = json.loads(file.readlines()[-1])
        self.assertEqual((note["what"], note["because"]), ("clear", "the node is back"))
        self.assertIn("at a terminal", note["who"])

    def test_a_run_too_short_for_rows_says_how_long_it_must_be(self):
        self.run_folder()
        done = self.run_it("dataset", "demand", "--from", "A")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "error: the runs are too short for a row: the longest has 1m57s, and "
                                      "25m are needed, 1h24m for rows 60 min ahead\nNo rows were written.\n")

    def test_a_comparison_says_how_long_its_runs_are_and_that_its_pairs_are_too_few(self):
        said = self.run_it("compare", "--scenario", "failing-node", "--arms", "evidence,never", "--pairs", "4",
                           "--length", "10m").stdout
        self.assertTrue(said.startswith("Runs of 10m, a round every 15s, seeds from "), said)
        self.assertIn("\nA to D are parts of the cost: A lost requests", said)
        self.assertRegex(said, r"0\.1\d+ +too few pairs ")
        self.assertTrue(said.endswith("Too few pairs to tell: with 4, p is over 0.05 whatever they show; from 6 "
                                      "on it may be less.\n"), said)


class DemoInLines(Cli):
    def test_one_line_per_change_without_a_terminal(self):
        done = self.run_it("demo", "--rounds", "30", "--pace", "0s")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^T\+00:03 +round 1 +decision ")
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn("The run is in runs/tour-7: tour, seed 7, 30 rounds, complete.", lines)
        self.assertEqual(sum("  parley " in line for line in lines), 3)

    def test_an_interrupt_ends_it_in_order(self):
        with subprocess.Popen([PROGRAM, "demo", "--pace", "100ms"], cwd=self.folder,
                              stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 0)
        self.assertIn("stopped.", rest)
        self.assertEqual(self.run_it("replay", "runs/tour-7").returncode, 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
