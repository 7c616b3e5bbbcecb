#!/usr/bin/env python3
"""Damages, cuts, deletes and replaces what a run records, and then goes on with it: nothing that was
acknowledged is lost in silence or decided again, and nothing is replaced that is not ours.

Usage: tests/cli/record_test.py PROGRAM [unittest arguments]
"""

import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
HEADER = 100  # Bytes of a frame before its payload.
RUN = ["simulate", "--scenario", "failing-node", "--seed", "7"]


def frames_of(data):
    """Offset, length and kind of every frame."""
    at = 0
    while data[at:at + 3] == b"\xf5PJ":
        stored = struct.unpack_from("<I", data, at + 8)[0]
        yield at, HEADER + stored, data[at + 34]
        at += HEADER + stored


class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="parley-record-")
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        done = subprocess.run([PROGRAM, *RUN, "--rounds", "40", "--event-dir", "A"],
                              cwd=cls.shared, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-record-")
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
                              **options)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def fresh(self, name="B"):
        shutil.rmtree(self.path(name), ignore_errors=True)
        shutil.copytree(os.path.join(self.shared, "A"), self.path(name))
        return name

    def journal(self, name="B"):
        with open(self.path(name, "journal", "000001.log"), "rb") as file:
            return file.read()

    def put_journal(self, data, name="B"):
        with open(self.path(name, "journal", "000001.log"), "wb") as file:
            file.write(data)

    def resume(self, name="B", rounds=60):
        return self.run_it(*RUN, "--rounds", str(rounds), "--event-dir", name, "--resume")

    def refused(self, name="B"):
        """One sentence with a remedy, and nothing in the folder is changed."""
        before = self.contents(name)
        done = self.resume(name)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertIn(f"parley repair {name}", done.stderr)
        self.assertEqual(self.contents(name), before)
        return done.stderr

    def contents(self, name):
        found = {}
        for place, _, files in os.walk(self.path(name)):
            for each in files:
                with open(os.path.join(place, each), "rb") as file:
                    found[os.path.relpath(os.path.join(place, each), self.folder)] = file.read()
        return found

    def rounds_in(self, name="B"):
        with sqlite3.connect(self.path(name, "run.db")) as base:
            return [row[0] for row in base.execute("SELECT round FROM rounds ORDER BY rowid")]


class Damage(Record):
    def test_every_flipped_bit_stops_resume(self):
        data = self.journal(self.fresh())
        for k in range(90):
            at = (len(data) * k) // 90 + k % 7
            with self.subTest(at=at):
                self.fresh()
                self.put_journal(data[:at] + bytes([data[at] ^ (1 << k % 8)]) + data[at + 1:])
                self.refused()

    def test_a_cut_at_every_kind_of_place_stops_resume_and_is_said_by_readers(self):
        data = self.journal(self.fresh())
        borders = [at for at, _, _ in frames_of(data)]
        cuts = [0, *borders[1:8], *borders[8::9], borders[-1], borders[30] + 50, len(data) - 1]
        for cut in cuts:
            with self.subTest(cut=cut):
                self.fresh()
                self.put_journal(data[:cut])
                self.refused()
                witness = self.rounds_in()
                for command in ("replay", "digest", "why"):
                    done = self.run_it(command, "B")
                    if command == "why" and not done.stdout:
                        continue  # There is nothing left to report.
                    said = done.stdout + done.stderr
                    self.assertEqual(done.returncode, 1, said)
                    self.assertIn("acknowledged", said, command)
                self.assertEqual(self.rounds_in(), witness, "the only witness was overwritten")

    def test_rounds_that_were_cut_off_are_those_that_there_were(self):
        data = self.journal(self.fresh())
        inputs = [at for at, _, kind in frames_of(data) if kind == 3]
        for readable in (5, 17, 38):
            with self.subTest(readable=readable):
                self.fresh()
                self.put_journal(data[:inputs[readable]])
                for command in ("digest", "replay"):
                    done = self.run_it(command, "B")
                    said = " ".join((done.stdout + done.stderr).split())
                    self.assertIn(f"rounds {readable + 1} to 40 cannot be read", said)

    def test_an_answer_from_a_damaged_record_begins_with_the_damage(self):
        data = self.journal(self.fresh())
        border = [at for at, _, kind in frames_of(data) if kind == 3][20]
        middle = len(data) // 2
        for name, left in {"flipped": data[:middle] + bytes([data[middle] ^ 16]) + data[middle + 1:],
                           "cut": data[:border]}.items():
            for words in (["why", "B"], ["why", "B", "--round", "3"], ["why", "B", "--node", "node-02"],
                          ["why-not", "B", "queue"], ["replay", "B"], ["replay", "B", "--with", "prototype"]):
                with self.subTest(name, words=words):
                    self.fresh()
                    self.put_journal(left)
                    if name == "cut":
                        os.remove(self.path("B", "journal", "head"))
                    done = self.run_it(*words)
                    self.assertTrue(done.stdout.startswith("Damaged: "), done.stdout)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    gaps = json.loads(self.run_it(*words, "-o", "json").stdout)["gaps"]
                    self.assertTrue(gaps and all(gaps), gaps)

    def test_without_its_head_the_derived_files_and_the_cluster_are_witnesses(self):
        data = self.journal(self.fresh())
        borders = [at for at, _, kind in frames_of(data) if kind == 3]
        for gone in ([], ["run.db"], ["run.db", "events.jsonl", "state.json"]):
            with self.subTest(gone=gone):
                self.fresh()
                self.put_journal(data[:borders[8]])
                os.remove(self.path("B", "journal", "head"))
                for each in gone:
                    os.remove(self.path("B", each))
                self.refused()
                done = self.run_it("repair", "B")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.resume().returncode, 0)

    def test_repair_keeps_the_damage_aside_and_no_round_is_made_twice(self):
        data = self.journal(self.fresh())
        places = list(frames_of(data))
        inputs = [place for place in places if place[2] == 3]
        ends = {"header": places[0], "early": inputs[2], "middle": inputs[19],
                "late": inputs[-1], "end": places[-2], "closing": places[-1]}
        for name, (at, length, _) in ends.items():
            with self.subTest(name):
                self.fresh()
                middle = at + length // 2
                damaged = data[:middle] + bytes([data[middle] ^ 16]) + data[middle + 1:]
                self.put_journal(damaged)
                self.refused()
                done = self.run_it("repair", "B", "-o", "json")
                self.assertEqual(done.returncode, 0, done.stderr)
                made = json.loads(done.stdout)
                self.assertEqual((made["epoch"], made["next_round"]), (2, 41), made)
                with open(self.path("B", made["aside"], "000001.log"), "rb") as file:
                    self.assertEqual(file.read(), damaged)
                self.assertTrue(os.path.exists(self.path("B", made["aside"], "run.db")))
                self.assertEqual(self.run_it("repair", "B", "-o", "json").returncode, 0)
                self.assertFalse(os.path.exists(self.path("B", "journal", "damaged-2")))
                done = self.resume()
                self.assertEqual(done.returncode, 0, done.stderr)
                rounds = self.rounds_in()
                self.assertEqual(rounds[-20:], list(range(41, 61)))
                self.assertEqual(rounds[:-20], list(range(1, made["rounds_readable"] + 1)))
                self.say_it(made)

    def say_it(self, made):
        """Readers keep reporting which rounds are gone, and decide the others as before."""
        gone = made["rounds_readable"] + 1
        words = f"rounds {gone} to 40 are gone" if gone < 40 else (
            "round 40 is gone" if gone == 40 else "no round is gone")
        for command in ("replay", "digest", "why"):
            said = self.run_it(command, "B")
            self.assertIn(words, " ".join((said.stdout + said.stderr).split()), command)
        replayed = self.run_it("replay", "B")
        self.assertIn("every decision the same", replayed.stdout)
        self.assertIn("journal/damaged-1", replayed.stdout)

    def test_what_is_whole_is_not_repaired(self):
        self.fresh()
        before = self.contents("B")
        done = self.run_it("repair", "B")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Nothing is damaged", done.stdout)
        self.assertEqual(self.contents("B"), before)
        self.assertEqual(self.run_it("repair", "nowhere").returncode, 2)

    def test_a_killed_run_whose_last_frames_changed_is_noticed(self):
        args = [PROGRAM, *RUN, "--rounds", "100000", "--event-dir", "K"]
        process = subprocess.Popen(args, cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        whole = self.journal("K")
        with open(self.path("K", "journal", "head"), encoding="ascii") as file:
            acknowledged = int(file.read().split()[0])
        last = list(frames_of(whole))[acknowledged - 1]
        at = last[0] + last[1] // 2
        self.put_journal(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:], "K")
        self.refused("K")
        self.put_journal(whole, "K")
        done = self.run_it(*RUN, "--rounds", "5", "--event-dir", "K", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)


class Ours(Record):
    """What cannot be recorded may not be done."""

    def going(self, name="G", rounds="1000000"):
        process = subprocess.Popen([PROGRAM, *RUN, "--rounds", rounds, "--event-dir", name],
                                   cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        for _ in range(400):
            if os.path.exists(self.path(name, "cluster.log")):
                break
            time.sleep(0.05)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        return process

    def test_a_folder_that_is_taken_away_stops_the_run(self):
        def delete():  # A running round may put a file there meanwhile.
            for _ in range(100):
                if os.path.exists(self.path("G")):
                    shutil.rmtree(self.path("G"), ignore_errors=True)

        def replace():
            os.rename(self.path("G"), self.path("elsewhere"))
            shutil.copytree(os.path.join(self.shared, "A"), self.path("G"))

        def empty():
            os.rename(self.path("G"), self.path("emptied"))
            os.makedirs(self.path("G", "journal"))

        def take_segment():
            os.remove(self.path("G", "journal", "000001.log"))

        for act in (delete, replace, empty, take_segment):
            with self.subTest(act.__name__):
                shutil.rmtree(self.path("G"), ignore_errors=True)
                process = self.going()
                act()
                before = self.contents("G")
                out, err = process.communicate(timeout=30)
                self.assertEqual(process.returncode, 1, err)
                # The simulated cluster keeps its own log in the folder, and may be the first to miss it.
                self.assertRegex(err, "cannot record, so nothing is sent|G/cluster.log")
                self.assertIn("not where it was put", err)
                self.assertNotIn("The run is in", out)
                if act is not take_segment:
                    self.assertEqual(self.contents("G"), before, "written into what is not ours")

    def test_a_lock_that_is_removed_lets_nobody_in(self):
        process = self.going()
        os.remove(self.path("G", "journal", "lock"))
        for command in ([*RUN, "--event-dir", "G", "--resume"], [*RUN, "--event-dir", "G"],
                        ["repair", "G"]):
            done = self.run_it(*command)
            self.assertNotEqual(done.returncode, 0, command)
        self.assertIn("another process holds it", done.stderr)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.run_it("replay", "G").returncode, 0)

    def test_a_limit_on_files_is_a_full_disk_and_no_death(self):
        def limit():
            most = (17 << 20) + (1 << 19)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        done = self.run_it(*RUN, "--rounds", "20000", "--event-dir", "L", preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ulimit -f", done.stderr)
        self.assertIn("cannot record, so nothing is sent", done.stderr)
        self.assertEqual(self.run_it("replay", "L").returncode, 0)


class Start(Record):
    """A process that died before the header was durable leaves a folder that can be used again."""

    def test_a_start_that_died_is_begun_again_by_either_way(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        whole = self.journal(self.fresh("B"))
        first = next(iter(frames_of(whole)))
        left = {"full": None, "nothing": b"", "zeros": bytes(4096),
                "torn": whole[:first[1] // 2] + bytes(500)}
        for name, data in left.items():
            for way in ([], ["--resume"]):
                with self.subTest(name, way=way):
                    shutil.rmtree(self.path("D"), ignore_errors=True)
                    if data is None:
                        done = self.run_it(*RUN, "--rounds", "3", "--event-dir", "D",
                                           preexec_fn=limit)
                        self.assertEqual(done.returncode, 1, done.stderr)
                    else:
                        os.makedirs(self.path("D", "journal"))
                        open(self.path("D", "journal", "lock"), "w").close()
                        self.put_journal(data, "D")
                    done = self.run_it(*RUN, "--rounds", "3", "--event-dir", "D", *way)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(self.run_it("replay", "D").returncode, 0)

    def test_a_folder_with_anything_else_is_still_refused(self):
        os.makedirs(self.path("D", "journal"))
        open(self.path("D", "mine.txt"), "w").close()
        self.assertEqual(self.run_it(*RUN, "--rounds", "3", "--event-dir", "D").returncode, 2)
        self.fresh()
        self.assertEqual(self.run_it(*RUN, "--rounds", "3", "--event-dir", "B").returncode, 2)

    def test_a_newer_format_says_so(self):
        data = bytearray(self.journal(self.fresh()))
        struct.pack_into("<H", data, 32, 9)  # The version of what the header holds.
        length = next(iter(frames_of(bytes(data))))[1]
        struct.pack_into("<I", data, 4, crc32c(bytes(data[:4]) + bytes(data[8:length])))
        self.put_journal(bytes(data))
        for command in ([*RUN, "--event-dir", "B", "--resume"], ["replay", "B"], ["repair", "B"]):
            done = self.run_it(*command)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("newer parley", done.stderr)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class ClusterLog(Record):
    """The simulated cluster's log belongs to one run."""

    def foreign(self, *arguments):
        done = self.run_it("simulate", "--event-dir", "F", "--rounds", "40", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("F", "cluster.log"), "rb") as file:
            log = file.read()
        shutil.rmtree(self.path("F"))
        return log

    def test_that_of_another_run_is_refused_and_left_as_it_is(self):
        others = {"seed": ["--scenario", "failing-node", "--seed", "8"],
                  "scenario": ["--scenario", "rack-down", "--seed", "7"],
                  "configuration": ["--scenario", "failing-node", "--seed", "7",
                                    "--profile", "prototype"],
                  "begun by another run": ["--scenario", "failing-node", "--seed", "7"]}
        for why, arguments in others.items():
            with self.subTest(why):
                log = self.foreign(*arguments)
                self.fresh()
                with open(self.path("B", "cluster.log"), "wb") as file:
                    file.write(log)
                before = self.contents("B")
                done = self.resume()
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(why, done.stderr)
                self.assertEqual(self.contents("B"), before)

    def test_damage_is_refused_and_nothing_is_cut_on_the_way(self):
        with open(os.path.join(self.shared, "A", "cluster.log"), "rb") as file:
            log = file.read()
        for at in range(0, len(log), max(1, len(log) // 40)):
            with self.subTest(at=at):
                self.fresh()
                with open(self.path("B", "cluster.log"), "wb") as file:
                    file.write(log[:at] + bytes([log[at] ^ 0x40]) + log[at + 1:])
                before = self.contents("B")
                self.assertEqual(self.resume().returncode, 1)
                self.assertEqual(self.contents("B"), before)

    def test_links_and_pipes_in_the_folder_are_refused_at_once(self):
        for name in ("cluster.log", "journal/000001.log", "journal/lock", "run.db", "state.json", "events.jsonl",
                     "derived.lock", "run.db.new", "events.jsonl.new", "state.json.new", "run.db-wal"):
            for kind in ("link", "pipe"):
                with self.subTest(name, kind=kind):
                    self.fresh()
                    place = self.path("B", name)
                    if not os.path.exists(place):
                        with open(place, "wb"):
                            pass
                    os.rename(place, self.path("kept"))
                    if kind == "link":
                        os.symlink(self.path("kept"), place)
                    else:
                        os.mkfifo(place)
                    with open(self.path("kept"), "rb") as file:
                        before = file.read()
                    began = time.monotonic()
                    done = self.resume()
                    self.assertLess(time.monotonic() - began, 20)
                    self.assertEqual(done.returncode in (1, 2), True, done.stderr)
                    self.assertNotIn("rounds", done.stdout, "it made some first")
                    self.assertFalse(stat.S_ISREG(os.lstat(place).st_mode), "replaced")
                    with open(self.path("kept"), "rb") as file:
                        self.assertEqual(file.read(), before)


class Replaced(Record):
    """Files written by name replace only regular files."""

    def targets(self):
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("folder"))
        with open(self.path("real"), "w", encoding="ascii") as file:
            file.write("mine")
        os.symlink(self.path("real"), self.path("link"))
        os.symlink(self.path("missing"), self.path("dangling"))
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(self.path("socket"))
        names = ["pipe", "folder", "link", "dangling", "socket"]
        if os.geteuid() == 0:
            try:
                os.mknod(self.path("full"), 0o666 | stat.S_IFCHR, os.makedev(1, 7))
                names.append("full")
            except OSError:
                pass
        return names

    def test_every_command_leaves_them_alone(self):
        shutil.copytree(os.path.join(self.shared, "A"), self.path("A"))
        commands = {
            "tune --write": ["tune", "--trials", "1", "--write"],
            "compare --markdown": ["compare", "--markdown"],
            "dataset --out": ["dataset", "risk", "--out"],
            "--trace-out": ["live", "--kubeconfig", "none", "--trace-out"],
            "--event-dir": [*RUN, "--rounds", "1", "--event-dir"],
            "--storage": ["tune", "--trials", "1", "--storage"],
        }
        for target in self.targets():
            for name, command in commands.items():
                if name == "--event-dir" and target == "folder":
                    continue  # It accepts these.
                with self.subTest(name, target=target):
                    word = "journal:" + target if name == "--storage" else target
                    if name == "--storage" and target in ("link", "dangling"):
                        continue  # Appended to, through the link; nothing is replaced.
                    before = os.lstat(self.path(target))
                    done = self.run_it(*command, word)
                    self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
                    self.assertTrue(done.stderr.startswith("error: "), done.stderr)
                    after = os.lstat(self.path(target))
                    self.assertEqual((before.st_ino, before.st_mode, before.st_rdev),
                                     (after.st_ino, after.st_mode, after.st_rdev))
                    self.assertFalse(os.path.lexists(self.path(target + ".tmp")))
        with open(self.path("real"), encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")

    def test_derived_files_are_made_only_in_the_place_of_files(self):
        for name in ("run.db", "events.jsonl", "state.json"):
            with self.subTest(name):
                self.fresh()
                os.rename(self.path("B", name), self.path("kept"))
                os.symlink(self.path("kept"), self.path("B", name))
                done = self.run_it("replay", "B")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("stay as they are", done.stderr)
                self.assertTrue(os.path.islink(self.path("B", name)))


class Derived(Record):
    def test_an_edited_database_is_made_anew(self):
        self.fresh()
        whole = self.contents("B")["B/run.db"]
        edits = ["UPDATE rounds SET round = 999 WHERE round = 40",
                 "UPDATE meta SET value = '12' WHERE key = 'rounds'",
                 "DELETE FROM events"]
        for edit in edits:
            with self.subTest(edit):
                with sqlite3.connect(self.path("B", "run.db")) as base:
                    base.execute(edit)
                base.close()
                done = self.run_it("replay", "B")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("made anew", done.stderr)
                self.assertEqual(self.contents("B")["B/run.db"], whole)
        at = len(whole) - 700
        with open(self.path("B", "run.db"), "wb") as file:
            file.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        self.assertIn("made anew", self.run_it("replay", "B").stderr)
        self.assertEqual(self.contents("B")["B/run.db"], whole)
        self.assertEqual(self.run_it("replay", "B").stderr, "")

    def test_what_an_interrupted_rebuilding_left_goes(self):
        for also in ("", "run.db"):
            with self.subTest(also):
                self.fresh()
                for name in ("run.db.new", "events.jsonl.new", "state.json.new"):
                    with open(self.path("B", name), "w", encoding="ascii") as file:
                        file.write("half")
                if also:
                    os.remove(self.path("B", also))
                self.assertEqual(self.run_it("replay", "B").returncode, 0)
                left = [name for name in os.listdir(self.path("B")) if name.endswith(".new")]
                self.assertEqual(left, [])


class Terminal(Record):
    def test_no_argument_is_echoed_as_a_terminal_would_obey_it(self):
        evil = "\x1b[31mred\x07\u009b2J"
        commands = [[evil], ["--" + evil], ["replay", evil], ["digest", evil], ["why", evil],
                    ["why-not", evil, evil], ["repair", evil], ["stop", evil], ["link", evil],
                    ["serve", evil], ["why", "A", "--node", evil], ["why", "A", "--round", evil],
                    ["why", "A", "--workload", evil], ["why-not", "A", "migrate:" + evil],
                    ["simulate", "--scenario", evil], ["simulate", "--seed", evil],
                    ["simulate", "--config", evil], ["simulate", "--set", evil],
                    ["simulate", "--set", evil + "=1"], ["simulate", "--profile", evil],
                    ["simulate", "--models", evil, "--predictor", "xgboost", "--rounds", "1"],
                    ["simulate", "-o", evil], ["simulate", "--rounds", "1", "--event-dir", evil],
                    ["digest", evil], ["replay", evil], ["replay", "A", "--with", evil],
                    ["scenario", "show", evil], ["config", "print", "--set", evil],
                    ["model", "show", evil], ["model", "use", evil], ["compare", evil],
                    ["compare", "--markdown", evil + "/no/x"], ["tune", "--write", evil + "/no/x"],
                    ["tune", "--storage", evil], ["dataset", "risk", "--out", evil + "/no/x"],
                    ["train", "risk", "--from", evil], ["demo", "--pace", evil],
                    ["live", "--kubeconfig", evil], ["live", "--context", evil]]
        shutil.copytree(os.path.join(self.shared, "A"), self.path("A"))
        for command in commands:
            with self.subTest(command):
                done = self.run_it(*command)
                for text in (done.stdout, done.stderr):
                    for bad in ("\x1b", "\x07", "\u009b"):
                        self.assertNotIn(bad, text)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
