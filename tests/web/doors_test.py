#!/usr/bin/env python3
"""Each protection of the dashboard, tried from outside.

Usage: tests/web/doors_test.py PROGRAM [unittest arguments]   (from the project's root)
"""

import json
import os
import re
import socket
import ssl
import subprocess
import sys
import hashlib
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kit import Client, Folder, Serving, wait_for

PROGRAM = ""


def raw(port, text, host="127.0.0.1"):
    """The answer to these bytes."""
    with socket.create_connection((host, port), timeout=20) as connection:
        connection.sendall(text)
        out = b""
        try:
            while chunk := connection.recv(65536):
                out += chunk
        except (ConnectionResetError, TimeoutError):
            pass
        return out.decode("utf-8", "replace")


class Doors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.folder.run(PROGRAM, "simulate", "--rounds", "12", "--event-dir", "tour")
        cls.server = Serving(PROGRAM, cls.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        cls.client = cls.server.client()
        wait_for(lambda: cls.client.get("/readyz").status == 200)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.remove()

    def test_the_shell_needs_no_login_and_holds_no_data(self):
        stranger = self.server.client(login=False)
        for target in ("/", "/tour/12", "/tour/live/node/node-01"):
            answer = stranger.get(target, Sec_Fetch_Site="cross-site")
            self.assertEqual(answer.status, 200)
            self.assertIn("<!doctype html>", answer.text.lower())
            self.assertNotIn("node-01", answer.text)

    def test_every_answer_of_the_api_needs_one(self):
        stranger = self.server.client(login=False)
        for target in ("/api/runs", "/api/session", "/api/openapi.json", "/api/runs/tour",
                       "/api/runs/tour/rounds/live", "/api/runs/tour/stream",
                       "/api/runs/tour/export?what=events", "/api/runs/none"):
            answer = stranger.get(target)
            self.assertEqual(answer.status, 401, target)
            self.assertNotIn("node-", answer.text)
        self.assertEqual(stranger.post("/api/runs/tour/stop", {}, X_Parley="1").status, 401)
        stranger.cookie = f"parley_{self.server.port}=" + "0" * 64
        self.assertEqual(stranger.get("/api/runs").status, 401)

    def test_a_token_is_good_once(self):
        again = self.server.client(login=False)
        answer = again.login(self.server.token)
        self.assertEqual(answer.status, 401)
        self.assertEqual(answer.json()["error"]["sentence"], "This link was used or has expired.")

    def test_the_cookie_is_strict_and_names_the_port(self):
        link = self.folder.run(PROGRAM, "link", "tour").stdout.strip()
        other = self.server.client(login=False)
        cookie = other.login(link.split("token=")[1]).headers["Set-Cookie"]
        self.assertTrue(cookie.startswith(f"parley_{self.server.port}="))
        for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(part, cookie)

    def test_pages_of_other_sites_get_nothing(self):
        for origin in ("https://evil.example", "null", f"http://localhost.evil:{self.server.port}"):
            self.assertEqual(self.client.get("/api/runs", Origin=origin).status, 403, origin)
            self.assertEqual(self.client.post("/api/session", {"token": "x"}, Origin=origin).status,
                             403)
        self.assertEqual(self.client.get("/api/runs", Origin=self.client.origin).status, 200)

    def test_the_stream_is_for_the_page_itself(self):
        for site in ("cross-site", "same-site", "none", ""):
            answer = self.client.get("/api/runs/tour/stream", Sec_Fetch_Site=site)
            self.assertEqual(answer.status, 403, site)

    def test_a_name_that_was_bound_to_this_address_opens_nothing(self):
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1:1"):
            for target in ("/", "/api/runs"):
                self.assertEqual(self.client.get(target, Host=host).status, 403, host)
        local = f"localhost:{self.server.port}"
        self.assertEqual(self.client.get("/api/runs", Host=local).status, 200)

    def test_nothing_is_changed_by_reading(self):
        self.assertEqual(self.client.get("/api/runs/tour/stop").status, 405)
        self.assertEqual(self.client.send("PUT", "/api/runs/tour/stop", "{}").status, 405)
        self.assertEqual(self.client.send("DELETE", "/api/session").status, 405)

    def test_headers_of_every_answer(self):
        for target in ("/", "/api/runs", "/api/nothing", "/healthz"):
            headers = self.client.get(target).headers
            policy = headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")

    def test_answers_of_the_api_are_kept_nowhere(self):
        self.assertEqual(self.client.get("/api/runs").headers["Cache-Control"], "no-store")

    def test_sizes_are_limited(self):
        port = self.server.port
        head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
        self.assertIn(" 413 ", raw(port, head + b"X: " + b"a" * 20000 + b"\r\n\r\n").split("\n")[0])
        post = (f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                "Content-Type: application/json\r\nContent-Length: 70000\r\n\r\n").encode()
        self.assertIn(" 413 ", raw(port, post + b"a" * 70000).split("\n")[0])
        self.assertEqual(self.client.get("/api/runs/" + "a" * 5000).status, 400)

    def test_what_is_no_http_gets_an_answer_or_an_end(self):
        port = self.server.port
        for text in (b"\x16\x03\x01\x02\x00", b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
            out = raw(port, text + b"\r\n\r\n")
            self.assertTrue(out == "" or " 400 " in out.split("\n")[0], out[:80])
        self.assertEqual(self.client.get("/healthz").status, 200)

    def test_other_methods_are_refused_and_head_has_no_body(self):
        for method in ("OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"):
            for target in ("/", "/api/runs", "/api/session"):
                answer = self.client.send(method, target)
                self.assertEqual(answer.status, 405, (method, target))
                self.assertIn("Allow", answer.headers)
                self.assertNotIn("Access-Control-Allow-Origin", answer.headers)
        head = self.client.send("HEAD", "/api/runs")
        self.assertEqual((head.status, head.text), (200, ""))
        self.assertGreater(int(head.headers["Content-Length"]), 0)

    def test_a_token_in_the_address_or_the_cookie_of_another_port_opens_nothing(self):
        link = self.folder.run(PROGRAM, "link", "tour").stdout.strip()
        token = link.split("token=")[1]
        stranger = self.server.client(login=False)
        self.assertEqual(stranger.get("/api/runs?token=" + token).status, 401)
        value = self.client.cookie.split("=", 1)[1]
        for cookie in (f"parley_{self.server.port + 1}={value}", f"parley={value}",
                       f"x=parley_{self.server.port}={value}", f"PARLEY_{self.server.port}={value}"):
            stranger.cookie = cookie
            self.assertEqual(stranger.get("/api/runs").status, 401, cookie)

    def test_paths_lead_nowhere_but_to_the_page(self):
        port = self.server.port
        for target in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../etc",
                       "/assets/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/%00", "/%", "/%zz",
                       "/assets/%ff%fe", "http://evil.example/api/runs", "*"):
            text = raw(port, f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                             "Connection: close\r\n\r\n".encode())
            self.assertRegex(text.split("\n")[0], r" (200|400|404) ", target)
            self.assertNotIn("root:", text, target)
            if " 200 " in text.split("\n")[0]:
                self.assertIn("<!doctype html>", text.lower(), target)

    def test_several_requests_in_one_write_are_answered_in_order(self):
        port = self.server.port
        one = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        text = raw(port, (one + "\r\n").encode() * 50 + (one + "Connection: close\r\n\r\n").encode())
        self.assertEqual(text.count("HTTP/1.1 200 OK"), 51)
        self.assertIn(" 200 ", raw(port, f"GET / HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()))

    def test_a_request_that_says_two_things_is_not_believed(self):
        port = self.server.port
        for more in ("Content-Length: 5\r\nContent-Length: 6\r\n",
                     "Content-Length: -1\r\n",
                     "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
                     f"Host: evil.example\r\n"):
            text = raw(port, (f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}"
                              "Connection: close\r\n\r\n0\r\n\r\n").encode())
            self.assertRegex(text.split("\n")[0], r" 4\d\d ", more)

    def test_slow_heads_and_idle_connections_keep_nobody_out(self):
        port = self.server.port
        slow = []
        try:
            for _ in range(300):
                connection = socket.create_connection(("127.0.0.1", port), timeout=20)
                connection.sendall(b"GET / HTTP/1.1\r\nX: ")
                slow.append(connection)
            for _ in range(5):
                self.assertEqual(self.client.get("/api/runs").status, 200)
        finally:
            for connection in slow:
                connection.close()

    def test_hostile_bytes_in_names_come_back_as_text(self):
        answer = self.client.get("/api/runs/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
        self.assertEqual(answer.status, 404)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        json.loads(answer.text)

    def test_probes_need_no_login(self):
        stranger = self.server.client(login=False)
        for target in ("/healthz", "/livez", "/readyz", "/metrics"):
            self.assertEqual(stranger.get(target, Host="10.1.2.3").status, 200, target)
        text = stranger.get("/metrics").text
        self.assertIn("parley_build_info{", text)
        self.assertRegex(text, r'parley_http_requests_total\{code="200"\} \d+')


class Apart(unittest.TestCase):
    """Protections that need a server of their own."""

    def setUp(self):
        self.folder = Folder()
        self.folder.run(PROGRAM, "simulate", "--rounds", "3", "--event-dir", "tour")
        self.server = None

    def tearDown(self):
        if self.server:
            self.server.stop()
        self.folder.remove()

    def test_guessing_is_slowed_down_and_locks_nobody_out(self):
        self.server = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        stranger = self.server.client(login=False)
        statuses = [stranger.login("1.2.3").status for _ in range(12)]
        self.assertEqual(statuses[:10], [401] * 10)
        self.assertEqual(statuses[10:], [429] * 2)
        knows = self.server.client(login=False)
        self.assertEqual(knows.login(self.server.token).status, 204, "a right one is let in")
        self.assertEqual(stranger.login("1.2.3").status, 429, "and a wrong one still is not")
        link = self.folder.run(PROGRAM, "link", "tour").stdout
        token = re.search(r"#token=(\S+)", link).group(1)
        self.assertEqual(self.server.client(login=False).login(token).status, 204, link)

    def test_requests_are_limited(self):
        self.server = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        client = self.server.client()
        connection = client.connect()
        statuses = []
        for _ in range(3000):
            connection.request("GET", "/api/runs", headers=client.headers({}))
            response = connection.getresponse()
            response.read()
            statuses.append(response.status)
            if response.status == 429:
                break
        connection.close()
        self.assertEqual(statuses[0], 200)
        self.assertIn(429, statuses)

    def test_another_address_only_with_tls(self):
        refused = self.folder.run(PROGRAM, "serve", "tour", "--listen", "0.0.0.0:0", check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--tls auto", refused.stderr)
        self.server = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "0.0.0.0:0",
                              "--tls", "auto")
        self.assertEqual(self.server.scheme, "https")
        said = re.search(r"SHA-256 ([0-9A-F:]+)", self.server.printed).group(1)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01" + b"\xff" * 600, b"\0" * 100):
            self.assertNotIn("HTTP/1.1 200", raw(self.server.port, garbage + b"\r\n\r\n"))
        with socket.create_connection(("127.0.0.1", self.server.port)) as plain:
            with context.wrap_socket(plain) as secure:
                shown = hashlib.sha256(secure.getpeercert(True)).hexdigest().upper()
        self.assertEqual(said.replace(":", ""), shown)
        client = Client("localhost", self.server.port, True)
        answer = client.login(self.server.token)
        self.assertEqual(answer.status, 204)
        self.assertIn("Secure", answer.headers["Set-Cookie"])
        stream = client.stream("tour")
        self.assertEqual(stream.next()["event"], "status")
        stream.close()

    def test_a_taken_port_is_said_and_the_default_looks_for_the_next(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            refused = self.folder.run(PROGRAM, "serve", "tour", "--listen", f"127.0.0.1:{port}",
                                      check=False)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("in use", refused.stderr)

    def test_the_secrets_of_a_server_are_its_owners_alone(self):
        self.server = Serving(PROGRAM, self.folder, "serve", "tour", "--listen", "127.0.0.1:0")
        path = f"{self.folder.path}/state/parley/servers/{self.server.port}.json"
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            word = json.load(file)
        for argument in subprocess.run(["ps", "-o", "args=", str(self.server.process.pid)],
                                       capture_output=True, text=True, check=True).stdout.split():
            self.assertNotIn(word["key"], argument)
        self.server.stop()
        self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
