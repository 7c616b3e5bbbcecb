"""Every way in which Parley is stopped while it acts as fast as it can, and how long it goes on sending by the API
server's audit log; for stops_test.py and bench/acting_figures.py."""

import http.client
import json
import random
import re
import signal
import subprocess
import time

from kit import until
from stage import at

LINK = re.compile(r"Dashboard: https?://([^/:]+):(\d+)/#token=(\S+)")
WHOLE = 202  # Changes of a throttle of the stage's hundred pods: each is marked and resized, and so is the node.
QUIET_S = 3  # So long nothing may come any more; a round that goes on takes less.


def by_command(run):
    """`parley stop`, from its start on."""
    begun = time.time()
    done = subprocess.run([run.program, "stop", run.run], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise AssertionError(f"parley stop: {done.stderr}")
    return begun


def by_button(run):
    """What the page sends when its button is pressed."""
    begun = time.time()
    status, _ = run.page.post(f"/api/runs/{run.name()}/stop", {})
    if status != 200:
        raise AssertionError(f"the button: {status}")
    return begun


def by_signal(run):
    """SIGTERM, as Kubernetes sends it."""
    begun = time.time()
    run.process.send_signal(signal.SIGTERM)
    return begun


def by_config_map(run):
    """kubectl create configmap parley-stop, as the API server gets it."""
    begun = time.time()
    status, answer = run.stage.admin.send("POST", "/api/v1/namespaces/parley-system/configmaps", {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "parley-stop"}})
    if status != 201:
        raise AssertionError(f"the ConfigMap: {answer}")
    return begun


WAYS = {"parley stop": by_command, "the page's button": by_button, "SIGTERM": by_signal, "a ConfigMap": by_config_map}


class Page:
    """A page that is open: it has exchanged the link's token for a cookie."""

    def __init__(self, host, port, token):
        self.where, self.cookie = (host, int(port)), ""
        status, headers = self.post("/api/session", {"token": token})
        if status != 204:
            raise AssertionError(f"the page's login: {status}")
        self.cookie = headers["Set-Cookie"].split(";")[0]

    def post(self, path, body):
        line = http.client.HTTPConnection(*self.where, timeout=20)
        line.request("POST", path, json.dumps(body), {
            "Content-Type": "application/json", "Origin": "http://{}:{}".format(*self.where), "X-Parley": "1",
            "Sec-Fetch-Site": "same-origin", **({"Cookie": self.cookie} if self.cookie else {})})
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status, answer.headers


def visit(run):
    """Somebody has the page open."""
    link = until(lambda: LINK.search(run.words()), 30, "the dashboard's link")
    run.page = Page(*link.groups())


def begin(stage, draw=random.Random(7)):
    """A Parley in the middle of an action of about two hundred requests; and where its log begins."""
    since = stage.log_size()
    stage.world.press(stage.home.victim, True)
    run = stage.live("--listen", "127.0.0.1:0")
    visit(run)
    until(lambda: len(stage.changes(since)) > 10, 60, "an action that has begun")
    time.sleep(draw.uniform(0, 1))
    return run, since


def seconds_on(stage, way):
    """For how many seconds it went on to send once it was stopped, and how many requests; nothing is sent later."""
    run, since = begin(stage)
    try:
        begun = WAYS[way](run)
        time.sleep(QUIET_S)
        changes = stage.changes(since)
        late = [e for e in changes if at(e) > begun]
        if len(changes) >= WHOLE:
            return None  # Only an action that had more to do shows anything.
        return (max((at(e) - begun for e in late), default=0.0), len(late))
    finally:
        run.end()
        stage.reset()


def measure(stage, way, count):
    """Of so many that were stopped in the middle: seconds and requests of each."""
    found = []
    while len(found) < count:
        one = seconds_on(stage, way)
        if one is not None:
            found.append(one)
    return found
