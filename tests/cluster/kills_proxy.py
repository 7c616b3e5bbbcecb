"""A proxy that ends the process behind it at a chosen request, for kills_test.py.

A kill at a random moment almost never falls between two requests that are a millisecond apart. So the moment is
chosen by what the process sends. Metrics are answered here, since nothing measures nodes that exist only as objects,
and so are the commands that switch power and clocks, which no audit log sees.
"""

import asyncio
import collections
import datetime
import json
import logging
import os
import random
import re
import signal
import ssl
import sys
import threading

from fault_proxy import Exchange, FaultProxy

# It would say of every client that was killed that nothing can be written to it any more.
logging.getLogger("asyncio").setLevel(logging.ERROR)

# When a process is ended, as seen from its request: it never arrives; it arrives when the successor is at work; it
# arrives between a look of the successor's at the same object and what it does next; it is applied and nobody has
# heard; it is answered, and a few milliseconds have passed.
PHASES = ("before", "late", "between", "unheard", "after")
# What may happen to a request although its process lives.
WEATHER = ("lost", "slow", "late", "double", "echo")
ENDS = (("/events", "event"), ("/eviction", "evict"), ("/resize", "resize"), ("/scale", "scale"),
        ("/parley-ledger", "ledger"), ("/parley-admission", "order"), ("/resourcequotas", "quota"), ("/jobs", "job"))
HELD_S = 6  # A request that waits for the successor's look arrives after so long in any case.

COMMAND = """#!{python} -IS
import os, socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect({path!r})
words = sys.argv[1:] + [os.environ.get("PARLEY_DECISION", "-"), os.environ.get("PARLEY_STEP", "-")]
line.sendall(" ".join(words).encode() + b"\\n")
status, said = line.makefile().readline().split(" ", 1)
print(said, end="")
sys.exit(int(status))
"""


def header(head, name):
    found = re.search(rb"(?i)\r\n" + name + rb": ([^\r]*)", head)
    return found.group(1).decode() if found else ""


def object_of(method, path, body):
    """The path of the object that a change is about; what is created is named by its body."""
    where = path.split("?", 1)[0]
    if where.endswith(("/eviction", "/resize", "/scale")):
        return where.rsplit("/", 1)[0]
    if method != "POST":
        return where
    try:
        return where + "/" + json.loads(body)["metadata"]["name"]
    except (ValueError, KeyError, TypeError):
        return where


def step_of(method, path, body, audit):
    """What a change is for, in a word or two; None: it changes nothing, or keeps a lease."""
    if method == "GET" or "selfsubject" in path or "/leases" in path:
        return None
    where = path.split("?", 1)[0]
    if method == "POST" and not where.endswith("/eviction"):
        where = object_of(method, path, body)
    name = next((name for end, name in ENDS if end + "/" in where + "/"), "")
    if not name and "/nodes/" in where:
        name = "taint" if b"/spec/taints" in body else "mark"
    elif not name and "/pods/" in where:
        name = "cost" if b"deletion-cost" in body and b"parley.dev/decision" not in body else "mark pod"
    elif not name:
        name = "mark work"
    if audit.endswith("-renew"):
        return "renew"
    return ("dry " if "dryRun" in path else "") + ("undo " if "-undo-" in audit else "") + name


class Tally:
    """How often processes were ended, by kind of action, step and phase. Shared by all proxies."""

    def __init__(self):
        self.hits, self.lock = collections.Counter(), threading.Lock()

    def of_step(self, kind, step):
        with self.lock:
            return sum(count for (k, s, _), count in self.hits.items() if (k, s) == (kind, step))

    def of_phase(self, kind, step, phase):
        with self.lock:
            return self.hits[kind, step, phase]

    def add(self, *where):
        with self.lock:
            self.hits[where] += 1

    def table(self):
        """Lines of text: kinds and steps by phases."""
        with self.lock:
            hits = dict(self.hits)
        rows = sorted({(kind, step) for kind, step, _ in hits})
        yield f"{'kind':15} {'step':15}" + "".join(f"{phase:>9}" for phase in PHASES) + f"{'kills':>9}"
        for kind, step in rows:
            counts = [hits.get((kind, step, phase), 0) for phase in PHASES]
            yield f"{kind:15} {step:15}" + "".join(f"{count or '.':>9}" for count in counts) + f"{sum(counts):>9}"
        sums = [sum(count for (_, _, p), count in hits.items() if p == phase) for phase in PHASES]
        yield f"{'all':15} {'':15}" + "".join(f"{count:>9}" for count in sums) + f"{sum(sums):>9}"


class Aim:
    """At which request a process is ended, and how. What was met seldom is struck sooner: a step that was never met at
    once, one that was met n times with probability 1 / (1 + n). Steps that change nothing on the cluster count less."""

    def __init__(self, tally, kind, draw, how=signal.SIGKILL):
        self.tally, self.kind, self.draw, self.how = tally, kind, draw, how
        self.lock = threading.Lock()
        self.process = None
        self.phase = None  # Once its request has come.
        self.hit = None  # The step, once it was struck.
        self.id = ""  # Its id in the audit log.

    def take(self, step, audit):
        """The phase in which this request is the last; None: it is not."""
        seldom = 1.0 if step not in ("event", "ledger") and not step.startswith("dry ") else 0.1
        with self.lock:
            if self.phase is not None or self.process is None:
                return None
            if self.draw.random() >= seldom / (1 + self.tally.of_step(self.kind, step)):
                return None
            self.phase = min(PHASES, key=lambda p: (self.tally.of_phase(self.kind, step, p), self.draw.random()))
            self.id = audit
            return self.phase

    def strike(self, step):
        if self.hit is None and self.process.poll() is None:
            self.hit = step
            self.process.send_signal(self.how)
            self.tally.add(self.kind, step, self.phase)


class Held:
    """A request of a dead process that is still on its way; both proxies of a scene know it."""

    def __init__(self):
        self.lock, self.about, self.looks, self.deliver = threading.Lock(), None, 0, None

    def put(self, about, looks, deliver):
        with self.lock:
            self.about, self.looks, self.deliver = about, looks, deliver

    def meet(self, path):
        """What is to arrive now that this was looked at, before the answer is heard; None: nothing."""
        where = path.split("?", 1)[0]
        with self.lock:
            if self.about is None:
                return None
            # Quotas are found by a list.
            if where != self.about and not (where.endswith("/resourcequotas") and "/resourcequotas/" in self.about):
                return None
            self.looks -= 1
            return self._taken() if self.looks <= 0 else None

    def rest(self):
        """What has not arrived yet; None: nothing."""
        with self.lock:
            return self._taken()

    def _taken(self):
        deliver, self.about, self.deliver = self.deliver, None, None
        return deliver


class AimedExchange(Exchange):
    """One request and its answer; perhaps the last of its process."""

    async def serve(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = header(head, b"content-length")
        body = await self.reader.readexactly(int(length)) if length else b""
        method, path = (word.decode() for word in head.split(b" ", 2)[:2])
        if method == "GET":
            path = self.proxy.home.seen(path)
            head = re.sub(rb"^GET \S+", b"GET " + path.encode(), head)
        if path.startswith("/apis/metrics.k8s.io"):
            return await self.measure(path)
        audit = header(head, b"audit-id")
        step = step_of(method, path, body, audit)
        if step is None:
            return await self.look(method, path, head, body)
        self.proxy.changed = asyncio.get_running_loop().time()
        aim = self.proxy.aim
        if aim is not None and aim.take(step, audit) is not None:
            return await self.last(aim, step, head, body, path)
        return await self.under_weather(step, head, body, path)

    async def look(self, method, path, head, body):
        """A read, or a lease. Something may happen between a read and its answer."""
        if method != "GET" and "/leases" in path:
            self.proxy.led = self.proxy.led or asyncio.get_running_loop().time()
        arrives = self.proxy.held.meet(path) if method == "GET" and "watch=1" not in path else None
        if arrives is None:
            return await self.forward(head, body, path)
        answer = await self.whole_answer(head, body)
        await arrives()
        self.writer.write(answer)
        await self.writer.drain()
        return False

    async def whole_answer(self, head, body):
        to = self.proxy.upstream
        reader, writer = await asyncio.open_connection(to.host, to.port, ssl=to.context)
        try:
            writer.write(to.dressed(head) + body)
            return await reader.read(-1)
        finally:
            writer.transport.abort()

    async def last(self, aim, step, head, body, path):
        """The request at which the process ends, or is stopped."""
        phase, proxy = aim.phase, self.proxy
        if phase == "after":
            on = await self.forward(head, body, path)
            await asyncio.sleep(proxy.draw.uniform(0, 0.03))
            aim.strike(step)
            return on
        if phase == "unheard":
            await self.unheard(head, body)
            aim.strike(step)
            return False
        aim.strike(step)
        if phase == "late":
            proxy.later(self.arrive(head, body, proxy.draw.uniform(0.1, 4)))
        if phase == "between":
            about = object_of(head.split(b" ", 1)[0].decode(), path, body)
            proxy.held.put(about, proxy.draw.randint(1, 3), lambda: self.unheard(head, body))
            proxy.later(proxy.let_go())
        return False

    async def arrive(self, head, body, seconds):
        """Reaches the API server so much later; whoever sent it does not hear."""
        await asyncio.sleep(seconds)
        await self.unheard(head, body)

    async def under_weather(self, step, head, body, path):
        """Passed on, as bad as the weather is."""
        what = self.proxy.weather(step)
        if what == "slow":
            await asyncio.sleep(self.proxy.draw.uniform(0.05, 1.0))
        elif what == "lost":
            return await self.unheard(head, body)
        elif what == "late":
            self.proxy.later(self.arrive(head, body, self.proxy.draw.uniform(0.05, 1.5)))
            return False
        elif what == "double":  # Heard is the first answer.
            on = await self.forward(head, body, path)
            await self.unheard(head, body)
            return on
        elif what == "echo":  # Heard is the second: a proxy that sent it again by itself.
            await self.unheard(head, body)
        return await self.forward(head, body, path)

    async def measure(self, path):
        if path.split("?")[0].rstrip("/") == "/apis/metrics.k8s.io":
            version = {"groupVersion": "metrics.k8s.io/v1beta1", "version": "v1beta1"}
            body = {"kind": "APIGroup", "apiVersion": "v1", "name": "metrics.k8s.io", "versions": [version],
                    "preferredVersion": version}
        else:
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            of_nodes = "/nodes" in path
            items = self.proxy.home.node_use() if of_nodes else self.proxy.home.pod_use()
            body = {"kind": "NodeMetricsList" if of_nodes else "PodMetricsList",
                    "apiVersion": "metrics.k8s.io/v1beta1", "metadata": {},
                    "items": [{**item, "timestamp": now, "window": "10s"} for item in items]}
        self.answer(200, json.dumps(body).encode())
        await self.writer.drain()
        return True


class KillProxy(FaultProxy):
    """In front of the cluster's API server; `aim` says when its client ends. It shows one home, so that each is a
    cluster of its own: a node that fails elsewhere would be the more urgent one."""

    exchange = AimedExchange

    def __init__(self, cluster, folder, home, held, seed):
        self.aim, self.rough, self.home, self.held = None, 0.0, home, held
        self.draw = random.Random(seed)
        self.met = collections.Counter()  # Weather -> how often.
        self.led = self.changed = None  # When the process became the leader, and when it last changed something.
        self.kept = set()
        super().__init__(cluster, folder)
        self.command = os.path.join(folder, "provider")
        path = os.path.join(folder, "line")
        with open(self.command, "w", encoding="utf-8") as file:
            file.write(COMMAND.format(python=sys.executable, path=path))
        os.chmod(self.command, 0o755)
        opened = asyncio.run_coroutine_threadsafe(asyncio.start_unix_server(self.provide, path), self.loop)
        self.line = opened.result(10)

    def close(self):
        self.loop.call_soon_threadsafe(self.line.close)
        super().close()

    def begin(self, aim, process):
        """Another process is behind it from now on."""
        if aim is not None:
            aim.process = process
        self.led = self.changed = None
        self.aim = aim

    def leave(self):
        """The process behind it has ended, and with it all that it watched."""
        self._cut(lambda: setattr(self, "aim", None))

    def weather(self, step):
        """What happens to this request; None: nothing. Leases are spared: who cannot renew does not act at all."""
        if step == "event" or step.startswith("dry ") or self.draw.random() >= self.rough:
            return None
        what = self.draw.choice(WEATHER)
        self.met[what] += 1
        return what

    def later(self, work):
        """Goes on although its client is gone."""
        async def quietly():
            try:
                await work
            except (OSError, asyncio.IncompleteReadError, ssl.SSLError):
                pass
        task = self.loop.create_task(quietly())
        self.kept.add(task)
        task.add_done_callback(self.kept.discard)

    async def let_go(self):
        await asyncio.sleep(HELD_S)
        deliver = self.held.rest()
        if deliver is not None:
            await deliver()

    def under_way(self):
        """Whether something will still arrive."""
        return bool(self.kept)

    async def provide(self, reader, writer):
        """A command of the operator's: power or clock of a node."""
        try:
            ability, _, wish, decision, step = (await reader.readline()).decode().split()
            status = 0
            if wish == "read":
                value = self.home.machine[ability]
                arrives = self.held.meet(ability)
                if arrives is not None:
                    await arrives()
            else:
                value = wish
                status = await self.switch(ability, wish, decision, step, writer)
            writer.write(f"{status} {value}\n".encode())
            await writer.drain()
        except (OSError, ValueError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def switch(self, ability, wish, decision, step, writer):
        """The exit status of a command that changes something."""
        async def do(seconds=0.0):
            await asyncio.sleep(seconds)
            self.home.switch(ability, wish, decision, step)
        name = ("undo " if step.startswith("undo") else "") + ability
        self.changed = self.loop.time()
        aim = self.aim
        phase = aim.take(name, "") if aim is not None else None
        what = self.weather(name) if phase is None else None
        if phase in ("before", "late", "between"):
            aim.strike(name)
            if phase == "late":
                self.later(do(self.draw.uniform(0.1, 4)))
            if phase == "between":
                self.held.put(ability, self.draw.randint(1, 2), do)
                self.later(self.let_go())
            return 1
        if what == "late":
            self.later(do(self.draw.uniform(0.05, 1.5)))
            return 1
        await do(self.draw.uniform(0.05, 1.0) if what == "slow" else 0)
        if what in ("double", "echo"):
            await do()
        if phase == "after":
            writer.write(f"0 {wish}\n".encode())
            await writer.drain()
            await asyncio.sleep(self.draw.uniform(0, 0.03))
        if phase is not None:
            aim.strike(name)
        return 1 if what == "lost" else 0
