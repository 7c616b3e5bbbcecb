#!/usr/bin/env python3
"""Damages what lies beside the journal of a run, or takes it away while the run writes: what any of it
knows of acknowledged rounds counts, and what belongs to another run does not.

Usage: tests/cli/witness_test.py PROGRAM [unittest arguments]
"""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import unittest

import record_test


class Witness(record_test.Record):
    def refuses(self, *arguments, name="B", status=1):
        """One sentence, and nothing in the folder is changed."""
        before = self.contents(name)
        done = self.run_it(*record_test.RUN, "--event-dir", name, "--resume", *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertEqual(self.contents(name), before)
        return done.stderr

    def write(self, data, *names):
        with open(self.path(*names), "wb") as file:
            file.write(data)


def number_at(data, at):
    """A variable-length number, and where it ends."""
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def entries_of(log):
    """Where each entry of a cluster.log begins, and the end."""
    at, begins = 0, []
    while at < len(log):
        begins.append(at)
        length, at = number_at(log, at)
        at = number_at(log, at + length)[1]
    return begins + [at]


class ClusterMemory(Witness):
    """What the record says was carried out, the simulated cluster must remember."""

    def test_a_log_that_lost_its_end_is_refused(self):
        for rounds in range(3, 16):
            shutil.rmtree(self.path("T"), ignore_errors=True)
            done = self.run_it(*record_test.RUN, "--rounds", str(rounds), "--event-dir", "T")
            self.assertEqual(done.returncode, 0, done.stderr)
            log = self.contents("T")["T/cluster.log"]
            for left in (len(log) - 1, entries_of(log)[-2]):
                with self.subTest(rounds=rounds, left=left, whole=len(log)):
                    self.write(log[:left], "T", "cluster.log")
                    self.assertIn("cluster.log", self.refuses("--rounds", "18", name="T"))
            self.write(log, "T", "cluster.log")
            done = self.run_it(*record_test.RUN, "--rounds", "18", "--event-dir", "T", "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_log_without_any_of_its_entries_is_refused(self):
        log = self.contents(self.fresh())["B/cluster.log"]
        begins = entries_of(log)
        for first, end in zip(begins, begins[1:]):
            with self.subTest(first=first):
                self.write(log[:first] + log[end:], "B", "cluster.log")
                self.refuses()
        os.remove(self.path("B", "cluster.log"))
        self.refuses()

    def test_of_decisions_alone_it_is_the_same(self):
        run = [*record_test.RUN, "--record", "decisions", "--event-dir", "T"]
        self.assertEqual(self.run_it(*run, "--rounds", "11").returncode, 0)
        log = self.contents("T")["T/cluster.log"]
        begins = entries_of(log)
        self.write(log[:begins[-3]], "T", "cluster.log")  # Without the last request.
        self.assertIn("cluster.log", self.refuses("--record", "decisions", name="T"))
        self.write(log, "T", "cluster.log")
        done = self.run_it(*run, "--rounds", "12", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)


class Edited(Witness):
    def test_an_edited_database_answers_nothing_and_is_made_anew(self):
        whole = self.contents(self.fresh())["B/run.db"]
        asked = ["why-not", "B", "migrate:node-03"]
        answer = self.run_it(*asked)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        with sqlite3.connect(self.path("B", "run.db")) as base:
            base.execute("DELETE FROM nodes WHERE node = 'node-03'")
        base.close()
        done = self.run_it(*asked)
        self.assertEqual((done.returncode, done.stdout), (0, answer.stdout), done.stderr)
        self.assertIn("made anew", done.stderr)
        self.assertEqual(self.contents("B")["B/run.db"], whole)


class Beside(Witness):
    """SQLite keeps files of its own beside run.db: a pipe there would be waited for."""

    def test_what_is_no_file_is_refused_at_once_and_left_alone(self):
        self.write(b"mine", "kept")
        for ending in ("-journal", "-wal", "-shm", ".new-journal"):
            for kind in ("pipe", "link"):
                with self.subTest(ending, kind=kind):
                    place = self.path(self.fresh(), "run.db" + ending)
                    if kind == "pipe":
                        os.mkfifo(place)
                    else:
                        os.symlink(self.path("kept"), place)
                    if ending.startswith(".new"):
                        os.remove(self.path("B", "run.db"))  # So that it is made.
                    for command in (["why", "B"], ["replay", "B"], ["digest", "B"],
                                    ["why-not", "B", "migrate:node-03"]):
                        done = self.run_it(*command)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertIn("stay as they are", done.stderr)
                        self.assertIn("run.db" + ending, done.stderr)
                    self.assertIn(self.resume().returncode, (1, 2))
                    self.assertFalse(stat.S_ISREG(os.lstat(place).st_mode), "replaced")
        with open(self.path("kept"), "rb") as file:
            self.assertEqual(file.read(), b"mine")


class UnderTheRun(Witness):
    """What cannot be recorded may not be done: a run stops when its files are cut under it."""

    going = record_test.Ours.going

    def act_on(self, name, how):
        path = self.path("G", name)
        if how == "deleted":
            os.remove(path)
        elif how == "replaced":
            shutil.copy(path, path + ".other")
            os.rename(path + ".other", path)
        elif how == "emptied":
            os.truncate(path, 0)
        else:
            os.truncate(path, os.path.getsize(path) // 2)

    def test_a_file_that_is_cut_or_taken_away_stops_the_run(self):
        for name in ("journal/000001.log", "cluster.log"):
            for how in ("emptied", "cut", "deleted", "replaced"):
                with self.subTest(name, how=how):
                    shutil.rmtree(self.path("G"), ignore_errors=True)
                    process = self.going()
                    self.act_on(name, how)
                    try:
                        out, err = process.communicate(timeout=60)
                    except subprocess.TimeoutExpired:
                        process.send_signal(signal.SIGTERM)
                        out, err = process.communicate(timeout=60)
                    self.assertEqual(process.returncode, 1, out + err)
                    self.assertIn("cannot record, so nothing is sent", err)
                    self.assertIn(name, err)
                    self.assertIn("not where it was put", err)
                    self.assertNotIn("The run is in", out)

    def test_a_run_whose_record_was_overwritten_does_not_end_well(self):
        process = self.going()
        with open(self.path("G", "journal", "000001.log"), "r+b") as file:
            file.seek(5000)
            file.write(b"\xff" * 200)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, out + err)
        self.assertIn("the journal lost what was recorded", err)
        self.assertNotIn("The run is in", out)


class OfAnotherRun(Witness):
    """Files of another run are no evidence about this one."""

    def test_a_foreign_database_is_made_anew_and_not_believed(self):
        done = self.run_it(*record_test.RUN, "--rounds", "70", "--event-dir", "F")
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = self.contents(self.fresh())
        for names in (["run.db"], ["run.db", "events.jsonl", "state.json"]):
            for command in (["replay", "B"], ["repair", "B"], ["why", "B"]):
                with self.subTest(names=names, command=command):
                    self.fresh()
                    for name in names:
                        shutil.copy(self.path("F", name), self.path("B", name))
                    done = self.run_it(*command)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("made anew: B/run.db is of another run", done.stderr)
                    found = self.contents("B")
                    self.assertEqual([each for each in whole if found[each] != whole[each]], [])
                    self.assertFalse(os.path.exists(self.path("B", "journal", "damaged-1")))
            self.fresh()
            for name in names:
                shutil.copy(self.path("F", name), self.path("B", name))
            done = self.resume(rounds=45)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("note: B/run.db is of another run", done.stderr)
            self.assertEqual(self.rounds_in(), list(range(1, 46)))


if __name__ == "__main__":
    record_test.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
