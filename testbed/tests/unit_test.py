"""The parts of the test cluster that need no cluster."""

import ipaddress
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from unittest import mock

import support
from support import TimedTest

from parley_testbed import (build, cgroups, cli, control, images, leftovers, lock, network,
                            node_files, nodes, parts, paths, process, slots, state)
from parley_testbed.errors import TestbedError, tail_of


class Parts(unittest.TestCase):
    def test_the_key_changes_with_any_pinned_version_and_with_nothing_else(self):
        contents = {"go.mod": b"require a v1", "go.sum": b"a v1 h1:x"}
        key = parts.key_of(contents)
        self.assertEqual(key, parts.key_of(dict(reversed(contents.items()))))
        self.assertNotEqual(key, parts.key_of({**contents, "go.sum": b"a v1 h1:y"}))
        self.assertNotEqual(key, parts.key_of({**contents, "main.go": b""}))
        # Bytes that move from one file to the next are a change, too.
        self.assertNotEqual(parts.key_of({"a": b"xy", "b": b""}),
                            parts.key_of({"a": b"x", "b": b"y"}))

    def test_every_program_has_a_pinned_module(self):
        for program in parts.PROGRAMS:
            contents = parts.files_of(program.module)
            self.assertIn("go.mod", contents, program)
            if program.package != ".":
                self.assertIn("go.sum", contents, program)
                self.assertIn(program.package.encode(), contents["go.mod"], program)

    def test_versions_are_those_of_the_modules(self):
        for minor in parts.MINORS:
            self.assertTrue(parts.version_of(f"kubernetes-{minor}").startswith(f"v{minor}."))
            self.assertIn(f"gitMinor={minor[2:]} ", build.linker_flags(f"kubernetes-{minor}"))
        self.assertEqual(parts.version_of("kwok"), "")

    def test_words_select_programs(self):
        cases = {("kubectl",): ["kubernetes-1.35/kubectl"],
                 ("etcd",): ["etcd/etcd", "etcd/etcdctl", "etcd/etcdutl"],
                 ("kubernetes-1.34/kube-apiserver",): ["kubernetes-1.34/kube-apiserver"]}
        for words, expected in cases.items():
            self.assertEqual([parts.full_name(p) for p in parts.selected(words)], expected)
        self.assertEqual(parts.selected([]), parts.PROGRAMS)
        with self.assertRaisesRegex(TestbedError, 'no part is called "kubeadm"'):
            parts.selected(["kubeadm"])

    def test_another_minor_needs_only_its_api_server(self):
        names = [parts.full_name(p) for p in parts.needed_by("api", "1.36")]
        self.assertIn("kubernetes-1.36/kube-apiserver", names)
        self.assertNotIn("kubernetes-1.35/kube-apiserver", names)
        self.assertIn("kubernetes-1.35/kubectl", names)


class Slots(unittest.TestCase):
    def test_no_two_slots_share_an_address_or_a_port(self):
        networks = [ipaddress.IPv4Network(n) for slot in range(slots.SLOTS)
                    for n in slots.networks_of(slot).values()]
        for number, one in enumerate(networks):
            self.assertFalse(any(one.overlaps(other) for other in networks[number + 1:]), one)
        last = slots.FIRST_PORT + slots.SLOTS * slots.PORTS_PER_SLOT
        self.assertLess(last, 32768)

    def test_ports_that_a_stranger_uses_are_left_out(self):
        base = slots.FIRST_PORT + 2 * slots.PORTS_PER_SLOT
        chosen = slots.choose_ports(2, ["a", "b"], free=lambda port: port != base)
        self.assertEqual(chosen, {"a": base + 1, "b": base + 2})
        with self.assertRaisesRegex(TestbedError, "only 0 are free, and 1 are needed"):
            slots.choose_ports(2, ["a"], free=lambda port: False)

    def test_a_slot_whose_addresses_are_routed_is_left_out(self):
        text = ("Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT\n"
                "eth0 00000000 0100000A 0003 0 0 0 00000000 0 0 0\n"
                "eth0 0000610A 00000000 0001 0 0 0 0000FFFF 0 0 0\n")
        routes = slots.parse_routes(text)
        self.assertEqual([str(r) for r in routes], ["10.97.0.0/16"])
        self.assertEqual([s for s in range(4) if slots.is_routed(s, routes)], [1])

    def test_slots_are_claimed_once_and_those_of_removed_folders_again(self):
        with tempfile.TemporaryDirectory() as root:
            first, second = (os.path.join(root, n) for n in ("first", "second"))
            for folder in (first, second):
                os.mkdir(folder)
                state.write_json(os.path.join(folder, "cluster.json"), {})
            one, two = slots.claim(first), slots.claim(second)
            self.assertNotEqual(one, two)
            self.assertTrue(slots.is_owner(first, one))
            self.assertFalse(slots.is_owner(second, one))
            self.assertFalse(slots.is_owner(second, None))
            os.remove(os.path.join(first, "cluster.json"))
            self.assertEqual(slots.claim(second), one)
            slots.release(second)
            self.assertNotIn(second, slots.claimed().values())


class State(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.addCleanup(self.root.cleanup)
        self.cluster = state.Cluster(self.root.name, "one")

    def test_what_is_saved_is_loaded(self):
        self.cluster.create(profile="api")
        self.cluster.save(slot=3)
        again = state.Cluster(self.root.name, "one").load()
        self.assertEqual((again.data["slot"], again.phase), (3, state.STARTING))
        self.assertEqual([c.name for c in state.clusters_in(self.root.name)], ["one"])

    def test_a_folder_without_its_file_is_a_cluster_that_was_cut_short(self):
        os.mkdir(self.cluster.folder)
        self.assertEqual(self.cluster.load().phase, state.STARTING)

    def test_a_damaged_file_is_an_error_that_says_what_to_do(self):
        self.cluster.create()
        with open(self.cluster.path("cluster.json"), "w", encoding="ascii") as file:
            file.write('{"half')
        with self.assertRaisesRegex(TestbedError, "is damaged .* by hand"):
            self.cluster.load()

    def test_names_that_would_not_do_are_refused(self):
        for name in ("", "../x", "A", "a" * 31, "1a", "a b", "x.lock"):
            with self.assertRaises(TestbedError, msg=name):
                paths.check_name(name)
        self.assertEqual(paths.check_name("a-1"), "a-1")

    def test_only_one_holds_the_lock_and_its_death_frees_it(self):
        with self.cluster.lock():
            self.assertTrue(self.cluster.is_busy())
            with self.assertRaisesRegex(TestbedError, "cluster one is busy"):
                with self.cluster.lock(timeout_s=0.2):
                    pass
        self.assertFalse(self.cluster.is_busy())

    def test_a_lock_that_was_removed_meanwhile_is_not_mistaken_for_the_new_one(self):
        path = self.cluster.lock_path
        held = lock.try_lock(path)
        os.remove(path)
        other = lock.try_lock(path)
        self.assertIsNotNone(other)
        held.close()
        other.close()


class Processes(TimedTest):
    def setUp(self):
        root = tempfile.TemporaryDirectory()
        self.addCleanup(root.cleanup)
        self.cluster = state.Cluster(root.name, "one")
        self.cluster.create()

    def test_the_name_of_a_process_may_hold_anything(self):
        rest = " ".join(["S", *["0"] * 18, "4711", "0"])
        self.assertEqual(process.parse_stat(f"12 (a) b (c)) {rest}"), ("S", 4711))

    def test_a_process_is_recorded_before_it_is_the_program(self):
        read = "import json,sys; print(json.load(open(sys.argv[1]))['pid'])"
        path = process.record_path(self.cluster, "child")
        started = process.start(self.cluster, "child", [sys.executable, "-c", read, path])
        process.wait_until(lambda: not process.is_alive(started), 10, "the child")
        with open(self.cluster.log("child"), encoding="ascii") as file:
            self.assertEqual(file.read().strip(), str(started.pid))

    def test_stop_ends_it_at_once_and_with_grace(self):
        for grace_s in (0, 5):
            started = process.start(self.cluster, "child", ["sleep", "100"])
            self.assertTrue(process.is_alive(started))
            begin = time.monotonic()
            process.stop([started], grace_s)
            self.assertFalse(process.is_alive(started))
            self.assertLess(time.monotonic() - begin, 3)

    def test_another_process_of_the_same_number_is_left_alone(self):
        other = subprocess.Popen(["sleep", "100"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        start = process.stat_of(other.pid)[1]
        boot = state.boot_id()
        for stale in (process.Process("x", other.pid, start + 1, boot),
                      process.Process("x", other.pid, start, "another boot")):
            self.assertFalse(process.is_alive(stale))
            process.stop([stale])
            self.assertIsNone(process.send(stale, signal.SIGKILL))
        self.assertIsNone(other.poll())

    def test_a_program_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(TestbedError, "cannot start /no/such: No such file"):
            process.start(self.cluster, "child", ["/no/such"])

    def test_one_that_dies_while_it_is_waited_for_shows_the_end_of_its_log(self):
        started = process.start(self.cluster, "child", ["sh", "-c", "echo the reason; exit 1"])
        with self.assertRaisesRegex(TestbedError, "(?s)the child ended; .*the reason"):
            process.wait_until(lambda: False, 10, "the child", self.cluster.log("child"), started)

    def test_a_running_one_is_not_started_twice(self):
        started = process.start(self.cluster, "child", ["sleep", "100"])
        self.addCleanup(process.stop, [started])
        with self.assertRaisesRegex(TestbedError, "runs already"):
            process.start(self.cluster, "child", ["sleep", "100"])


class RealParts(unittest.TestCase):
    def test_nodes_together_promise_no_more_than_there_is(self):
        for count, cores, memory in ((3, 2, 24 << 30), (1, 1, 1 << 30), (8, 64, 256 << 30)):
            kept = node_files.reserved(count, cores, memory)
            each = cores * 1000 - int(kept["cpu"][:-1])
            self.assertLessEqual(each * count, cores * 1000)
            self.assertLessEqual(((memory >> 20) - int(kept["memory"][:-2])) * count, memory >> 20)
        with self.assertRaisesRegex(TestbedError, "8 nodes are too many"):
            node_files.reserved(8, 1, 1 << 30)

    def test_names_of_links_fit_the_kernel(self):
        for slot in (0, slots.SLOTS - 1):
            for node in nodes.plan(slot, nodes.NODES_MAX):
                self.assertLessEqual(len(node["link"]), 15)
            self.assertLessEqual(len(network.bridge_of(slot)), 15)
        with self.assertRaisesRegex(TestbedError, "1 to 8 nodes, not 9"):
            nodes.plan(0, 9)

    def test_controllers_are_read_from_mountinfo(self):
        text = ("30 25 0:26 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
                "31 25 0:27 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
                "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
        self.assertEqual(cgroups.parse_controllers(text),
                         [cgroups.Controller("/sys/fs/cgroup/cpu", "cpu,cpuacct"),
                          cgroups.Controller("/sys/fs/cgroup/systemd", "none,name=systemd")])

    def test_mounts_below_a_folder_come_deepest_first(self):
        text = ("1 0 0:1 / /a rw - x x x\n2 0 0:1 / /a/b\\040c/d rw - x x x\n"
                "3 0 0:1 / /a/b\\040c rw - x x x\n4 0 0:1 / /ab rw - x x x\n")
        self.assertEqual(network.mounts_below("/a", text), ["/a/b c/d", "/a/b c", "/a"])

    def test_an_image_is_the_same_bytes_each_time(self):
        entries = [{"name": "bin", "folder": True}, {"name": "bin/x", "content": b"program"}]
        with tempfile.TemporaryDirectory() as folder:
            both = [images.write_image(os.path.join(folder, n), "testbed.local/x:1", entries, {})
                    for n in ("a.tar", "b.tar")]
            self.assertEqual(*map(images.content_of, both))
            with tarfile.open(both[0]) as tar:
                manifest = json.load(tar.extractfile("manifest.json"))
                self.assertEqual(manifest[0]["RepoTags"], ["testbed.local/x:1"])
                for name in [manifest[0]["Config"], *manifest[0]["Layers"]]:
                    tar.getmember(name)


class Leftovers(unittest.TestCase):
    def test_links_of_live_clusters_and_of_others_are_no_leftovers(self):
        names = ["lo", "eth0", "parley-br03", "parley03a", "parley-br04", "parley04c", "parley-x"]
        self.assertEqual(leftovers.links(names, {4}), ["parley-br03", "parley03a"])

    def test_differences_name_what_is_new_and_what_is_gone(self):
        before = {"links": {"a", "b", "parley-br02"}, "slots of others": {"2"}}
        after = {"links": {"b", "c", "parley-br03", "parley-br04"}, "slots of others": {"4"}}
        self.assertEqual(leftovers.differences(before, after),
                         ["links: new: c", "links: new: parley-br03", "links: gone: a"])
        self.assertEqual(leftovers.differences(before, before), [])

    def test_a_machine_without_change_has_no_differences(self):
        lines = leftovers.differences(leftovers.machine("/x"), leftovers.machine("/x"))
        self.assertEqual([line for line in lines if "namespaces" not in line], [])


    def test_a_process_of_a_cluster_that_is_gone_is_found(self):
        child = subprocess.Popen(["sleep", "100"], env={**os.environ, process.MARK: "/gone/one"})
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        expected = f"{child.pid} sleep of /gone/one"
        # Until it has become the program, it shows our own environment.
        process.wait_until(lambda: expected in leftovers.marked_processes(set()), 10, "the child")
        self.assertNotIn(expected, leftovers.marked_processes({"/gone/one"}))


class Skipping(unittest.TestCase):
    def test_a_tier_that_cannot_run_is_skipped_and_in_ci_a_failure(self):
        for ci, error in (("", unittest.SkipTest), ("true", AssertionError)):
            with mock.patch.dict(os.environ, CI=ci), self.assertRaisesRegex(error, "no root"):
                support.skip_or_fail("no root")

    def test_programs_are_missed_only_if_they_can_neither_be_found_nor_built(self):
        with mock.patch.object(build, "go_command", return_value=None), mock.patch.dict(
                os.environ, CI="true", XDG_CACHE_HOME="/no/such/cache"):
            with self.assertRaisesRegex(AssertionError, "the api tier is skipped: Go is missing"):
                support.need_programs("api")


class Texts(unittest.TestCase):
    def test_programs_of_the_cluster_use_no_proxy(self):
        cleaned = process.without_proxies({"HTTPS_PROXY": "x", "no_proxy": "y", "PATH": "z"})
        self.assertEqual(cleaned, {"PATH": "z"})

    def test_the_end_of_a_log_says_when_there_is_none(self):
        self.assertEqual(tail_of("/no/such/log"), "    (the log is empty)")

    def test_the_controller_manager_makes_folders_in_its_clusters_own_only(self):
        # Under /usr/libexec one stayed behind, on machines that had never run a cluster.
        with tempfile.TemporaryDirectory() as root:
            cluster = state.Cluster(root, "one")
            cluster.data = {"profile": "scale", "ports": {"controller-manager": 1}}
            flags = control.controller_flags(cluster, cluster.path("x.kubeconfig"))
        self.assertIn("flex-volume-plugin-dir", flags)
        for name, value in flags.items():
            if str(value).startswith("/"):
                self.assertTrue(value.startswith(cluster.folder + "/"), name)

    def test_flags_of_the_caller_reach_the_api_server_and_win(self):
        with tempfile.TemporaryDirectory() as root, \
                mock.patch.object(parts, "find", return_value="kube-apiserver"):
            cluster = state.Cluster(root, "one")
            cluster.data = {"profile": "api", "minor": "1.35", "slot": 0, "address": "127.0.0.1",
                            "ports": {"apiserver": 1, "etcd": 2},
                            "apiserver_flags": {"feature-gates": "A=true",
                                                "audit-log-maxsize": "1"}}
            command = control.apiserver_command(cluster)
        self.assertIn("--feature-gates=A=true", command)
        self.assertEqual([c for c in command if c.startswith("--audit-log-maxsize")],
                         ["--audit-log-maxsize=1"])
        for wrong in ("A", "--a=b", "=b", "a="):
            options = cli.parser().parse_args(["up", f"--apiserver-flag={wrong}"])
            with self.assertRaisesRegex(TestbedError, "NAME=VALUE"):
                cli.run_up("nowhere", options)

    def test_the_audit_policy_keeps_writes_of_everybody(self):
        for rule in control.audit_policy()["rules"][:-1]:
            leases = [{"group": "coordination.k8s.io", "resources": ["leases"]}]
            self.assertTrue(rule.get("verbs") == ["get", "list", "watch"]
                            or rule.get("resources") == leases or "nonResourceURLs" in rule, rule)


if __name__ == "__main__":
    unittest.main()
