"""A small client of the cluster's API server, as its administrator: JSON in, JSON out."""

import http.client
import json
import ssl
import urllib.parse
import urllib.request

from .errors import TestbedError


def fetch(url, timeout_s):
    """The body of a page of this machine; never through a proxy. Raises OSError."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=timeout_s) as answer:
        return answer.read()


class Api:
    """One connection, opened when needed and again after it broke. Not for several threads."""

    def __init__(self, cluster, timeout_s=30.0):
        url = urllib.parse.urlsplit(cluster.data["server"])
        self.address, self.timeout_s, self.connection = (url.hostname, url.port), timeout_s, None
        self.context = ssl.create_default_context(cafile=cluster.pki("ca.crt"))
        self.context.load_cert_chain(cluster.pki("admin.crt"), cluster.pki("admin.key"))

    def raw(self, method, path, body=None, kind="application/json"):
        """(status, body). Raises OSError or HTTPException if there is no answer."""
        if self.connection is None:
            self.connection = http.client.HTTPSConnection(*self.address, timeout=self.timeout_s,
                                                          context=self.context)
        headers = {"Accept": "application/json", "User-Agent": "parley-testbed",
                   "Content-Type": kind}
        content = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, path, content, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def call(self, method, path, body=None, kind="application/json", accept=()):
        """The decoded answer. A refusal is an error, but for statuses in accept: then None."""
        try:
            status, content = self.raw(method, path, body, kind)
        except (OSError, http.client.HTTPException) as error:
            raise TestbedError(f"{method} {path}: the API server did not answer: {error}") from None
        if status in accept:
            return None
        try:
            value = json.loads(content) if content else {}
        except ValueError:
            value = {"message": content[:200].decode(errors="replace")}
        if status >= 300:
            raise TestbedError(f"{method} {path}: the API server answered {status}: "
                               f"{value.get('message', '')}")
        return value

    def get(self, path, accept=()):
        return self.call("GET", path, accept=accept)

    def ensure(self, path, body):
        """Creates an object in a collection; one of that name may be there already."""
        return self.call("POST", path, body, accept=(409,))

    def is_ready(self, path="/readyz"):
        try:
            return self.raw("GET", path)[0] == 200
        except (OSError, http.client.HTTPException):
            return False
