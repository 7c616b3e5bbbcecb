"""Certificates and keys of a cluster, by the openssl program, and kubeconfigs made of them."""

import base64
import os
import subprocess

from .errors import TestbedError

DAYS = 3650
# Nothing of the machine's own openssl.cnf: it would add extensions to every certificate.
CONFIG = "[req]\ndistinguished_name = name\n[name]\n"


def openssl(*arguments):
    try:
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, timeout=60,
                              check=False)
    except FileNotFoundError:
        raise TestbedError("openssl is not installed; run tools/setup.sh cluster") from None
    except subprocess.TimeoutExpired:
        raise TestbedError(f"openssl {arguments[0]} took over 60 s") from None
    if done.returncode != 0:
        raise TestbedError(f"openssl {' '.join(arguments)} failed: {done.stderr.strip()}")


def request(cluster, name, subject, extensions, signer=()):
    config = cluster.pki("openssl.cnf")
    if not os.path.exists(config):
        with open(config, "w", encoding="ascii") as file:
            file.write(CONFIG)
    added = [part for extension in extensions for part in ("-addext", extension)]
    openssl("req", "-x509", "-config", config, "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(DAYS), "-subj", subject,
            "-keyout", cluster.pki(f"{name}.key"), "-out", cluster.pki(f"{name}.crt"),
            *added, *signer)


def authority(cluster, name):
    """A certificate authority of the cluster's own."""
    request(cluster, name, f"/CN={name}",
            ["basicConstraints=critical,CA:TRUE", "subjectKeyIdentifier=hash",
             "keyUsage=critical,digitalSignature,keyCertSign,cRLSign"])


def certificate(cluster, name, user, groups=(), names=(), signer="ca"):
    """A certificate for a client and, with names (`IP:...`, `DNS:...`), for a server."""
    usage = "clientAuth,serverAuth" if names else "clientAuth"
    extensions = ["basicConstraints=critical,CA:FALSE", f"extendedKeyUsage={usage}",
                  "keyUsage=critical,digitalSignature,keyEncipherment"]
    if names:
        extensions.append("subjectAltName=" + ",".join(names))
    subject = "".join(f"/O={group}" for group in groups) + f"/CN={user}"
    request(cluster, name, subject, extensions,
            ("-CA", cluster.pki(f"{signer}.crt"), "-CAkey", cluster.pki(f"{signer}.key")))


def service_account_keys(cluster):
    key = cluster.pki("service-account.key")
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", key)
    openssl("pkey", "-in", key, "-pubout", "-out", cluster.pki("service-account.pub"))


def make_all(cluster, server_names):
    """What every profile needs."""
    authority(cluster, "ca")
    authority(cluster, "front-proxy-ca")
    certificate(cluster, "apiserver", "kube-apiserver", names=server_names)
    certificate(cluster, "apiserver-kubelet-client", "kube-apiserver-kubelet-client",
                groups=["system:masters"])
    certificate(cluster, "front-proxy-client", "front-proxy-client", signer="front-proxy-ca")
    certificate(cluster, "admin", "admin", groups=["system:masters"])
    service_account_keys(cluster)


def encoded(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def write_kubeconfig(cluster, path, user):
    """A kubeconfig that holds all it needs, for a user whose certificate has the same name."""
    text = f"""apiVersion: v1
kind: Config
clusters:
- name: {cluster.name}
  cluster:
    server: {cluster.data["server"]}
    certificate-authority-data: {encoded(cluster.pki("ca.crt"))}
users:
- name: {user}
  user:
    client-certificate-data: {encoded(cluster.pki(f"{user}.crt"))}
    client-key-data: {encoded(cluster.pki(f"{user}.key"))}
contexts:
- name: {cluster.name}
  context:
    cluster: {cluster.name}
    user: {user}
current-context: {cluster.name}
"""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return path
