"""The `real` profile: nodes with containerd and kubelet, each in namespaces of its own."""

import os
import shutil
import string
import sys
from concurrent.futures import ThreadPoolExecutor

from . import (cgroups, images, monitoring, network, node_files, parts, paths, process, scale,
               slots, state)
from .api import Api
from .errors import TestbedError

NODES_MAX = 8
READY_TIMEOUT_S = 120
# Program, and the Debian package that has it.
PROGRAMS = {"containerd": "containerd", "ctr": "containerd", "runc": "runc",
            "prometheus": "prometheus", "prometheus-node-exporter": "prometheus-node-exporter",
            "ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux", "mount": "mount",
            "/usr/lib/cni/bridge": "containernetworking-plugins", "/bin/busybox": "busybox-static"}


def missing_packages():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return sorted({package for program, package in PROGRAMS.items()
                   if not shutil.which(program, path=path)})


def check_machine():
    """Says in one sentence why this machine cannot run real nodes, if so."""
    if os.geteuid() != 0:
        raise TestbedError("the real profile needs root, for namespaces and cgroups; run it as "
                           "root")
    if missing := missing_packages():
        raise TestbedError(f"{', '.join(missing)} must be installed; run tools/setup.sh cluster")
    names = {name for c in cgroups.controllers() for name in c.options.split(",")}
    if not {"cpu", "cpuacct", "memory", "cpuset", "pids"} <= names:
        raise TestbedError("this machine does not mount the controllers of cgroup v1, and the real "
                           "profile knows no other; start the kernel with "
                           "systemd.unified_cgroup_hierarchy=0, or use another profile")


def plan(slot, count):
    """What each node is called and where it is."""
    if not 1 <= count <= NODES_MAX:
        raise TestbedError(f"the real profile runs 1 to {NODES_MAX} nodes, not {count}")
    found = []
    for number in range(1, count + 1):
        name = f"node-{string.ascii_lowercase[number - 1]}"
        found.append({"name": name, "address": f"10.191.{slot}.{10 + number}",
                      "pods": f"10.{192 + slot}.{number}.0/24",
                      "link": network.link_of(slot, name), "cgroup": cgroups.name_of(slot, name)})
    return found


def find(cluster, name):
    for node in cluster.data.get("nodes", []):
        if node["name"] == name:
            return node
    known = ", ".join(n["name"] for n in cluster.data.get("nodes", [])) or "none"
    raise TestbedError(f'cluster {cluster.name} has no real node "{name}" (there are: {known})')


def start_all(cluster, count, say):
    nodes = plan(cluster.data["slot"], count)
    keep_back = node_files.reserved(count, os.cpu_count(), node_files.machine_memory())
    cluster.save(nodes=nodes)
    images.make_all(cluster.path("images"))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda node: node_files.prepare(cluster, node, keep_back), nodes))
    for node in nodes:
        start(cluster, node, first=True)
    wait_ready(cluster, [node["name"] for node in nodes])
    say(f"{count} nodes are ready")
    monitoring.start(cluster)


def start(cluster, node, first=False):
    """Starts a node, at first or after a power cut."""
    place = lambda *names: cluster.path("nodes", node["name"], *names)
    names = ["pause.tar", "busybox.tar"] if first else []
    for name in names:
        shutil.copy(cluster.path("images", name), place(name))
    settings = {
        "name": node["name"], "folder": place(), "address": node["address"],
        "gateway": slots.bridge_address(cluster.data["slot"]), "images": names,
        "zone": node["name"].removeprefix("node-"),
        "others": [n for n in cluster.data["nodes"] if n["name"] != node["name"]],
        "controllers": [{"path": c.path, "options": c.options} for c in cgroups.controllers()],
        "programs": {"kubelet": parts.find("kubelet")}}
    state.write_json(place("node.json"), settings)
    script = os.path.join(paths.TESTBED, "parley_testbed", "node_init.py")
    command = ["unshare", "--mount", "--uts", "--ipc", "--net", "--cgroup", "--pid", "--fork",
               "--kill-child", "--mount-proc", sys.executable, "-I", script, place("node.json")]
    started = process.start(cluster, node["name"], command, cgroups.create(node["cgroup"]))
    pid = process.wait_until(lambda: init_of(started), READY_TIMEOUT_S, f"node {node['name']}",
                             cluster.log(node["name"]), started)
    network.connect(cluster, node, pid)


def init_of(started):
    """The first process inside a node: the only child of unshare, once it has its namespaces."""
    try:
        with open(f"/proc/{started.pid}/task/{started.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        if not children or not process.is_alive(started):
            return None
        same = (os.readlink(f"/proc/{children[0]}/ns/net") == os.readlink("/proc/self/ns/net"))
        return None if same else int(children[0])
    except (FileNotFoundError, ProcessLookupError):
        return None


def inside(cluster, node, *command, timeout_s=120):
    """Runs a command in a node; returns what it prints."""
    started = process.recorded(cluster, node["name"])
    pid = init_of(started) if started else None
    if pid is None:
        raise TestbedError(f"node {node['name']} is not running; start it with: testbed/testbed "
                           f"node start {node['name']}")
    return network.run("nsenter", "--target", str(pid), "--all", *command, timeout_s=timeout_s)


def ready_names(api):
    found = api.get("/api/v1/nodes")["items"]
    return {node["metadata"]["name"] for node in found if scale.is_ready(node)}


def wait_ready(cluster, names, timeout_s=READY_TIMEOUT_S):
    api = Api(cluster)
    for name in names:
        process.wait_until(lambda: name in ready_names(api), timeout_s, f"node {name}",
                           cluster.path("nodes", name, "kubelet.log"),
                           process.recorded(cluster, name))
    api.close()


def kill(cluster, node):
    """A power cut: everything in the node is gone when this returns."""
    process.stop([process.recorded(cluster, node["name"])])
    cgroups.wait_empty(node["cgroup"])


def import_image(cluster, tar):
    """Gives an image to all nodes."""
    if not os.path.isfile(tar):
        raise TestbedError(f"{tar} is not a file; name a tar as `docker save` writes it")
    for node in cluster.data["nodes"]:
        copy = cluster.path("nodes", node["name"], "import.tar")
        shutil.copy(tar, copy)
        try:
            inside(cluster, node, "ctr", "--namespace", "k8s.io", "images", "import",
                   "/run/node/import.tar")
        finally:
            os.remove(copy)


def remove_all(cluster):
    """Removes what nodes leave when they are dead: cgroups. Namespaces and mounts are gone."""
    for node in cluster.data.get("nodes", []):
        cgroups.wait_empty(node["cgroup"])
        cgroups.remove(node["cgroup"])
