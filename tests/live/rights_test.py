#!/usr/bin/env python3
"""What `parley live` reports when it may no longer read, while open watches continue.

Usage: tests/live/rights_test.py PROGRAM [unittest arguments]
"""

import os
import stat
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kit
from kit import LiveTest, source

SOON = 20  # Seconds; usually three, and minutes if nobody asked whether it may still read.
TOKEN = "07401b.f395accd246ae52d"  # As kubeadm makes them: no capital letter in it.


class Rights(LiveTest):
    def failed(self, limit, reason):
        begun = time.monotonic()
        seen = self.until(lambda r: source(r, "api")["condition"] == "failed", limit, "a failed API")
        self.assertIn(reason, source(seen, "api")["reason"])
        return time.monotonic() - begun

    def test_a_refused_token_reads_failed_at_once_and_well_again_after(self):
        self.start(user={"token": "abc"})
        self.until_well()
        self.api.refuse = lambda path: 401
        self.assertLess(self.failed(60, "401"), SOON)
        # The leases still come by the watch that nobody cut, and make nothing well.
        known = len(self.rounds())
        self.until(lambda r: r["round"] >= known + 5, 30, "five rounds more")
        for each in self.rounds()[known:]:
            self.assertEqual(source(each, "api")["condition"], "failed")
        self.api.refuse = None
        self.until(lambda r: source(r, "api")["condition"] == "ok", 90, "an API that is read again")
        self.assertRegex(self.end(), r"source +api failed: .*401")

    def test_a_revoked_role_reads_failed_at_once_for_what_decisions_rest_on(self):
        self.start()
        self.until_well()
        self.api.refuse = lambda path: 403 if path == "/api/v1/nodes" else None
        self.assertLess(self.failed(60, "nodes is forbidden"), SOON)

    def test_a_revoked_role_reads_failed_for_everything_it_reads(self):
        self.start()
        self.until_well()
        self.api.refuse = lambda path: 403 if "poddisruptionbudgets" in path else None
        self.failed(90, "poddisruptionbudgets is forbidden")

    def test_asking_costs_little(self):
        self.start()
        self.until_well()
        time.sleep(5)
        begun = time.monotonic()
        time.sleep(20)
        rates = self.api.per_second(begun)
        self.assertLess(sum(rates.values()), 3, rates)


class Hands(LiveTest):
    """What acts on a real cluster was asked to by name, on the command line."""

    def refused(self, *options):
        self.start("--config", os.path.join(self.folder, "mine.yaml"), *options)
        self.assertEqual(self.process.wait(60), 2, self.said())
        self.assertEqual(self.api.requests, [], "it was refused before anybody was asked")
        return self.said()

    def print_settings(self, *options):
        with open(os.path.join(self.folder, "mine.yaml"), "w", encoding="utf-8") as file:
            file.write(self.ask("config", "print", *options).stdout)

    def test_the_printed_settings_of_a_simulation_give_none(self):
        self.print_settings()
        self.assertIn("mine.yaml:7, which is not enough on a real cluster; say --mode act, too", self.refused())
        self.assertIn("policy.allow names every namespace", self.refused("--mode", "act"))

    def test_the_printed_settings_of_live_are_a_start(self):
        self.print_settings("--live")
        self.start("--config", os.path.join(self.folder, "mine.yaml"), "--rounds", "1")
        self.assertEqual(self.process.wait(60), 0, self.said())
        self.assertIn("mode observe", self.said())


class Plugin(LiveTest):
    """The output of a failing credential plugin is reported, but no secret, and nothing that moves
    a terminal."""
    TLS = True

    def test_its_last_words_are_scrubbed(self):
        path = os.path.join(self.folder, "plugin")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nprintf '\\033[31mlogin failed\\033[0m\\007 for token %s, "
                       f"password=hunter\\n' {TOKEN} >&2\nexit 7\n")
        os.chmod(path, stat.S_IRWXU)
        self.start("--rounds", "3", user={"exec": {
            "apiVersion": "client.authentication.k8s.io/v1", "command": path,
            "interactiveMode": "Never"}})
        self.process.wait(90)
        said = self.said()
        for name in ("events.jsonl", "state.json"):
            with open(os.path.join(self.run_folder, name), encoding="utf-8") as file:
                said += file.read()
        self.assertIn("login failed for token (hidden), password=(hidden)", said)
        self.assertNotIn("f395accd246ae52d", said)
        self.assertNotIn("hunter", said)
        self.assertNotIn("\x1b", said)
        self.assertNotIn("\x07", said)


if __name__ == "__main__":
    kit.main()
