"""What the tests of the dashboard's server share: a program that serves, and a client that is not a
browser and says what one would."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import ssl
import subprocess
import tempfile
import time

ROOT = os.getcwd()
LINK = re.compile(r"Dashboard: (https?)://([^/:]+):(\d+)/#token=(\S+)")


def venv_python(name):
    """A Python with the packages of tools/venv/NAME.txt; nothing if they are not available."""
    made = subprocess.run(["tools/venv.sh", name], cwd=ROOT, capture_output=True, text=True,
                          timeout=600, check=False)
    if made.returncode == 0:
        return os.path.join(made.stdout.strip(), "bin", "python")
    if os.environ.get("CI") == "true":
        raise AssertionError(f"tools/venv.sh {name}: {made.stderr}")
    return None


class Folder:
    """A folder of this test's own, with a home in it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="parley_web_")
        self.environment = dict(os.environ, HOME=self.path, XDG_STATE_HOME=self.path + "/state")

    def run(self, program, *words, check=True):
        return subprocess.run([program, *words], cwd=self.path, env=self.environment,
                              capture_output=True, text=True, timeout=300, check=check)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Serving:
    """A process that serves a dashboard; its link is read from what it prints."""

    def __init__(self, program, folder, *words):
        self.process = subprocess.Popen([program, *words], cwd=folder.path, env=folder.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.printed = ""
        deadline = time.monotonic() + 60
        while not LINK.search(self.printed):
            left = deadline - time.monotonic()
            if left < 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError("no link within a minute: " + self.printed)
            bytes_read = os.read(self.process.stdout.fileno(), 65536)
            if not bytes_read:
                raise AssertionError("it ended: " + self.printed)
            self.printed += bytes_read.decode()
        self.scheme, self.host, port, self.token = LINK.search(self.printed).groups()
        self.port = int(port)

    def client(self, login=True):
        client = Client(self.host, self.port, self.scheme == "https")
        if login:
            answer = client.login(self.token)
            assert answer.status == 204, answer.text
        return client

    def drain(self):
        """Reads its output, so that it never blocks."""
        while select.select([self.process.stdout], [], [], 0)[0]:
            bytes_read = os.read(self.process.stdout.fileno(), 65536)
            if not bytes_read:
                return
            self.printed += bytes_read.decode()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode("utf-8", "replace")

    def json(self):
        return json.loads(self.text)


class Client:
    """Sends requests like the page; every header can be removed or replaced."""

    def __init__(self, host, port, tls=False):
        self.host, self.port, self.tls = host, port, tls
        self.origin = f"{'https' if tls else 'http'}://{host}:{port}"
        self.cookie = ""

    def connect(self):
        if self.tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return http.client.HTTPSConnection(self.host, self.port, timeout=20, context=context)
        return http.client.HTTPConnection(self.host, self.port, timeout=20)

    def headers(self, more):
        headers = {"Sec-Fetch-Site": "same-origin", "Cookie": self.cookie}
        headers.update(more)
        return {name: value for name, value in headers.items() if value}

    def send(self, method, target, body=None, **more):
        """Underscores of names become dashes."""
        named = {name.replace("_", "-"): value for name, value in more.items()}
        connection = self.connect()
        connection.request(method, target, body, self.headers(named))
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def get(self, target, **more):
        return self.send("GET", target, **more)

    def post(self, target, value, **more):
        more.setdefault("Content_Type", "application/json")
        more.setdefault("Origin", self.origin)
        return self.send("POST", target, json.dumps(value), **more)

    def login(self, token, **more):
        answer = self.post("/api/session", {"token": token}, **more)
        if answer.status == 204:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return answer

    def stream(self, run, last=None, **more):
        named = {name.replace("_", "-"): value for name, value in more.items()}
        if last is not None:
            named["Last-Event-ID"] = str(last)
        return Stream(self, f"/api/runs/{run}/stream", self.headers(named))


class Stream:
    """Events one by one."""

    def __init__(self, client, target, headers):
        self.connection = client.connect()
        self.connection.request("GET", target, headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def next(self):
        """A dictionary with id, event and data; comments are skipped."""
        fields = {}
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if not line and fields:
                return fields
            if not line and self.response.closed:
                return None
            if ": " in line and not line.startswith(":"):
                name, value = line.split(": ", 1)
                fields[name] = value

    def rounds(self, count):
        found = []
        while len(found) < count:
            event = self.next()
            if event["event"] == "round":
                found.append(event)
        return found

    def close(self):
        self.connection.close()


def wait_for(what, seconds=20):
    """Waits until it returns something true."""
    deadline = time.monotonic() + seconds
    while True:
        found = what()
        if found:
            return found
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)
