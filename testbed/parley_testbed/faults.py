"""What tests do to a running cluster: kill and start parts of it, move it back in time."""

import os
import shutil

from . import control, network, nodes, parts, process
from .errors import TestbedError

BUMP = 1_000_000_000  # As etcd's own advice for Kubernetes: no client has seen so high a revision.


def node(cluster, action, name):
    target = nodes.find(cluster, name)
    alive = process.recorded(cluster, name)
    if action == "kill":
        nodes.kill(cluster, target)
    elif action == "start":
        if alive and process.is_alive(alive):
            raise TestbedError(f"node {name} runs already")
        nodes.start(cluster, target)
    elif action == "partition":
        network.partition(target)
    else:
        network.heal(target)


def kill(cluster, name):
    process.stop([process.recorded(cluster, name)])


def start(cluster, name):
    {"apiserver": control.start_apiserver, "etcd": control.start_etcd}[name](cluster)


def snapshot(cluster, file):
    """Saves what etcd holds now; the file is complete or not there."""
    file = os.path.abspath(file)
    network.run(parts.find("etcdctl"), f"--endpoints=http://127.0.0.1:{cluster.port('etcd')}",
                "snapshot", "save", file, timeout_s=300)


def restore(cluster, file, bump_revision):
    """Puts etcd back to a snapshot, with the API server down meanwhile, and starts both.

    Plain, resource versions go back, as after many a real restore. Bumped, they only go forward,
    and what clients have seen is compacted away.
    """
    file = os.path.abspath(file)
    if not os.path.isfile(file):
        raise TestbedError(f"{file} is not a file; make it with: testbed/testbed etcd "
                           "snapshot FILE")
    fresh, peer = cluster.path("etcd-restored"), f"http://127.0.0.1:{cluster.port('etcd-peer')}"
    shutil.rmtree(fresh, ignore_errors=True)
    bump = [f"--bump-revision={BUMP}", "--mark-compacted"] if bump_revision else []
    network.run(parts.find("etcdutl"), "snapshot", "restore", file, f"--data-dir={fresh}",
                "--name=testbed", f"--initial-cluster=testbed={peer}",
                f"--initial-advertise-peer-urls={peer}", *bump, timeout_s=300)
    kill(cluster, "apiserver")
    kill(cluster, "etcd")
    shutil.rmtree(cluster.path("etcd"))
    os.rename(fresh, cluster.path("etcd"))
    start(cluster, "etcd")
    start(cluster, "apiserver")
