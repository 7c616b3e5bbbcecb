"""Gives each cluster a number of its own on this machine, and with it ports and addresses."""

import glob
import ipaddress
import os
import socket
import tempfile

from .errors import TestbedError
from .lock import locked

SLOTS = 32
FIRST_PORT, PORTS_PER_SLOT = 21000, 64  # Below the range from which the kernel takes ports.


def registry(user=None):
    """Where a user's slots are noted: a place that all can read and that a restart empties."""
    base = "/run/lock" if os.access("/run/lock", os.W_OK) else tempfile.gettempdir()
    return os.path.join(base, f"parley-testbed-{os.getuid() if user is None else user}")


def taken_by_others():
    """Slots of other users. Whether they are still in use cannot be seen: they count as taken."""
    files = set(glob.glob(registry("*") + "/slot-??")) - set(glob.glob(registry() + "/slot-??"))
    return {int(file[-2:]) for file in files if file[-2:].isdigit()}


def networks_of(slot):
    """The networks of a slot: no two slots share an address, so clusters can run side by side."""
    return {"services": f"10.{96 + slot}.0.0/16", "pods": f"10.{192 + slot}.0.0/16",
            "nodes": f"10.191.{slot}.0/24"}


def api_address(slot):
    """Where pods of a cluster find its API server: the first address of its services."""
    return f"10.{96 + slot}.0.1"


def bridge_address(slot):
    return f"10.191.{slot}.1"


def parse_routes(text):
    """The destinations in /proc/net/route, but for the default route."""
    routes = []
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < 8:
            continue
        address = ipaddress.IPv4Address(bytes.fromhex(fields[1])[::-1])
        mask = ipaddress.IPv4Address(bytes.fromhex(fields[7])[::-1])
        if int(mask):
            routes.append(ipaddress.IPv4Network(f"{address}/{mask}", strict=False))
    return routes


def is_routed(slot, routes):
    mine = [ipaddress.IPv4Network(n) for n in networks_of(slot).values()]
    return any(route.overlaps(network) for route in routes for network in mine)


def claim(folder):
    """Takes the lowest free slot for the cluster in that folder, which exists already."""
    with open("/proc/net/route", encoding="ascii") as file:
        routes = parse_routes(file.read())
    with locked(os.path.join(registry(), "lock"), 30, "the list of slots"):
        for slot in sorted(set(range(SLOTS)) - taken_by_others()):
            path = os.path.join(registry(), f"slot-{slot:02}")
            owner = owner_of(path)
            if owner and os.path.exists(os.path.join(owner, "cluster.json")):
                continue
            if is_routed(slot, routes):
                continue
            temporary = f"{path}.part"
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(folder)
            os.replace(temporary, path)
            return slot
    raise TestbedError(f"all {SLOTS} slots for clusters are taken, by clusters or by routes of "
                       "this machine; take one down with: testbed/testbed down --name NAME")


def owner_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def claimed():
    """{slot file: folder} of all slots that are taken."""
    if not os.path.isdir(registry()):
        return {}
    return {file: owner_of(file) for file in sorted(glob.glob(registry() + "/slot-??"))}


def is_owner(folder, slot):
    """Whether that slot, and all that is named after it, belongs to the cluster in that folder."""
    return slot is not None and owner_of(os.path.join(registry(), f"slot-{slot:02}")) == folder


def release(folder):
    if not os.path.isdir(registry()):
        return
    with locked(os.path.join(registry(), "lock"), 30, "the list of slots"):
        for path, owner in claimed().items():
            if owner == folder:
                os.remove(path)


def is_free(port):
    """Whether nobody listens on the port, on any address."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As servers do: a connection that has just ended does not keep a port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def choose_ports(slot, names, free=is_free):
    """{name: port} of the slot's own range, without those that a stranger uses."""
    base = FIRST_PORT + slot * PORTS_PER_SLOT
    candidates = (port for port in range(base, base + PORTS_PER_SLOT) if free(port))
    chosen = dict(zip(names, candidates))
    if len(chosen) < len(names):
        raise TestbedError(f"of ports {base} to {base + PORTS_PER_SLOT - 1} only {len(chosen)} are "
                           f"free, and {len(names)} are needed; end what listens on them")
    return chosen
