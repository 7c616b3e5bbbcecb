"""A proxy between Parley and an API server or a Prometheus that injects faults.

Before an API server it ends TLS with a certificate of the cluster's own authority; before a
Prometheus it speaks plain HTTP. It passes requests on, one at a time per connection. Faults apply
to requests whose path matches; watch lines may be tampered with.
"""

import asyncio
import datetime
import email.utils
import gzip
import os
import re
import ssl
import subprocess
import threading


BOMB = gzip.compress(b" " * (1 << 28))


class Fault:
    """What to do with matching requests. `kind` is one of the methods of Exchange below."""

    def __init__(self, kind, path=".*", only_changes=False, **details):
        self.kind = kind
        self.only_changes = only_changes  # Heeded by homes.py.
        self.path = re.compile(path)
        self.details = details
        self.met = 0  # How often it applied.


class Upstream:
    """Where requests are forwarded to."""

    def __init__(self, url, ca=None, token=None):
        scheme, self.host, port = re.match(r"(https?)://([^:/]+):?(\d*)", url).groups()
        self.port = int(port or (443 if scheme == "https" else 80))
        self.context = ssl.create_default_context(cafile=ca) if scheme == "https" else None
        self.token = token  # Instead of the client's own.

    def dressed(self, head):
        head = re.sub(rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: " + self.host.encode(), head)
        if self.token is not None:
            head = re.sub(rb"(?i)\r\nauthorization: [^\r]*",
                          b"\r\nAuthorization: Bearer " + self.token.encode(), head)
        return head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


class FaultProxy:
    """In front of the cluster's API server or, with `url`, of that address."""

    exchange = None  # The class that does something with a request; set below.

    def __init__(self, cluster, folder, url=None):
        self.upstream = Upstream(url or cluster.facts["server"], cluster.facts["ca"])
        self.fault = None
        self.context = None
        if self.upstream.context is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certify(cluster.facts["ca"], cluster.facts["ca_key"],
                                                  folder))
        self.loop = asyncio.new_event_loop()
        self.tasks = set()
        started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self.thread.start()
        if not started.wait(10):
            raise AssertionError("the fault proxy did not start")

    def _run(self, started):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(
            asyncio.start_server(self._welcome, "127.0.0.1", 0, ssl=self.context))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()
        server.close()

    async def _welcome(self, reader, writer):
        task = asyncio.current_task()
        self.tasks.add(task)
        try:
            while await self.exchange(self, reader, writer).serve():
                pass
        except (OSError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            pass
        finally:
            self.tasks.discard(task)
            writer.transport.abort()

    def set(self, fault):
        """Applies from now on; open connections are cut, so that it applies to all."""
        self._cut(lambda: setattr(self, "fault", fault))

    def move(self, upstream):
        """Another server answers from now on; open connections are cut."""
        self._cut(lambda: setattr(self, "upstream", upstream))

    def show(self, certificate):
        """Another certificate (and key) from now on; open connections are cut."""
        self._cut(lambda: self.context.load_cert_chain(*certificate))

    def _cut(self, change):
        def now():
            change()
            for task in list(self.tasks):
                task.cancel()
        self.loop.call_soon_threadsafe(now)

    def tamper(self, fault):
        """Applies from now on, without cutting open connections: for faults of watch lines."""
        self.loop.call_soon_threadsafe(lambda: setattr(self, "fault", fault))

    def close(self):
        async def end():
            for task in list(self.tasks):
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            self.loop.stop()
        asyncio.run_coroutine_threadsafe(end(), self.loop)
        self.thread.join(10)
        self.loop.close()


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


def certify(ca, ca_key, folder, name="proxy"):
    """A certificate for 127.0.0.1, signed by that authority; its paths."""
    key, request, signed = (os.path.join(folder, f"{name}.{end}") for end in ("key", "csr", "crt"))
    names = os.path.join(folder, f"{name}.ext")
    with open(names, "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj",
            "/CN=fault-proxy")
    openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial",
            "-CAserial", os.path.join(folder, f"{name}.srl"), "-out", signed, "-days", "2",
            "-extfile", names)
    return signed, key


def authority(folder, name):
    """Another authority that signs itself; the paths of its certificate and key."""
    key, made = (os.path.join(folder, f"{name}.{end}") for end in ("key", "crt"))
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", made, "-days",
            "2", "-subj", f"/CN={name}", "-addext", "keyUsage=critical,keyCertSign")
    return made, key


TIME = re.compile(rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)((?:\.\d+)?)Z"')


def shifted(text, seconds):
    """JSON with all times moved later by this much."""
    def later(found):
        at = datetime.datetime.strptime(found.group(1).decode(), "%Y-%m-%dT%H:%M:%S")
        moved = (at + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")
        return b'"' + moved.encode() + found.group(2) + b'Z"'
    return TIME.sub(later, text)


def later_date(text, seconds):
    at = email.utils.parsedate_to_datetime(text.decode()) + datetime.timedelta(seconds=seconds)
    return email.utils.format_datetime(at, usegmt=True).encode()


def changes(fault):
    """How a fault changes an answer that is passed on. `rewrite`: by its function `how`. `skew`:
    the clock of the server, and of whoever else writes there, is so many seconds `ahead`."""
    if fault.kind == "rewrite":
        return {"rewrite": fault.details["how"]}
    ahead = fault.details["ahead"]
    if fault.details.get("only_date"):
        return {"ahead": ahead}
    return {"ahead": ahead, "rewrite": lambda text: shifted(text, ahead)}


class Exchange:
    """One request and its answer."""

    def __init__(self, proxy, reader, writer):
        self.proxy = proxy
        self.reader = reader
        self.writer = writer

    async def serve(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        body = await self.reader.readexactly(int(length.group(1))) if length else b""
        return await self.handle(head, body, head.split(b" ", 2)[1].decode())

    async def handle(self, head, body, path):
        """Whether the connection continues."""
        fault = self.proxy.fault
        if fault is not None and fault.path.search(path):
            if fault.kind == "unheard":
                earnest = not head.startswith(b"GET ") and "dryRun" not in path
                fault.met += earnest
                if earnest and fault.met % fault.details["one_in"] == 0:
                    return await self.unheard(head, body)
                return await self.forward(head, body, path)
            if fault.kind in ("rewrite", "skew"):
                fault.met += 1
                return await self.forward(head, body, path, **changes(fault))
            act = getattr(self, fault.kind, None)
            if act is not None:
                fault.met += 1
                return await act(**fault.details)
        return await self.forward(head, body, path)

    async def unheard(self, head, body):
        """The server carries it out, and nobody hears the answer."""
        to = self.proxy.upstream
        reader, writer = await asyncio.open_connection(to.host, to.port, ssl=to.context)
        try:
            writer.write(to.dressed(head) + body)
            await reader.readuntil(b"\r\n\r\n")
            return False
        finally:
            writer.transport.abort()

    async def forward(self, head, body, path, rewrite=None, ahead=0):
        """Forwards it and returns the answer; a complete body goes through `rewrite`, if there is one."""
        to = self.proxy.upstream
        if rewrite is not None:
            head = re.sub(rb"(?i)\r\naccept-encoding: [^\r]*", b"\r\nAccept-Encoding: identity",
                          head)
        reader, writer = await asyncio.open_connection(to.host, to.port, ssl=to.context)
        try:
            writer.write(to.dressed(head) + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            answer = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", answer)
            if ahead:
                answer = re.sub(rb"(?i)\r\ndate: ([^\r]*)", lambda found: b"\r\nDate: " +
                                later_date(found.group(1), ahead), answer)
            chunked = re.search(rb"(?i)transfer-encoding: *chunked", answer) is not None
            fine = b" 200 " in answer.split(b"\r\n", 1)[0]
            watching = "watch=1" in path and fine and chunked
            if rewrite is not None and fine and not watching:
                await self.rewritten(reader, answer, rewrite)
                return True
            self.writer.write(answer)
            await self.writer.drain()
            if watching:
                return await Lines(self, path).pump(reader)
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", answer)
            if length:
                await self.pump(reader, int(length.group(1)))
            elif chunked:
                await self.pump_chunks(reader)
            return True
        finally:
            writer.transport.abort()

    async def rewritten(self, reader, answer, rewrite):
        whole = await reader.read(-1)
        if re.search(rb"(?i)transfer-encoding: *chunked", answer):
            pieces, rest = [], whole
            while rest:
                size, rest = rest.split(b"\r\n", 1)
                pieces.append(rest[:int(size, 16)])
                rest = rest[int(size, 16) + 2:] if int(size, 16) else b""
            whole = b"".join(pieces)
        changed = rewrite(whole)
        answer = re.sub(rb"(?i)\r\n(transfer-encoding|content-length): [^\r]*", b"", answer)
        self.writer.write(answer[:-2] + b"Content-Length: %d\r\n\r\n" % len(changed) + changed)
        await self.writer.drain()

    async def pump(self, reader, left):
        while left > 0:
            piece = await reader.read(min(left, 65536))
            if not piece:
                raise asyncio.IncompleteReadError(b"", left)
            left -= len(piece)
            self.writer.write(piece)
            await self.writer.drain()

    async def pump_chunks(self, reader):
        while True:
            size = await reader.readuntil(b"\r\n")
            count = int(size, 16)
            piece = await reader.readexactly(count + 2)
            self.writer.write(size + piece)
            await self.writer.drain()
            if count == 0:
                return

    def answer(self, status, body, kind="application/json", extra=""):
        self.writer.write((f"HTTP/1.1 {status} Fault\r\nContent-Type: {kind}\r\n{extra}"
                           f"Content-Length: {len(body)}\r\n\r\n").encode() + body)

    # Faults of whole answers. Each returns whether the connection continues.

    async def reset(self):
        return False

    async def black_hole(self):
        await asyncio.sleep(3600)
        return False

    async def drip(self):
        """One byte a second."""
        self.answer(200, b"")
        self.writer.write(b"")
        for byte in b'{"kind":"PodList","items":[' * 100:
            self.writer.write(bytes([byte]))
            await self.writer.drain()
            await asyncio.sleep(1)
        return False

    async def truncated(self):
        self.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                          b"Content-Length: 5000\r\n\r\n"
                          b'{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{"meta')
        await self.writer.drain()
        return False

    async def garbage(self):
        self.writer.write(os.urandom(4096))
        await self.writer.drain()
        return False

    async def bomb(self):
        """256 MiB of spaces, compressed to a quarter of a MiB."""
        self.answer(200, BOMB, extra="Content-Encoding: gzip\r\n")
        await self.writer.drain()
        return True

    async def login_page(self):
        self.answer(200, b"<html>please log in</html>", "text/html")
        await self.writer.drain()
        return True

    async def status(self, code, reason="", retry_after=None):
        extra = f"Retry-After: {retry_after}\r\n" if retry_after is not None else ""
        self.answer(code, (f'{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{code},'
                           f'"reason":"{reason}","message":"by the fault proxy"}}').encode(),
                    extra=extra)
        await self.writer.drain()
        return True


FaultProxy.exchange = Exchange  # What it does with a request.


class Lines:
    """Forwards the lines of a watch, changed while a fault says so."""

    def __init__(self, exchange, path):
        self.exchange = exchange
        self.path = path
        self.bytes = b""
        self.held = None
        self.first = None

    async def pump(self, reader):
        while True:
            size = int(await reader.readuntil(b"\r\n"), 16)
            piece = await reader.readexactly(size + 2)
            if size == 0:
                self.exchange.writer.write(b"0\r\n\r\n")
                await self.exchange.writer.drain()
                return True
            self.bytes += piece[:-2]
            *lines, self.bytes = self.bytes.split(b"\n")
            for line in lines:
                for each in self.tampered(line + b"\n"):
                    self.exchange.writer.write(b"%x\r\n%s\r\n" % (len(each), each))
            await self.exchange.writer.drain()

    def tampered(self, line):
        if self.first is None and b'"ADDED"' in line:
            self.first = line
        fault = self.exchange.proxy.fault
        applies = fault is not None and fault.path.search(self.path)
        if not applies or b'"BOOKMARK"' in line:
            return [line]
        if fault.kind == "skew" and not fault.details.get("only_date"):
            return [shifted(line, fault.details["ahead"])]
        if fault.kind == "lose":
            fault.met += 1
            return []
        if fault.kind == "double":
            fault.met += 1
            return [line, line]
        if fault.kind == "swap":
            if self.held is None:
                self.held = line
                return []
            fault.met += 1
            both, self.held = [line, self.held], None
            return both
        if fault.kind == "go_back" and self.first is not None:
            fault.met += 1
            return [line, self.first]
        if fault.kind == "expire":
            fault.met += 1
            return [b'{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410,'
                    b'"reason":"Expired","message":"too old"}}\n']
        return [line]
