"""The control plane: etcd, API server, controller manager, scheduler."""

import http.client
import json

from . import parts, pki, process, slots
from .api import Api, fetch

READY_TIMEOUT_S = 120
# How long a node may be silent. A real one that is dead is known after 20 s instead of 50, so that
# tests need not wait. kwok's are late when the machine has much to do, and pods on a node that was
# given up once are never ready again: kwok does not look at them a second time.
GRACE_PERIOD = {"scale": "180s", "real": "20s"}
# Who is not asked about: reads and heartbeats of the cluster's own parts would drown the rest.
OWN_USERS = ["system:apiserver", "system:kube-controller-manager", "system:kube-scheduler", "kwok",
             "metrics-server", "prometheus"]


def prepare(cluster, address):
    """Certificates, keys, policies and the kubeconfig of the administrator."""
    slot = cluster.data["slot"]
    cluster.save(address=address, server=f"https://{address}:{cluster.port('apiserver')}")
    addresses = {"127.0.0.1", address, slots.api_address(slot), slots.bridge_address(slot)}
    names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
             "kubernetes.default.svc.cluster.local"]
    pki.make_all(cluster, [f"IP:{a}" for a in sorted(addresses)] + [f"DNS:{n}" for n in names])
    pki.write_kubeconfig(cluster, cluster.kubeconfig, "admin")
    with open(cluster.path("audit-policy.json"), "w", encoding="utf-8") as file:
        json.dump(audit_policy(), file, indent=1)


def audit_policy():
    """Who did what to which object, once a request is done; bodies are left out."""
    own = [{"level": "None", "users": OWN_USERS, "verbs": ["get", "list", "watch"]},
           {"level": "None", "userGroups": ["system:nodes", "system:serviceaccounts:kube-system"],
            "verbs": ["get", "list", "watch"]},
           {"level": "None", "users": OWN_USERS,
            "resources": [{"group": "coordination.k8s.io", "resources": ["leases"]}]},
           {"level": "None", "userGroups": ["system:nodes"],
            "resources": [{"group": "coordination.k8s.io", "resources": ["leases"]}]},
           {"level": "None", "nonResourceURLs": ["/readyz*", "/livez*", "/healthz*"]}]
    return {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
            "rules": own + [{"level": "Metadata"}]}


def etcd_command(cluster):
    client, peer = (f"http://127.0.0.1:{cluster.port(n)}" for n in ("etcd", "etcd-peer"))
    return [parts.find("etcd"), "--name=testbed", f"--data-dir={cluster.path('etcd')}",
            f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=testbed={peer}",
            # A test cluster may lose its data with its machine; it starts in half the time.
            "--unsafe-no-fsync", "--quota-backend-bytes=8589934592", "--log-level=warn",
            "--auto-compaction-mode=periodic", "--auto-compaction-retention=0"]


def start_etcd(cluster):
    started = process.start(cluster, "etcd", etcd_command(cluster))
    url = f"http://127.0.0.1:{cluster.port('etcd')}/readyz"

    def ready():
        try:
            fetch(url, timeout_s=2)
        except (OSError, http.client.HTTPException):
            return False
        return True

    process.wait_until(ready, READY_TIMEOUT_S, "etcd", cluster.log("etcd"), started)


def apiserver_command(cluster):
    data, key = cluster.data, cluster.pki
    flags = {
        "bind-address": data["address"], "advertise-address": data["address"],
        "secure-port": cluster.port("apiserver"),
        "etcd-servers": f"http://127.0.0.1:{cluster.port('etcd')}",
        "service-cluster-ip-range": slots.networks_of(data["slot"])["services"],
        "authorization-mode": "Node,RBAC", "allow-privileged": "true",
        "client-ca-file": key("ca.crt"),
        "tls-cert-file": key("apiserver.crt"), "tls-private-key-file": key("apiserver.key"),
        "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
        "service-account-key-file": key("service-account.pub"),
        "service-account-signing-key-file": key("service-account.key"),
        "kubelet-certificate-authority": key("ca.crt"),
        "kubelet-client-certificate": key("apiserver-kubelet-client.crt"),
        "kubelet-client-key": key("apiserver-kubelet-client.key"),
        # Logs and exec would else look for node names in the DNS.
        "kubelet-preferred-address-types": "InternalIP",
        "requestheader-client-ca-file": key("front-proxy-ca.crt"),
        "requestheader-allowed-names": "front-proxy-client",
        "requestheader-username-headers": "X-Remote-User",
        "requestheader-group-headers": "X-Remote-Group",
        "requestheader-extra-headers-prefix": "X-Remote-Extra-",
        "proxy-client-cert-file": key("front-proxy-client.crt"),
        "proxy-client-key-file": key("front-proxy-client.key"),
        # There is no kube-proxy: go to endpoints, not to service addresses.
        "enable-aggregator-routing": "true",
        "enable-admission-plugins": "NodeRestriction",
        "audit-policy-file": cluster.path("audit-policy.json"),
        "audit-log-path": cluster.path("audit.log"),
        "audit-log-maxsize": 200, "audit-log-maxbackup": 5,
    }
    if data["profile"] == "api":
        # No controller makes the service accounts that pods need, and an address of the loopback
        # is no endpoint.
        flags["disable-admission-plugins"] = "ServiceAccount"
        flags["endpoint-reconciler-type"] = "none"
    if data["profile"] == "scale":
        flags["endpoint-reconciler-type"] = "none"
    flags.update(data.get("apiserver_flags", {}))
    program = parts.find("kube-apiserver", f"kubernetes-{data['minor']}")
    return [program] + [f"--{name}={value}" for name, value in flags.items()]


def start_apiserver(cluster):
    started = process.start(cluster, "apiserver", apiserver_command(cluster))
    api = Api(cluster, timeout_s=5)
    process.wait_until(api.is_ready, READY_TIMEOUT_S, "the API server", cluster.log("apiserver"),
                       started)
    api.close()


def identity(cluster, name, user=None, groups=(), names=()):
    """A certificate and a kubeconfig for a part of the cluster. Returns the kubeconfig's path."""
    pki.certificate(cluster, name, user or name, groups, names)
    return pki.write_kubeconfig(cluster, cluster.path(f"{name}.kubeconfig"), name)


def controller_flags(cluster, config):
    return {
        "kubeconfig": config, "leader-elect": "false", "bind-address": "127.0.0.1",
        "secure-port": cluster.port("controller-manager"),
        "root-ca-file": cluster.pki("ca.crt"),
        "service-account-private-key-file": cluster.pki("service-account.key"),
        "cluster-signing-cert-file": cluster.pki("ca.crt"),
        "cluster-signing-key-file": cluster.pki("ca.key"),
        "use-service-account-credentials": "true",
        "node-monitor-grace-period": GRACE_PERIOD[cluster.data["profile"]],
        "node-monitor-period": "2s",
        "kube-api-qps": 300, "kube-api-burst": 600,
        "concurrent-deployment-syncs": 10, "concurrent-replicaset-syncs": 20,
        # It makes this folder; by itself one under /usr/libexec, which would stay.
        "flex-volume-plugin-dir": cluster.path("volume-plugins"),
    }


def start_controllers(cluster):
    """Starts controller manager and scheduler. Does not wait: nobody needs them at once."""
    config = identity(cluster, "controller-manager", "system:kube-controller-manager")
    flags = controller_flags(cluster, config)
    process.start(cluster, "controller-manager", [parts.find("kube-controller-manager")]
                  + [f"--{name}={value}" for name, value in flags.items()])
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
              "leaderElection": {"leaderElect": False},
              "clientConnection": {"kubeconfig": identity(cluster, "scheduler",
                                                          "system:kube-scheduler"),
                                   "qps": 500, "burst": 1000}}
    path = cluster.path("scheduler.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file, indent=1)
    process.start(cluster, "scheduler",
                  [parts.find("kube-scheduler"), f"--config={path}", "--bind-address=127.0.0.1",
                   f"--secure-port={cluster.port('scheduler')}"])


def wait_controllers(cluster):
    """Waits until new pods are given accounts and places: the default account is the last step."""
    api = Api(cluster)
    account = "/api/v1/namespaces/default/serviceaccounts/default"
    process.wait_until(lambda: api.get(account, accept=(404,)), READY_TIMEOUT_S,
                       "the controller manager", cluster.log("controller-manager"),
                       process.recorded(cluster, "controller-manager"))
    api.close()
