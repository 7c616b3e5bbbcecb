#!/usr/bin/env python3
"""The dashboard's server as browsers and programs meet it: every answer against the OpenAPI document,
streams that resume, rounds of long ago.

Usage: tests/web/server_test.py PROGRAM [unittest arguments]   (from the project's root)
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import Folder, Serving, venv_python, wait_for

PROGRAM = ""
ROUNDS = 240

# Run by the Python of tools/venv.sh web: [[schema name, answer], ...] on standard input.
VALIDATE = """
import json, sys
from jsonschema import Draft202012Validator
document = json.load(open(sys.argv[1]))
for name, answer in json.load(sys.stdin):
    schema = {"$ref": "#/components/schemas/" + name, "components": document["components"]}
    for error in Draft202012Validator(schema).iter_errors(answer):
        print(name, list(error.absolute_path), error.message[:300])
"""

# The schema of each address's answer.
ANSWERS = {
    "/api/session": "SessionView",
    "/api/runs": "RunList",
    "/api/runs/R": "RunDetail",
    "/api/runs/R/rounds/live": "RoundView",
    "/api/runs/R/rounds/1": "RoundView",
    "/api/runs/R/rounds/97": "RoundView",
    "/api/runs/R/rounds/97/difference": "DifferenceView",
    "/api/runs/R/rounds/97/difference?from=3": "DifferenceView",
    "/api/runs/R/rounds/97/map": "MapView",
    "/api/runs/R/rounds/97/nodes": "NodesView",
    "/api/runs/R/rounds/97/nodes/node-01": "NodeDetail",
    "/api/runs/R/rounds/97/workloads": "WorkloadsView",
    "/api/runs/R/rounds/97/workloads/shop/web": "WorkloadDetail",
    "/api/runs/R/strip": "StripView",
    "/api/runs/R/ribbon?pixels=100": "RibbonView",
    "/api/runs/R/scores?points=50": "ScoresView",
    "/api/runs/R/decisions": "DecisionsView",
    "/api/runs/R/events?limit=500": "EventsView",
    "/api/runs/R/learning": "LearningView",
    "/api/runs/R/ask?q=why": "AskView",
    "/api/runs/R/ask?q=why+node-01&round=97": "AskView",
    "/api/runs/R/ask?q=why-not+migrate%3Anode-03": "AskView",
    "/api/runs/R/ask?q=nonsense": "AskView",
    "/api/runs/R/names?prefix=node": "NamesView",
    "/api/runs/R/export?what=round&format=json&round=97": "RoundView",
    "/api/runs/none": "ErrorAnswer",
    "/api/runs/R/rounds/9999": "ErrorAnswer",
    "/api/runs/R/rounds/97/nodes/none": "ErrorAnswer",
    "/api/nothing": "ErrorAnswer",
}


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.folder.run(PROGRAM, "simulate", "--scenario", "tour", "--rounds", str(ROUNDS),
                       "--event-dir", "tour")
        cls.server = Serving(PROGRAM, cls.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        cls.client = cls.server.client()
        wait_for(lambda: cls.client.get("/readyz").status == 200)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.remove()

    def test_every_answer_is_what_the_document_says(self):
        python = venv_python("web")
        if python is None:
            self.skipTest("jsonschema cannot be had from PyPI")
        document = self.client.get("/api/openapi.json")
        self.assertEqual(document.status, 200)
        answers = []
        for target, name in ANSWERS.items():
            answer = self.client.get(target.replace("/R", "/tour", 1))
            expected = (404,) if name == "ErrorAnswer" else (200,)
            self.assertIn(answer.status, expected, target + ": " + answer.text[:300])
            answers.append([name, answer.json()])
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(document.text)
            file.flush()
            checked = subprocess.run([python, "-c", VALIDATE, file.name], input=json.dumps(answers),
                                     capture_output=True, text=True, check=True)
            self.assertEqual(checked.stdout, "")
            broken = [["RoundView", dict(answers[3][1], headline=7)]]  # The check itself can fail.
            checked = subprocess.run([python, "-c", VALIDATE, file.name], input=json.dumps(broken),
                                     capture_output=True, text=True, check=True)
            self.assertIn("headline", checked.stdout)

    def test_every_answer_has_a_schema_that_the_test_names(self):
        paths = self.client.get("/api/openapi.json").json()["paths"]
        named = {target.split("?")[0] for target in ANSWERS}
        for path in paths:
            if path.endswith(("/stream", "/stop", "openapi.json")):
                continue  # Tested separately.
            sample = (path.replace("{run}", "R").replace("{round}", "97")
                      .replace("workloads/{name}", "workloads/shop/web")
                      .replace("{name}", "node-01"))
            self.assertIn(sample, named)

    def test_the_page_asks_in_the_words_of_the_terminal(self):
        for question, words in (("why 97", ["why", "tour", "--round", "97"]),
                                ("why node-07", ["why", "tour", "--node", "node-07"]),
                                ("why-not migrate:node-03", ["why-not", "tour", "migrate:node-03"])):
            typed = self.folder.run(PROGRAM, *words).stdout
            answer = self.client.get("/api/runs/tour/ask?q=" + question.replace(" ", "+")).json()
            self.assertEqual("\n".join(answer["text"]) + "\n", typed, question)
            self.assertEqual(answer["error"], "")

    def test_a_past_round_knows_nothing_of_later_ones(self):
        first = self.client.get("/api/runs/tour/rounds/60").json()
        self.assertEqual(first["round"], 60)
        self.assertEqual(first["newest_round"], ROUNDS)
        self.assertTrue(all(event["round"] <= 60 for event in first["events"]))
        closed = first["scores"]["last_closed"]
        self.assertTrue(closed is None or closed["closed_round"] <= 60)

    def test_the_strip_and_the_ribbon_agree(self):
        strip = self.client.get("/api/runs/tour/strip").json()
        ribbon = self.client.get(f"/api/runs/tour/ribbon?pixels={ROUNDS}").json()
        self.assertEqual(len(strip["cells"]), ROUNDS)
        letters = "".join(cell["letter"] for cell in strip["cells"])
        self.assertEqual(ribbon["cells"].upper(), letters)
        for cell, letter in zip(strip["cells"], ribbon["cells"]):
            if letter != ".":  # If nobody was accepted, somebody may still have lost.
                self.assertEqual(letter.isupper(), cell["overruled"] > 0)

    def test_exports_are_files(self):
        for what in ("round", "events", "scores", "nodes"):
            answer = self.client.get(f"/api/runs/tour/export?what={what}&format=csv&round=97")
            self.assertEqual(answer.status, 200)
            self.assertIn("attachment", answer.headers["Content-Disposition"])
            self.assertIn("text/csv", answer.headers["Content-Type"])
            self.assertGreater(len(answer.text.splitlines()), 3)

    def test_a_finished_run_streams_its_end(self):
        stream = self.client.stream("tour")
        status = stream.next()
        self.assertEqual(status["event"], "status")
        self.assertEqual(json.loads(status["data"])["status"], "complete")
        stream.close()


class Live(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.server = None

    def tearDown(self):
        if self.server:
            self.server.stop()
        self.folder.remove()

    def start(self, *words):
        self.server = Serving(PROGRAM, self.folder, "demo", "--lines", "--event-dir", "tour",
                              "--pace", "50ms", "--listen", "127.0.0.1:0", *words)
        return self.server.client()

    def test_rounds_come_as_they_are_made_and_a_stream_resumes(self):
        client = self.start()
        stream = client.stream("tour")
        seen = stream.rounds(5)
        stream.close()
        numbers = [int(event["id"]) for event in seen]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 5)))
        for event in seen:
            self.assertLessEqual(len(event["data"].encode()), 4096)
            self.assertEqual(json.loads(event["data"])["round"], int(event["id"]))
        self.server.drain()
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["rounds"] > numbers[-1] + 10)
        again = client.stream("tour", last=numbers[-1])
        self.assertEqual(int(again.rounds(1)[0]["id"]), numbers[-1] + 1)
        again.close()
        # Live and recorded rounds are the same: what the page shows now, it shows later.
        live = client.get(f"/api/runs/tour/rounds/{numbers[0]}").json()
        self.server.stop()
        other = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        self.server = other
        later = other.client()
        wait_for(lambda: later.get("/readyz").status == 200)
        recorded = later.get(f"/api/runs/tour/rounds/{numbers[0]}").json()
        for key in ("headline", "reason", "proposals", "sent", "worth", "cluster", "max_risk"):
            self.assertEqual(live[key], recorded[key], key)

    def test_the_kill_switch_is_pressed_recorded_and_lifted_by_the_terminal_alone(self):
        client = self.start()
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["rounds"] > 2)
        self.assertTrue(client.get("/api/runs").json()["runs"][0]["can_stop"])
        refused = client.post("/api/runs/tour/stop", {})
        self.assertEqual(refused.status, 403, "without X-Parley")
        answer = client.post("/api/runs/tour/stop", {}, X_Parley="1")
        self.assertEqual(answer.status, 200, answer.text)
        self.assertIn("nothing is sent any more", answer.json()["sentence"])
        wait_for(lambda: client.get("/api/runs/tour/rounds/live").json()["stopped"])
        events = client.get("/api/runs/tour/events?kinds=stage").json()["events"]
        self.assertTrue(any("stopped" in event["message"] for event in events))
        with open(self.folder.path + "/tour/people.jsonl", encoding="utf-8") as file:
            note = json.loads(file.readline())
        self.assertEqual(note["what"], "stop")
        self.assertIn("session 1", note["who"])
        self.server.drain()
        self.folder.run(PROGRAM, "stop", "tour", "--clear", "--because", "the node is back")
        wait_for(lambda: not client.get("/api/runs/tour/rounds/live").json()["stopped"])
        events = client.get("/api/runs/tour/events?kinds=stage").json()["events"]
        self.assertTrue(any(re.search("the stop was lifted by user .* at .*: the node is back", event["message"])
                            for event in events), events)
        self.folder.run(PROGRAM, "stop", "tour")
        wait_for(lambda: client.get("/api/runs/tour/rounds/live").json()["stopped"])

    def test_a_run_of_another_process_is_stopped_as_well(self):
        maker = self.start()
        wait_for(lambda: maker.get("/api/runs").json()["runs"][0]["rounds"] > 2)
        shower = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        self.addCleanup(shower.stop)
        client = shower.client()
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["can_stop"])
        answer = client.post("/api/runs/tour/stop", {}, X_Parley="1")
        self.assertEqual(answer.status, 200, answer.text)
        self.assertFalse(client.get("/api/runs").json()["runs"][0]["can_stop"])
        wait_for(lambda: maker.get("/api/runs/tour/rounds/live").json()["stopped"])
        self.server.stop()
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["status"] != "running")
        self.assertEqual(client.post("/api/runs/tour/stop", {}, X_Parley="1").status, 409)

    def test_a_new_link_opens_another_session(self):
        client = self.start()
        printed = self.folder.run(PROGRAM, "link", "tour").stdout.strip()
        other = self.server.client(login=False)
        self.assertEqual(other.login(printed.split("token=")[1]).status, 204)
        self.assertNotEqual(other.cookie, client.cookie)
        self.assertEqual(other.get("/api/session").json()["user"], "session 2")
        self.server.stop()
        self.assertEqual(self.folder.run(PROGRAM, "link", "tour", check=False).returncode, 1)

    def test_a_killed_run_says_so(self):
        client = self.start()
        wait_for(lambda: client.get("/api/runs").json()["runs"][0]["rounds"] > 5)
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        self.server.stop()
        self.server = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        later = self.server.client()
        wait_for(lambda: later.get("/readyz").status == 200)
        card = later.get("/api/runs").json()["runs"][0]
        self.assertEqual(card["status"], "killed")
        self.assertGreater(card["rounds"], 5)
        self.assertEqual(later.post("/api/runs/tour/stop", {}, X_Parley="1").status, 409)

    def test_a_run_of_another_process_is_followed(self):
        self.start()
        other = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        try:
            client = other.client()
            stream = client.stream("tour")
            first, second = stream.rounds(2)
            self.assertLess(int(first["id"]), int(second["id"]))
            self.assertEqual(client.get("/api/runs").json()["runs"][0]["status"], "running")
            stream.close()
        finally:
            other.stop()

    def test_the_command_line_and_where_settings_came_from_are_kept(self):
        client = self.start("--seed", "11")
        detail = client.get("/api/runs/tour").json()
        self.assertIn("demo", detail["command"])
        settings = {each["name"]: each for each in detail["settings"]}
        self.assertEqual(settings["run.seed"], {"name": "run.seed", "value": "11", "origin": "--seed"})
        self.assertEqual(settings["policy.stakes.margin"]["origin"], "default")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
