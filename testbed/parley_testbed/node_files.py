"""The files from which a real node starts: configurations of kubelet, containerd and CNI."""

import json
import os
import shutil

from . import images, pki, slots
from .errors import TestbedError

MEMORY_SHARE = 0.75  # Of the machine, for all nodes together; the control plane has the rest.


def machine_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        return int(file.readline().split()[1]) * 1024


def reserved(count, cores, memory):
    """What each node keeps back, so that together they promise no more than there is."""
    share_millicores = int(cores * 1000 / count) // 50 * 50
    share_memory = int(memory * MEMORY_SHARE / count) // 2**20
    if share_millicores < 100 or share_memory < 256:
        raise TestbedError(f"{count} nodes are too many for {cores} cores and {memory >> 30} GiB; "
                           "each needs 100m and 256 MiB")
    return {"cpu": f"{cores * 1000 - share_millicores}m",
            "memory": f"{(memory >> 20) - share_memory}Mi"}


def kubelet_config(keep_back, name_server):
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
        "failCgroupV1": False, "cgroupDriver": "cgroupfs", "failSwapOn": False,
        "authentication": {"anonymous": {"enabled": False}, "webhook": {"enabled": True},
                           "x509": {"clientCAFile": "/run/node/pki/ca.crt"}},
        "authorization": {"mode": "Webhook"},
        "tlsCertFile": "/run/node/pki/kubelet.crt",
        "tlsPrivateKeyFile": "/run/node/pki/kubelet.key",
        "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
        "resolvConf": "/run/node/resolv.conf", "clusterDomain": "cluster.local",
        # There is no DNS. Where nobody listens, look-ups fail at once, and pods get no warnings.
        "clusterDNS": [name_server],
        # The default would make a folder under /usr of the machine.
        "volumePluginDir": "/var/lib/kubelet/volume-plugins",
        "systemReserved": keep_back,
        "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%",
                         "imagefs.available": "1%", "nodefs.inodesFree": "1%"},
        # The images are not to be had again.
        "imageGCHighThresholdPercent": 100, "imageGCLowThresholdPercent": 99,
        "nodeStatusUpdateFrequency": "5s", "syncFrequency": "10s",
        "containerLogMaxSize": "5Mi", "containerLogMaxFiles": 2, "maxPods": 110,
    }


CONTAINERD = f"""version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
    "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs",
    "io.containerd.internal.v1.tracing", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{images.PAUSE}"
  # Root may lack CAP_SYS_RESOURCE; without this, pods stay in ContainerCreating.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/run/node/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
"""


def cni_config(pods):
    bridge = {"type": "bridge", "bridge": "cni0", "isGateway": True, "hairpinMode": True,
              "ipam": {"type": "host-local", "ranges": [[{"subnet": pods}]],
                       "routes": [{"dst": "0.0.0.0/0"}]}}
    return {"cniVersion": "0.4.0", "name": "testbed", "plugins": [bridge]}


def write(path, content, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def prepare(cluster, node, keep_back):
    """Writes all that the node reads. Its folder is /run/node inside it."""
    name, place = node["name"], lambda *parts: cluster.path("nodes", node["name"], *parts)
    for folder in ("pki", "lib", "log", "tmp", "lib/kubelet", "lib/containerd", "lib/cni"):
        os.makedirs(place(folder), exist_ok=True)
    pki.certificate(cluster, name, f"system:node:{name}", groups=["system:nodes"],
                    names=[f"IP:{node['address']}", f"DNS:{name}"])
    shutil.copy(cluster.pki("ca.crt"), place("pki/ca.crt"))
    for ending in ("crt", "key"):
        shutil.copy(cluster.pki(f"{name}.{ending}"), place(f"pki/kubelet.{ending}"))
    pki.write_kubeconfig(cluster, place("kubeconfig"), name)
    write(place("kubelet.json"), kubelet_config(keep_back, slots.api_address(cluster.data["slot"])))
    write(place("containerd.toml"), CONTAINERD)
    write(place("cni/10-testbed.conflist"), cni_config(node["pods"]))
    write(place("resolv.conf"), "")
