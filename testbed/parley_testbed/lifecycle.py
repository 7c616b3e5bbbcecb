"""A cluster from `up` to `down`, and the cleaning after one that was killed."""

import glob
import os
import shutil
import signal
import sys
import time

from . import control, network, nodes, process, scale, slots, state
from .errors import TestbedError

PORTS = ["apiserver", "etcd", "etcd-peer", "controller-manager", "scheduler", "kwok",
         "metrics-server", "prometheus"]


def say(text):
    print(f"testbed: {text}", file=sys.stderr, flush=True)


def up(root, options):
    """Starts a cluster and returns it. If it fails, nothing of it is left but its logs."""
    sweep(root)
    cluster = state.Cluster(root, options.name)
    with cluster.lock():
        refuse_second(cluster)
        begin = time.monotonic()
        try:
            create(cluster, options)
            start(cluster, options)
            cluster.save(phase=state.UP, took_s=round(time.monotonic() - begin, 2))
        except BaseException as error:
            # Also on Ctrl-C: what is half there is of no use to anybody. A second one must not
            # leave half of it.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            kept = keep_logs(cluster)
            tear_down(cluster)
            if isinstance(error, TestbedError):
                text = str(error).replace(cluster.path("logs"), kept)
                raise TestbedError(f"{text}\nNothing of the cluster is left; its logs are in "
                                   f"{kept}") from None
            raise
    return cluster


def refuse_second(cluster):
    if not cluster.exists():
        return
    cluster.load()
    if cluster.phase == state.UP and any(map(process.is_alive, process.all_recorded(cluster))):
        raise TestbedError(f'a cluster called "{cluster.name}" is up already; take it down with: '
                           f"testbed/testbed down --name {cluster.name}, or choose another --name")
    say(f"cleaning after cluster {cluster.name}, which was cut short")
    tear_down(cluster)


def create(cluster, options):
    shutil.rmtree(failed_logs(cluster), ignore_errors=True)
    cluster.create(profile=options.profile, minor=options.kubernetes,
                   apiserver_flags=dict(f.split("=", 1) for f in options.apiserver_flag))
    slot = slots.claim(cluster.folder)
    cluster.save(slot=slot)
    cluster.save(ports=slots.choose_ports(slot, PORTS))


def start(cluster, options):
    """One step after the other, each ready before the next one needs it."""
    if options.profile == "real":
        network.create(cluster)
        cluster.data["ports"]["apiserver"] = 443  # On an address of the cluster's own.
        address = slots.api_address(cluster.data["slot"])
    else:
        address = "127.0.0.1"
    control.prepare(cluster, address)
    control.start_etcd(cluster)
    control.start_apiserver(cluster)
    if options.profile != "api":
        control.start_controllers(cluster)
        control.wait_controllers(cluster)
    if options.profile == "scale":
        scale.start(cluster, options.nodes, options.pods, say)
    if options.profile == "real":
        nodes.start_all(cluster, options.nodes, say)


def failed_logs(cluster):
    return os.path.join(cluster.root, f"{cluster.name}.failed")


def keep_logs(cluster):
    """Moves the logs of a cluster that failed beside its folder; the last ones are kept."""
    target = failed_logs(cluster)
    shutil.rmtree(target, ignore_errors=True)
    for path in glob.glob(cluster.path("nodes", "*", "*.log")):
        node = os.path.basename(os.path.dirname(path))
        shutil.copy(path, cluster.log(f"{node}-{os.path.basename(path).removesuffix('.log')}"))
    if os.path.isdir(cluster.path("logs")):
        os.rename(cluster.path("logs"), target)
    return target


def down(root, name):
    """Takes a cluster down, whatever state it is in. Returns whether there was one."""
    cluster = state.Cluster(root, name)
    with cluster.lock():
        if not cluster.exists():
            os.remove(cluster.lock_path)
            return False
        cluster.load()
        tear_down(cluster)
    return True


def tear_down(cluster):
    """Ends processes first: what they would do at their end is of no use. Then the rest."""
    if not cluster.exists():
        return
    if os.path.exists(cluster.path("cluster.json")):
        cluster.save(phase=state.STOPPING)
    process.stop(process.all_recorded(cluster))
    # After a restart of the machine, or of a teardown, the slot may be another cluster's by now.
    owner = slots.is_owner(cluster.folder, cluster.data.get("slot"))
    if owner and cluster.data["profile"] == "real":
        nodes.remove_all(cluster)
        network.remove(cluster)
    network.unmount_below(cluster.folder)
    slots.release(cluster.folder)
    cluster.remove()


def sweep(root):
    """Takes down every cluster that is neither up nor being worked on: its testbed was killed."""
    for cluster in state.clusters_in(root):
        if cluster.phase == state.UP or cluster.is_busy():
            continue
        with cluster.lock():
            if cluster.exists() and cluster.load().phase != state.UP:
                say(f"cleaning after cluster {cluster.name}, which was cut short")
                tear_down(cluster)
