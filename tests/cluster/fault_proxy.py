"""A proxy between Parley and an API server that does wrong what it is told to.

It ends TLS with a certificate of the cluster's own authority and passes requests on, one at a time
per connection. Faults apply to requests whose path matches; watch lines may be tampered with.
"""

import asyncio
import gzip
import os
import re
import ssl
import subprocess
import threading


BOMB = gzip.compress(b" " * (1 << 28))


class Fault:
    """What to do to matching requests. `kind` is one of the methods of Exchange below."""

    def __init__(self, kind, path=".*", **details):
        self.kind = kind
        self.path = re.compile(path)
        self.details = details
        self.met = 0  # How often it applied.


class FaultProxy:
    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.fault = None
        self.certificate = certify(cluster, folder)
        self.loop = asyncio.new_event_loop()
        self.tasks = set()
        started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self.thread.start()
        if not started.wait(10):
            raise AssertionError("the fault proxy did not start")

    def _run(self, started):
        asyncio.set_event_loop(self.loop)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate)
        server = self.loop.run_until_complete(
            asyncio.start_server(self._welcome, "127.0.0.1", 0, ssl=context))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()
        server.close()

    async def _welcome(self, reader, writer):
        task = asyncio.current_task()
        self.tasks.add(task)
        try:
            while await Exchange(self, reader, writer).serve():
                pass
        except (OSError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            pass
        finally:
            self.tasks.discard(task)
            writer.transport.abort()

    def set(self, fault):
        """From now on; connections that are open are cut, so that it applies to all."""
        def change():
            self.fault = fault
            for task in list(self.tasks):
                task.cancel()
        self.loop.call_soon_threadsafe(change)

    def tamper(self, fault):
        """From now on, without cutting what is open: for faults of watch lines."""
        self.loop.call_soon_threadsafe(lambda: setattr(self, "fault", fault))

    def close(self):
        async def end():
            for task in list(self.tasks):
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            self.loop.stop()
        asyncio.run_coroutine_threadsafe(end(), self.loop)
        self.thread.join(10)


def certify(cluster, folder):
    key, request, signed = (os.path.join(folder, f"proxy.{end}") for end in ("key", "csr", "crt"))
    names = os.path.join(folder, "proxy.ext")
    with open(names, "w", encoding="utf-8") as file:
        file.write("subjectAltName=IP:127.0.0.1\n")
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj",
            "/CN=fault-proxy")
    openssl("x509", "-req", "-in", request, "-CA", cluster.facts["ca"], "-CAkey",
            cluster.facts["ca_key"], "-CAcreateserial", "-CAserial",
            os.path.join(folder, "proxy.srl"), "-out", signed, "-days", "2", "-extfile", names)
    return signed, key


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
        path = head.split(b" ", 2)[1].decode()
        fault = self.proxy.fault
        if fault is not None and fault.path.search(path):
            act = getattr(self, fault.kind, None)
            if act is not None:
                fault.met += 1
                return await act(**fault.details)
        return await self.forward(head, body, path)

    async def forward(self, head, body, path):
        context = ssl.create_default_context(cafile=self.proxy.cluster.facts["ca"])
        host, port = re.match(r"https://([^:/]+):?(\d*)", self.proxy.cluster.facts["server"]).groups()
        reader, writer = await asyncio.open_connection(host, int(port or 443), ssl=context)
        try:
            writer.write(re.sub(rb"(?i)\r\nhost: [^\r]*", b"\r\nHost: " + host.encode(), head)
                         .replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            chunked = re.search(rb"(?i)transfer-encoding: *chunked", answer) is not None
            answer = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", answer)
            self.writer.write(answer)
            await self.writer.drain()
            watching = "watch=1" in path and b" 200 " in answer.split(b"\r\n", 1)[0]
            if watching and chunked:
                return await Lines(self, path).pump(reader)
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", answer)
            if length:
                await self.pump(reader, int(length.group(1)))
            elif chunked:
                await self.pump_chunks(reader)
            return True
        finally:
            writer.transport.abort()

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

    # The faults of whole answers. Each says whether the connection goes on.

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
        """256 MiB of spaces in a quarter of a MiB."""
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


class Lines:
    """Passes the lines of a watch on, tampered with while a fault says so."""

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
