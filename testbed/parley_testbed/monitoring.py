"""What measures real nodes: metrics-server, through aggregation, and Prometheus."""

import http.client
import json
import urllib.parse

from . import control, parts, process, slots
from .api import Api, fetch

READY_TIMEOUT_S = 120
SYSTEM = "/api/v1/namespaces/kube-system"
RBAC = "/apis/rbac.authorization.k8s.io/v1"


def start(cluster):
    grant_access(cluster)
    start_metrics_server(cluster)
    start_prometheus(cluster)
    wait(cluster)


def role(name, *rules):
    return {"metadata": {"name": name},
            "rules": [{"apiGroups": [""], "resources": resources, "verbs": verbs}
                      for resources, verbs in rules]}


def binding(name, user, role_name, kind="ClusterRole"):
    return {"metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role_name},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]}


def grant_access(cluster):
    api = Api(cluster)
    roles, bindings = f"{RBAC}/clusterroles", f"{RBAC}/clusterrolebindings"
    look = ["get", "list", "watch"]
    api.ensure(roles, role("testbed:metrics-server", (["nodes/metrics"], ["get"]),
                           (["pods", "nodes"], look)))
    api.ensure(roles, role("testbed:prometheus", (["nodes/metrics", "nodes/stats"], ["get"])))
    for user in ("metrics-server", "prometheus"):
        api.ensure(bindings, binding(f"testbed:{user}", user, f"testbed:{user}"))
    api.ensure(bindings, binding("testbed:metrics-server-delegates", "metrics-server",
                                 "system:auth-delegator"))
    reader = "extension-apiserver-authentication-reader"
    api.ensure(f"{RBAC}/namespaces/kube-system/rolebindings",
               binding("testbed:metrics-server", "metrics-server", reader, "Role"))
    api.close()


def start_metrics_server(cluster):
    address, port = slots.bridge_address(cluster.data["slot"]), cluster.port("metrics-server")
    config = control.identity(
        cluster, "metrics-server",
        names=["DNS:metrics-server.kube-system.svc", f"IP:{address}"])
    process.start(cluster, "metrics-server", [
        parts.find("metrics-server"), f"--kubeconfig={config}",
        f"--authentication-kubeconfig={config}", f"--authorization-kubeconfig={config}",
        f"--bind-address={address}", f"--secure-port={port}",
        f"--tls-cert-file={cluster.pki('metrics-server.crt')}",
        f"--tls-private-key-file={cluster.pki('metrics-server.key')}",
        "--kubelet-preferred-address-types=InternalIP",
        f"--kubelet-certificate-authority={cluster.pki('ca.crt')}",
        # The resolution must exceed the time-out.
        "--metric-resolution=10s", "--kubelet-request-timeout=5s"])
    register_metrics_server(cluster, address, port)


def register_metrics_server(cluster, address, port):
    """A Service without selector whose one endpoint is the process on this machine."""
    api = Api(cluster)
    api.ensure(f"{SYSTEM}/services", {
        "metadata": {"name": "metrics-server"},
        "spec": {"ports": [{"name": "https", "port": 443, "targetPort": port}]}})
    api.ensure("/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices", {
        "metadata": {"name": "metrics-server-testbed",
                     "labels": {"kubernetes.io/service-name": "metrics-server"}},
        "addressType": "IPv4", "ports": [{"name": "https", "port": port, "protocol": "TCP"}],
        "endpoints": [{"addresses": [address], "conditions": {"ready": True}}]})
    with open(cluster.kubeconfig, encoding="utf-8") as file:
        authority = next(line.split()[1] for line in file if "certificate-authority-data" in line)
    api.ensure("/apis/apiregistration.k8s.io/v1/apiservices", {
        "metadata": {"name": "v1beta1.metrics.k8s.io"},
        "spec": {"group": "metrics.k8s.io", "version": "v1beta1", "caBundle": authority,
                 "groupPriorityMinimum": 100, "versionPriority": 100,
                 "service": {"name": "metrics-server", "namespace": "kube-system"}}})
    api.close()


def prometheus_config(cluster):
    """A job for each thing that a node serves. Only kubelets get a label `node`: joins of
    node-exporter go by address or by node_uname_info, as in many real clusters."""
    tls = {"ca_file": cluster.pki("ca.crt"), "cert_file": cluster.pki("prometheus.crt"),
           "key_file": cluster.pki("prometheus.key")}
    kubelets = [{"targets": [f"{n['address']}:10250"], "labels": {"node": n["name"]}}
                for n in cluster.data["nodes"]]
    jobs = [{"job_name": name, "scheme": "https", "metrics_path": path, "tls_config": tls,
             "static_configs": kubelets}
            for name, path in (("kubelet", "/metrics"), ("kubelet-resource", "/metrics/resource"),
                               ("kubelet-cadvisor", "/metrics/cadvisor"))]
    jobs.append({"job_name": "node-exporter", "static_configs": [
        {"targets": [f"{n['address']}:9100" for n in cluster.data["nodes"]]}]})
    return {"global": {"scrape_interval": "5s", "scrape_timeout": "4s"}, "scrape_configs": jobs}


def start_prometheus(cluster):
    control.identity(cluster, "prometheus")
    path = cluster.path("prometheus.yml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(prometheus_config(cluster), file, indent=1)  # JSON is YAML.
    process.start(cluster, "prometheus", [
        "prometheus", f"--config.file={path}", f"--storage.tsdb.path={cluster.path('prometheus')}",
        f"--web.listen-address=127.0.0.1:{cluster.port('prometheus')}",
        "--web.enable-lifecycle", "--storage.tsdb.retention.time=1d", "--log.level=warn"])


def prometheus_url(cluster):
    return f"http://127.0.0.1:{cluster.port('prometheus')}"


def ask_prometheus(cluster, query):
    """The result of an instant query, or None if it does not answer."""
    url = f"{prometheus_url(cluster)}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    try:
        return json.loads(fetch(url, timeout_s=5))["data"]["result"]
    except (OSError, http.client.HTTPException, ValueError, KeyError):
        return None


def wait(cluster):
    """Until both have measured every node; metrics-server needs two scrapes for a rate."""
    api, count = Api(cluster), len(cluster.data["nodes"])
    nodes = "/apis/metrics.k8s.io/v1beta1/nodes"
    measured = lambda: len((api.get(nodes, accept=(404, 500, 503)) or {}).get("items", [])) >= count
    process.wait_until(measured, READY_TIMEOUT_S, "metrics-server", cluster.log("metrics-server"),
                       process.recorded(cluster, "metrics-server"))
    api.close()
    query = 'sum(up{job="kubelet-resource"})'
    scraped = lambda: any(float(r["value"][1]) >= count
                          for r in ask_prometheus(cluster, query) or [])
    process.wait_until(scraped, READY_TIMEOUT_S, "Prometheus", cluster.log("prometheus"),
                       process.recorded(cluster, "prometheus"))
