"""What a cluster shows of itself, for programs (JSON) and for people."""

import os

from . import monitoring, parts, process


def describe(cluster):
    """Everything that a test needs to use the cluster."""
    data = cluster.data
    processes = process.all_recorded(cluster)
    value = {
        "name": cluster.name, "profile": data.get("profile"), "phase": cluster.phase,
        "kubernetes": parts.version_of(f"kubernetes-{data['minor']}") if "minor" in data else None,
        "folder": cluster.folder, "logs": cluster.path("logs"), "took_s": data.get("took_s"),
        "kubeconfig": cluster.kubeconfig, "server": data.get("server"),
        "ca": cluster.pki("ca.crt"), "ca_key": cluster.pki("ca.key"),
        "client_certificate": cluster.pki("admin.crt"), "client_key": cluster.pki("admin.key"),
        "service_account_key": cluster.pki("service-account.key"),
        "kubectl": parts.path_of(parts.selected(["kubectl"])[0]),
        "audit_log": cluster.path("audit.log"),
        "etcd": {"data": cluster.path("etcd")}, "nodes": data.get("nodes", []),
        "prometheus": None, "metrics_server": None,
        "pids": {p.name: p.pid for p in processes if process.is_alive(p)},
        "dead": [p.name for p in processes if not process.is_alive(p)],
    }
    if "ports" in data:
        value["etcd"]["endpoint"] = f"http://127.0.0.1:{data['ports']['etcd']}"
    if data.get("profile") == "real" and "slot" in data:
        value["prometheus"] = monitoring.prometheus_url(cluster)
        value["metrics_server"] = "/apis/metrics.k8s.io/v1beta1"
    return value


def table(rows):
    """Rows of words in columns, the first row being their names."""
    widths = [max(len(str(row[n])) for row in rows) for n in range(len(rows[0]))]
    return "\n".join("  ".join(str(word).ljust(width) for word, width in zip(row, widths)).rstrip()
                     for row in rows)


def summary(cluster):
    """What to tell a person who has just started it."""
    value, home = describe(cluster), os.path.expanduser("~")
    short = lambda path: path.replace(home, "~", 1) if path.startswith(home + "/") else path
    lines = [f"cluster {cluster.name}: profile {value['profile']}, Kubernetes "
             f"{value['kubernetes']}, up in {value['took_s']} s",
             f"  API server    {value['server']}", f"  kubeconfig    {value['kubeconfig']}",
             f"  audit log     {value['audit_log']}"]
    if value["prometheus"]:
        lines.append(f"  Prometheus    {value['prometheus']}")
        lines.append("  nodes         " + ", ".join(f"{n['name']} {n['address']}"
                                                      for n in value["nodes"]))
    lines += ["", "Use it:", f"  export KUBECONFIG={short(value['kubeconfig'])}",
              f"  alias kubectl={short(value['kubectl'])}", "  kubectl get nodes", "Take it down:",
              f"  testbed/testbed down --name {cluster.name}"]
    return "\n".join(lines)
