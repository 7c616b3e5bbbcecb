"""The network of a cluster's real nodes: a bridge on the machine, and a link to each node.

Nothing outside the nodes is forwarded or filtered, so neither iptables nor sysctls of the machine
are touched: pods reach each other over the bridge, and the API server on an address of it.
"""

import os
import subprocess

from . import slots
from .errors import TestbedError


def run(*command, timeout_s=30, accept=(0,)):
    """Runs a short command; returns what it prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s,
                              check=False)
    except FileNotFoundError:
        raise TestbedError(f"{command[0]} is not installed; run tools/setup.sh cluster") from None
    except subprocess.TimeoutExpired:
        raise TestbedError(f"{' '.join(command)} took over {timeout_s} s") from None
    if done.returncode not in accept:
        output = (done.stderr or done.stdout).strip()
        raise TestbedError(f"{' '.join(command)} failed: {output}")
    return done.stdout


def bridge_of(slot):
    return f"parley-br{slot:02}"


def link_of(slot, node_name):
    """The machine's end of a node's link; names of links have at most 15 characters."""
    return f"parley{slot:02}{node_name.removeprefix('node-')}"


def hardware_address(slot, number):
    """The same at every start, so that nobody keeps a wrong one. Its first byte says: local."""
    return f"02:70:74:{slot:02x}:00:{number:02x}"


def exists(link):
    return os.path.exists(f"/sys/class/net/{link}")


def create(cluster):
    """Makes the bridge. Its name follows from the slot, which is recorded already."""
    slot = cluster.data["slot"]
    bridge = bridge_of(slot)
    # Left to itself, a bridge takes the lowest address of its links: it would change with each
    # node that comes or goes, and all others would lose it for half a minute.
    run("ip", "link", "add", bridge, "address", hardware_address(slot, 1), "type", "bridge")
    run("ip", "address", "add", f"{slots.bridge_address(slot)}/24", "dev", bridge)
    # Where pods look for the API server; it listens there itself.
    run("ip", "address", "add", f"{slots.api_address(slot)}/32", "dev", bridge)
    run("ip", "link", "set", bridge, "up")


def connect(cluster, node, pid):
    """Gives the network namespace of that process a link to the bridge, as eth0."""
    slot, link = cluster.data["slot"], node["link"]
    if exists(link):
        run("ip", "link", "delete", link)  # Of a node that was killed a moment ago.
    address = hardware_address(slot, int(node["address"].rsplit(".", 1)[1]))
    run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "address", address,
        "netns", str(pid))
    run("ip", "link", "set", link, "master", bridge_of(slot), "up")
    run("ip", "route", "replace", node["pods"], "via", node["address"], "dev", bridge_of(slot))


def partition(node):
    run("ip", "link", "set", node["link"], "down")


def heal(node):
    run("ip", "link", "set", node["link"], "up")


def remove(cluster):
    """Removes links and bridge, and with them their addresses and routes."""
    bridge = bridge_of(cluster.data["slot"])
    links = [node["link"] for node in cluster.data.get("nodes", [])] + [bridge]
    for link in links:
        if exists(link):
            # The kernel removes the link of a dead node by itself, at any moment.
            run("ip", "link", "delete", link, accept=(0, 1))
        if exists(link):
            raise TestbedError(f"the link {link} cannot be removed; try: ip link delete {link}")


def mounts_below(folder, text):
    """Mount points in a mountinfo that are at or under a folder, the deepest first."""
    found = []
    for line in text.splitlines():
        point = line.split()[4].encode().decode("unicode_escape")  # Spaces are written as \040.
        if point == folder or point.startswith(folder + "/"):
            found.append(point)
    return sorted(found, key=lambda point: -point.count("/"))


def unmount_below(folder):
    """Before a folder is removed: nothing behind a mount may be removed with it."""
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        for point in mounts_below(folder, file.read()):
            run("umount", "--lazy", point)
