"""One home in which an action is begun, killed, gone on with, perhaps undone or left to expire, for kills_test.py."""

import json
import os
import random
import signal
import subprocess
import tempfile
import time

from kills_audit import OURS, bare_changes, marks_of, nobodys
from kills_proxy import Aim, Held, KillProxy
from kills_world import MERGE, NEW, REPLICAS, TEMPLATE, Admin, Home, job_named, micro, stamp
from kit import kubeconfig

ORDERS = ("queue", "deprioritize", "reject", "resource_cap")
# How an action may end. `cordon`: somebody takes the node in the middle, so that what was begun is given back.
# `expiry`: its time is over. `eased`: its reason is gone. `release`: it stands, and the command gives it back.
ENDINGS = {"migrate": ("cordon", "expiry", "release"), "replicate": ("cordon", "expiry", "release"),
           "throttle": ("cordon", "expiry", "release"), "memory_balloon": ("expiry", "release"),
           "power_state": ("cordon", "expiry", "release"), "dvfs": ("eased", "expiry", "release"),
           "queue": ("eased", "release"), "deprioritize": ("eased", "release"), "reject": ("eased", "release"),
           "resource_cap": ("expiry", "release")}
KINDS = tuple(ENDINGS)
MARKS = [OURS + name for name in ("decision", "expires", "kind", "changes")]
LATER_S = 7 * 3600  # Longer than any action stands.
ROUND = 0.5


def settings_of(kind, space, provider, victim):
    """A policy that makes this kind pay, and no other be allowed."""
    throttle, migrate, replicate = {"throttle": (0.95, 0.01, 0.01), "replicate": (0.01, 0.05, 0.95)}.get(
        kind, (0.01, 0.95, 0.01))
    queue, lower, cap = {"deprioritize": (2, 3, 99), "resource_cap": (1, 2, 3)}.get(kind, (3, 99, 999))
    allowed = "admission" if kind in ORDERS and kind != "resource_cap" else kind
    settings = {"policy": {
        "risk": {"holdout": 0}, "evidence": {"pressure": 0.9},
        "stakes": {"throttle_efficacy": throttle, "migrate_efficacy": migrate, "replicate_efficacy": replicate,
                   "replicate_timeliness": 0.95, "replicate_cost": 0.01},
        "efficiency": {"sleep_below": 0.45 if kind == "power_state" else 0.0,
                       "dvfs_below": 0.45 if kind == "dvfs" else 0.0},
        "admission": {"queue_from": queue, "deprioritize_from": lower, "cap_from": cap,
                      "order_lasts": "6s" if kind == "reject" else "10m"},
        "cost": {"pending_minute": 1000.0 if kind == "reject" else 1.0},
        "allow": [{"space": space, "kinds": [allowed]}]}}
    if kind in ("power_state", "dvfs"):
        settings["providers"] = [{"nodes": [victim], "power" if kind == "power_state" else "clock": [provider]}]
    return settings


class Process:
    """One `parley live`, or `parley release`, behind a proxy of its own."""

    def __init__(self, words, proxy, folder, environment=None):
        self.folder = tempfile.mkdtemp(prefix="run-", dir=folder)
        self.run = os.path.join(self.folder, "run")
        self.said = os.path.join(self.folder, "said")
        self.proxy = proxy
        if words[1] == "live":
            words = [*words, "--event-dir", self.run]
        with open(self.said, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen(words, stdout=said, stderr=said, env={**os.environ, **(environment or {})})

    def wait(self, seconds):
        """Whether it ended by then."""
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def end(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(how)
            if how != signal.SIGKILL and not self.wait(60):
                self.process.kill()
        self.process.wait()
        self.proxy.leave()

    def rounds(self):
        """How many rounds it has made."""
        try:
            with open(os.path.join(self.run, "state.json"), encoding="utf-8") as file:
                return json.load(file)["rounds"]
        except (OSError, ValueError):
            return 0  # Not yet.

    def words(self):
        with open(self.said, encoding="utf-8", errors="replace") as said:
            return said.read()[-800:]


class Scene:
    """Scenes of one home, one after the other."""

    def __init__(self, test, number, seed):
        self.home = Home(number)
        self.test, self.draw = test, random.Random(seed)
        self.admin = Admin(test.cluster)
        self.folder = os.path.join(test.folder, self.home.name)
        os.mkdir(self.folder)
        self.proxies, self.configs = [], []
        self.runs, self.lives, self.problems, self.in_flight, self.kind, self.ending = [], [], [], [], None, None
        self.ahead = False  # Processes believe that it is hours later.

    def open(self, token):
        held = Held()
        for i in range(2):
            folder = os.path.join(self.folder, f"proxy-{i}")
            os.mkdir(folder)
            proxy = KillProxy(self.test.cluster, folder, self.home, held, self.draw.random())
            self.proxies.append(proxy)
            self.configs.append(kubeconfig(os.path.join(folder, "kubeconfig"), proxy.port,
                                           self.test.cluster.facts["ca"], token))

    def close(self):
        self.admin.close()
        for proxy in self.proxies:
            proxy.close()

    def under_way(self):
        return any(proxy.under_way() for proxy in self.proxies)

    # What the world does.

    def prepare(self, kind, ending, rough):
        """A home as it was, a reason to act, and the policies of its processes."""
        home = self.home
        self.kind, self.ending, self.ahead = kind, ending, False
        self.runs, self.lives, self.problems, self.in_flight = [], [], [], []
        on = [p["spec"].get("nodeName") for p in self.test.world.pods(home)]
        home.victim = max(home.nodes, key=on.count)
        home.switched.clear()
        for name in ("parley-ledger", "parley-admission"):
            self.admin.send("DELETE", f"/api/v1/namespaces/{home.name}/configmaps/{name}")
        self.free_lease()
        for proxy in self.proxies:
            proxy.rough = rough
            with open(proxy.command + ".yaml", "w", encoding="utf-8") as file:
                json.dump(settings_of(kind, home.space, proxy.command, home.victim), file)
        home.calm()
        if kind in ("migrate", "replicate", "throttle"):
            self.test.world.press(home.victim, True)
        elif kind == "memory_balloon":
            home.memory, home.pod_memory = "40Mi", "10Mi"
        elif kind in ORDERS:
            self.test.world.starve(home)
        else:
            home.cpu = "3000m"

    def ease(self):
        """Nothing is the matter any more."""
        if self.kind in ORDERS:
            self.test.world.feed(self.home)
        else:
            self.test.world.press(self.home.victim, False)
            self.home.calm()
            if self.kind == "dvfs":
                self.home.victim_cpu, self.home.memory = "3500m", "7Gi"

    def cordon(self, yes):
        self.admin.must("PATCH", f"/api/v1/nodes/{self.home.victim}", {"spec": {"unschedulable": yes or None}}, MERGE)

    def free_lease(self):
        """Takes the holder's name off, as a process that ends by itself does. Epochs go on."""
        self.admin.send("PATCH", f"/apis/coordination.k8s.io/v1/namespaces/{self.home.name}/leases/parley-leader",
                        {"spec": {"holderIdentity": None, "leaseDurationSeconds": None, "acquireTime": None}}, MERGE)

    def create_job(self):
        """A Job that an order may hold, lower or refuse."""
        if self.kind in ORDERS:
            self.admin.send("POST", f"/apis/batch/v1/namespaces/{self.home.space}/jobs",
                            job_named(f"late-{self.draw.randrange(1 << 40):x}"))

    # What Parley does.

    def process(self, which, *words):
        clock = {"LD_PRELOAD": self.test.shim, "SET_CLOCK": self.test.later} if self.ahead else {}
        proxy = self.proxies[which]
        return Process([self.test.program, *words, "--config", proxy.command + ".yaml", "--home", self.home.name,
                        "--kubeconfig", self.configs[which]], proxy, self.folder, clock)

    def live(self, which, aim):
        process = self.process(which, "live", "--mode", "act", "--listen", "off", "--lines", "--interval", f"{ROUND}s",
                               "--namespace", self.home.space)
        process.proxy.begin(aim, process.process)
        self.runs.append(process.run)
        return process

    def follow(self, process, aim=None):
        """Until it is struck, or has nothing more to do. Counted in its rounds, since a machine may be busy."""
        proxy, patience, begun, last, since = process.proxy, self.patience(), None, None, 0
        end = time.monotonic() + 240
        while aim is None or aim.hit is None:
            rounds = process.rounds()
            if proxy.led and begun is None:
                begun = rounds
            if begun is None or proxy.changed != last:
                last, since = proxy.changed, rounds
            if begun is not None and rounds - since >= patience:
                return
            if self.kind == "reject" and begun is not None and rounds - begun > 24:
                return  # Its orders are short, and never done.
            if process.process.poll() is not None and (aim is None or aim.hit is None):
                raise AssertionError(f"it ended by itself: {process.process.returncode}, {process.words()}")
            if time.monotonic() > end:
                raise AssertionError(f"it came to no rest: {process.words()}")
            time.sleep(0.03)

    def patience(self):
        """In how many rounds a process that has something to do changes something. What met bad weather is tried again
        after 5 s. Samples come every 5 s, and a node is put to sleep by four of them."""
        if self.kind == "power_state" and not self.open_text():
            return 48
        return 16 if self.kind in ("memory_balloon", "dvfs") or self.proxies[0].rough else 8

    def life(self, which):
        """One process and its end. Returns whether it was struck."""
        how = signal.SIGSTOP if self.draw.random() < 0.15 else signal.SIGKILL
        aim = Aim(self.test.tally, self.kind, self.draw, how)
        process = self.live(which, aim)
        try:
            self.follow(process, aim)
            if aim.hit is not None and how == signal.SIGSTOP:
                self.test.stops += 1
                self.beside(process, 1 - which)
        finally:
            process.end()
        self.free_lease()
        self.lives.append(f"{micro()[11:23]} {os.path.basename(process.folder)} {how.name} {aim.phase} {aim.hit}")
        self.in_flight.append(aim.id)
        self.problems += self.without_mark()
        return aim.hit is not None

    def undone(self):
        """What should have come of the scene by now and has not."""
        nodes, works, pods, jobs, quotas = self.objects()
        open_text = self.open_text()
        # A pod that was not evicted after all may carry a mark that names no change: nothing is to be given back there.
        pods = [pod for pod in pods if marks_of(pod).get(OURS + "changes")]
        all_of_them = (*nodes, *works, *pods, *quotas)
        marked = [(each["metadata"]["name"], marks_of(each)) for each in all_of_them if marks_of(each)]
        found = nobodys(marked, open_text)
        if self.ending == "release":
            # After conflicts, which bad weather makes, it may have stepped back.
            if not self.proxies[0].rough and not self.is_done():
                found.append(f"not done: open is '{open_text}'")
            return found
        if self.ending == "cordon" and open_text:
            return found  # It came too late, and what was done stands.
        if open_text:
            found.append(f"still open: {open_text}")
        found += [f"not given back: {name} has {marks}" for name, marks in marked]
        if self.home.machine != NEW:
            found.append(f"not given back: {self.home.machine}")
        if self.order()["mode"] != "admit":
            found.append(f"not given back: {self.order()}")
        return found + [f"still held: {job['metadata']['name']}" for job in jobs if job["spec"].get("suspend")]

    def left(self):
        """What of ours is still there."""
        nodes, works, pods, jobs, quotas = self.objects()
        found = [f"{item['metadata']['name']} has {marks_of(item)}" for item in (*nodes, *works, *pods, *jobs)
                 if marks_of(item)]
        found += [f"{pod['metadata']['name']} is {pod['spec']['containers'][0]['resources']}" for pod in pods
                  if pod["metadata"]["labels"].get("app") == "web"
                  and pod["spec"]["containers"][0]["resources"] != TEMPLATE]
        found += [f"{quota['metadata']['name']} is there" for quota in quotas]
        found += [f"{job['metadata']['name']} is held" for job in jobs if job["spec"].get("suspend")]
        if self.order()["mode"] != "admit":
            found.append(f"the order is {self.order()}")
        if self.home.machine != NEW:
            found.append(f"the machine is {self.home.machine}")
        return found

    def mend(self):
        """Whatever was found wrong, the next scene begins with a home as it should be."""
        nodes, works, pods, _, quotas = self.objects()
        clean = {"annotations": {key: None for key in MARKS}}
        for node in nodes:
            if marks_of(node) or node["spec"].get("taints"):
                self.admin.must("PATCH", f"/api/v1/nodes/{node['metadata']['name']}",
                                {"metadata": clean, "spec": {"taints": None}}, MERGE)
        for work in works:
            if marks_of(work) or work["spec"]["replicas"] != REPLICAS:
                self.admin.must("PATCH", f"/apis/apps/v1/namespaces/{self.home.space}/deployments/web",
                                {"metadata": clean, "spec": {"replicas": REPLICAS}}, MERGE)
        base = f"/api/v1/namespaces/{self.home.space}"
        for path in [f"/pods/{pod['metadata']['name']}?gracePeriodSeconds=0" for pod in pods
                     if marks_of(pod) or pod["spec"]["containers"][0]["resources"] != TEMPLATE]:
            self.admin.send("DELETE", base + path)
        for quota in quotas:
            self.admin.send("DELETE", f"{base}/resourcequotas/{quota['metadata']['name']}")
        self.home.machine.update(NEW)

    def beside(self, stopped, which):
        """A second leader, while the first is stopped and then goes on in the belief that it leads."""
        self.free_lease()
        second = self.live(which, None)
        try:
            self.rounds_more(second, self.draw.randint(2, 8))
            stopped.process.send_signal(signal.SIGCONT)
            self.rounds_more(stopped, self.draw.randint(1, 4))
        finally:
            second.end()

    @staticmethod
    def rounds_more(process, count):
        """Until it has made so many rounds more; one that is stuck or ends is not waited for."""
        until, end = process.rounds() + count, time.monotonic() + 15
        while process.rounds() < until and process.process.poll() is None and time.monotonic() < end:
            time.sleep(0.03)

    def play(self, forward, back):
        """So many lives towards the end of the action, and so many of its undoing."""
        try:
            self._play(forward, back)
        except Exception as error:  # pylint: disable=broad-except
            self.problems.append(f"{type(error).__name__}: {error}")

    def _play(self, forward, back):
        which = 0
        for _ in range(2 if self.ending == "cordon" else forward + (back if self.ending == "release" else 0)):
            self.create_job()
            struck = self.life(which)
            which = 1 - which
            if not struck:
                break
        if self.ending != "release":
            self.turn()
            for _ in range(back):
                struck = self.life(which)
                which = 1 - which
                if not struck:
                    break
        last = self.live(which, None)
        try:
            self.follow(last)
            end = time.monotonic() + 60  # A busy machine may need longer.
            while self.undone() and time.monotonic() < end:
                time.sleep(0.5)
        finally:
            last.end(signal.SIGINT)
        if last.process.returncode != 0:
            raise AssertionError(f"it ended with {last.process.returncode}: {last.words()}")

    def turn(self):
        """From here on what was done is to be undone."""
        self.lives.append(f"{micro()[11:23]} {self.ending}")
        if self.ending == "cordon":
            self.cordon(True)
            return
        self.ease()
        self.ahead = self.ending == "expiry"

    def release(self, what="--all", aim=None):
        """`parley release`, and how it ended."""
        self.ahead = what == "--expired"
        process = self.process(0, "release", what)
        process.proxy.begin(aim, process.process)
        if not process.wait(120):
            process.end()
            raise AssertionError(f"release did not end: {process.words()}")
        process.proxy.leave()
        return process

    # What is to be seen afterwards.

    def read(self, path):
        status, found = self.admin.send("GET", path)
        return found if status == 200 else None

    def order(self):
        """What the order says; `admit` if there is none, or its time is over."""
        found = self.read(f"/api/v1/namespaces/{self.home.name}/configmaps/parley-admission")
        stands = found is not None and found["data"]["until"] > stamp()
        return found["data"] if stands else {"mode": "admit"}

    def objects(self):
        """Nodes, Deployments, pods, Jobs and quotas of this home."""
        space = self.home.space
        return [self.admin.must("GET", path)["items"] for path in (
            self.home.seen("/api/v1/nodes"), f"/apis/apps/v1/namespaces/{space}/deployments",
            f"/api/v1/namespaces/{space}/pods", f"/apis/batch/v1/namespaces/{space}/jobs",
            f"/api/v1/namespaces/{space}/resourcequotas")]

    def without_mark(self):
        """What is ours and has no mark, now."""
        nodes, works, pods, _, _ = self.objects()
        web = [pod for pod in pods if pod["metadata"]["labels"].get("app") == "web"]
        return bare_changes(nodes, works, web, TEMPLATE, REPLICAS)

    def open_text(self):
        """What the ledger says of open actions."""
        found = self.read(f"/api/v1/namespaces/{self.home.name}/configmaps/parley-ledger")
        return found["data"]["open"] if found else ""

    def is_done(self):
        """Whether all that this kind of action wants is there."""
        nodes, works, pods, _, quotas = self.objects()
        victim = next(n for n in nodes if n["metadata"]["name"] == self.home.victim)
        web = [p for p in pods if p["metadata"]["labels"].get("app") == "web"]
        there = [p for p in web if p["spec"].get("nodeName") == self.home.victim]
        sizes = [p["spec"]["containers"][0]["resources"] for p in there]
        tainted = any(t["key"].startswith(OURS) for t in victim["spec"].get("taints", []))
        replicas = next(w["spec"]["replicas"] for w in works if w["metadata"]["name"] == "web")
        return {"migrate": tainted and not there, "replicate": tainted and replicas == REPLICAS,
                "throttle": tainted and TEMPLATE not in sizes, "memory_balloon": TEMPLATE not in sizes,
                "power_state": self.home.machine["power"] == "sleep" and not there,
                "dvfs": self.home.machine["clock"] != NEW["clock"],
                "reject": True,  # Its orders are short, and between two of them there is none.
                "resource_cap": bool(quotas)}.get(self.kind, self.order()["mode"] == self.kind)
